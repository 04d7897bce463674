// What an event costs the built `tail` as its subscriptions grow in number, all of them together bringing the same events
// as fast as they are read, beside a reader written by hand, which opens as many streams: run by hand, with many.mjs, which
// measures the same at a pace:
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

const HERE = import.meta.dirname;
const SIZES = [1, 10, 100, 1_000];

const { values } = parseArgs({
	options: { ...BENCH_OPTIONS, events: { type: "string", default: "300000" } },
});
const { node, events } = values;
const folder = openFolder();

// Each stream has another id, and they come in any order.
const FILTER = `sed 's/subscriptionId":[^}]*}/subscriptionId":0}/' | LC_ALL=C sort`;

async function sidesOf(subscriptions) {
	const program = join(HERE, "feed-server.mjs");
	const server = [process.execPath, program, events, String(subscriptions)];
	const { found } = await startServer(server, / (http\S+)/);
	const [, url] = found;
	const from = join(folder, `from-${subscriptions}`);
	const lines = Array.from(
		{ length: subscriptions },
		(_, part) => `${EVENT_NAME} -a part=${part} --cursor 0\n`,
	);
	writeFileSync(from, lines.join(""));
	const words = ["tail", url, "--from", from, "--via", "push"];
	const flags = ["--output", "events", "--quiet", "--count", events];
	const reader = [join(HERE, "slice-reader.mjs"), url];
	return [
		{ name: "mcp-events tail", words: [node, BINARY, ...words, ...flags] },
		{
			name: "undici reader",
			words: [process.execPath, ...reader, String(subscriptions), events],
		},
	].map((side) => ({ ...side, filter: FILTER }));
}

const rows = [];
for (const size of SIZES) {
	const sides = await sidesOf(size);
	const results = await compare(sides, { rounds: Number(values.rounds) });
	const [, reader] = results;
	for (const { name, wallMs, cpuSeconds, peakMib, digest } of results)
		rows.push({
			subscriptions: size,
			side: name,
			"wall µs/event": round((wallMs * 1_000) / events, 1),
			"CPU µs/event": round((cpuSeconds * 1_000_000) / events, 1),
			"CPU of reader's": round(cpuSeconds / reader.cpuSeconds, 2),
			"peak MiB": Math.round(peakMib),
			output: digest,
		});
}
console.log(`tail of ${events} events (Node ${versionOf(node)})`);
console.table(rows);
process.exit();
