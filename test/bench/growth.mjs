// What an event costs the built `tail` as its subscriptions grow in number, all of them together bringing the same events
// as fast as they are read: run by hand, with many.mjs, which measures the same at a pace:
//   npm run bench:subscriptions
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EVENT_NAME } from "./feed.mjs";
import {
	BENCH_OPTIONS,
	BINARY,
	compare,
	openFolder,
	round,
	startServer,
	versionOf,
} from "./harness.mjs";

const SIZES = [1, 10, 100, 1_000];

const { values } = parseArgs({
	options: { ...BENCH_OPTIONS, events: { type: "string", default: "300000" } },
});
const { node, events } = values;
const folder = openFolder();

async function sideOf(subscriptions) {
	const program = join(import.meta.dirname, "feed-server.mjs");
	const server = [process.execPath, program, events, String(subscriptions)];
	const { found } = await startServer(server, / (http\S+)/);
	const from = join(folder, `from-${subscriptions}`);
	const lines = Array.from(
		{ length: subscriptions },
		(_, part) => `${EVENT_NAME} -a part=${part} --cursor 0\n`,
	);
	writeFileSync(from, lines.join(""));
	const words = ["tail", found[1], "--from", from, "--via", "push"];
	const flags = ["--output", "events", "--quiet", "--count", events];
	return {
		name: `${subscriptions}`,
		words: [node, BINARY, ...words, ...flags],
		// Each stream has another id, and they come in any order.
		filter: `sed 's/subscriptionId":[^}]*}/subscriptionId":0}/' | LC_ALL=C sort`,
	};
}

const sides = [];
for (const size of SIZES) sides.push(await sideOf(size));
const results = await compare(sides, { rounds: Number(values.rounds) });
console.log(`tail of ${events} events (Node ${versionOf(node)})`);
console.table(
	results.map(({ name, wallMs, cpuSeconds, peakMib, digest }) => ({
		subscriptions: Number(name),
		"wall µs/event": round((wallMs * 1_000) / events, 1),
		"CPU µs/event": round((cpuSeconds * 1_000_000) / events, 1),
		"peak MiB": Math.round(peakMib),
		output: digest,
	})),
);
process.exit();
