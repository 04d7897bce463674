// How fast the built `stream` passes on what a child says, beside the SDK's client on the same child:
//   npm run bench:stdio -- [--node PATH] [--rounds N] [--events N]
// The child is the same for both, on the same Node; its processor time is in that of either side.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EVENT_NAME } from "./feed.mjs";
import {
	BENCH_OPTIONS,
	BINARY,
	compare,
	openFolder,
	printComparison,
} from "./harness.mjs";

const HERE = import.meta.dirname;

const { values } = parseArgs({
	options: { ...BENCH_OPTIONS, events: { type: "string", default: "300000" } },
});
const { node, events } = values;
const child = [
	...[process.execPath, join(HERE, "feed-stdio.mjs")],
	...[openFolder(), events],
];
/** Each side has another request id. */
const filter = `sed 's/subscriptionId":[^}]*}/subscriptionId":0}/'`;
const sides = [
	{
		name: "mcp-events stream",
		words: [
			...[node, BINARY, "stream", EVENT_NAME, "--cursor", "0", "--quiet"],
			...["--output", "events", "--count", events, "--", ...child],
		],
		filter,
	},
	{
		name: "SDK client",
		words: [process.execPath, join(HERE, "sdk-reader.mjs"), "stream", ...child],
		filter,
	},
];
const results = await compare(sides, { rounds: Number(values.rounds) });
const title = `stream of ${events} events over stdio`;
printComparison(title, results, { units: Number(events), node });
process.exit();
