// How fast the built `stream` passes events on, beside curl with sed and jq, and beside a reader written by hand:
//   npm run bench:stream -- [--node PATH] [--rounds N] [--events N] [--long]
// --long runs the product alone, over ten times as many: its memory must be no higher than before.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EVENT_NAME, streamRequest } from "./feed.mjs";
import {
	BENCH_OPTIONS,
	BINARY,
	compare,
	printComparison,
	startServer,
} from "./harness.mjs";

const HERE = import.meta.dirname;
const LONGER = 10;

const { values } = parseArgs({
	options: {
		...BENCH_OPTIONS,
		events: { type: "string", default: "300000" },
		long: { type: "boolean", default: false },
	},
});
const { node } = values;
const events = Number(values.events);
const rounds = Number(values.rounds);

/** Each side has another request id, and curl's pipe prints more than events. */
const FILTER = `grep eventId | sed 's/subscriptionId":[^}]*}/subscriptionId":0}/'`;

async function openFeed(times) {
	const program = join(HERE, "feed-server.mjs");
	const words = [process.execPath, program, String(events), "1", String(times)];
	const { child, found } = await startServer(words, / (http\S+)/);
	return { url: found[1], close: () => child.kill() };
}

const product = (url, count) => ({
	name: "mcp-events stream",
	words: [
		...[node, BINARY, "stream", url, EVENT_NAME, "--cursor", "0"],
		...["--output", "events", "--quiet", "--count", String(count)],
	],
	filter: FILTER,
});

function curl(url) {
	const { headers, body } = streamRequest();
	const flags = Object.entries(headers).flatMap(([key, value]) => [
		"-H",
		`${key}: ${value}`,
	]);
	const pipe = `curl -sN "$@" | sed -n 's/^data: //p' | jq -c .params`;
	return {
		name: "curl | sed | jq",
		words: ["/bin/sh", "-c", pipe, "sh", url, "--data", body, ...flags],
		filter: FILTER,
	};
}

const byHand = (url) => ({
	name: "undici, JSON.parse, slice",
	words: [process.execPath, join(HERE, "slice-reader.mjs"), url],
	filter: FILTER,
});

const times = values.long ? LONGER : 1;
const units = events * times;
const feed = await openFeed(times);
const sides = [product(feed.url, units)];
if (!values.long) sides.push(curl(feed.url), byHand(feed.url));
const title = `stream of ${units} events`;
printComparison(title, await compare(sides, { rounds }), { units, node });
process.exit();
