// How fast the built `poll` brings in a backlog in pages of 1,000, beside the SDK's client that asks for the same:
//   npm run bench:poll -- [--node PATH] [--rounds N] [--events N]
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EVENT_NAME } from "./feed.mjs";
import {
	BENCH_OPTIONS,
	BINARY,
	compare,
	printComparison,
	startServer,
} from "./harness.mjs";

const HERE = import.meta.dirname;

const { values } = parseArgs({
	options: { ...BENCH_OPTIONS, events: { type: "string", default: "300000" } },
});
const { node, events } = values;
const server = [process.execPath, join(HERE, "feed-server.mjs"), events];
const { found } = await startServer(server, / (http\S+)/);
const [, url] = found;
const sides = [
	{
		name: "mcp-events poll",
		words: [
			...[node, BINARY, "poll", url, EVENT_NAME, "--cursor", "0", "--once"],
			...["--max-events", "1000", "--output", "events", "--quiet"],
		],
	},
	{
		name: "SDK client",
		words: [process.execPath, join(HERE, "sdk-reader.mjs"), "poll", url],
	},
];
const results = await compare(sides, { rounds: Number(values.rounds) });
const title = `poll of ${events} events`;
printComparison(title, results, { units: Number(events), node });
process.exit();
