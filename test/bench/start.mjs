// How long the command takes to start, beside an empty program of the same Node, on this Node and on others:
//   npm run bench:start -- [--node NODE]... [--rounds 40]
// Each round starts everything once, so that a busy machine is busy for all of them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
	BINARY,
	median,
	openFolder,
	quantile,
	round,
	startServer,
	versionOf,
} from "./harness.mjs";

const { values } = parseArgs({
	options: {
		node: { type: "string", multiple: true, default: [process.execPath] },
		rounds: { type: "string", default: "40" },
	},
});
// Where it is set, Node 20 alone takes twice its time at every start.
delete process.env.NODE_EXTRA_CA_CERTS;
const state = join(openFolder(), "state");
process.env.XDG_STATE_HOME = state;

const serve = [process.execPath, BINARY, "serve", "--port", "0"];
const { found } = await startServer(serve, / (http\S+\/mcp)/);
const tick = ["clock.tick", "-a", "periodMs=10", "--count", "1"];

/** What is run, and how many times as long as an empty program it may take. */
const ROWS = [
	{ name: "node -e 0", words: ["-e", "0"] },
	{ name: "--version", words: [BINARY, "--version"], most: 1.4 },
	{ name: "tail --help", words: [BINARY, "tail", "--help"], most: 4 },
	{
		name: "first event of a running serve",
		words: [BINARY, "tail", found[1], ...tick],
		most: 8,
		untilFirstByte: true,
	},
];

/** Milliseconds until the end, or until the first byte of stdout. */
async function time(node, { words, untilFirstByte = false }) {
	const startedAt = performance.now();
	const child = spawn(node, words, { stdio: ["ignore", "pipe", "ignore"] });
	let firstMs;
	child.stdout.on("data", () => {
		firstMs ??= performance.now() - startedAt;
	});
	await once(child, "close");
	return untilFirstByte ? firstMs : performance.now() - startedAt;
}

for (const node of values.node) {
	const runs = ROWS.map(() => []);
	for (let round = 0; round < Number(values.rounds); round++)
		for (const [at, row] of ROWS.entries())
			runs[at].push(await time(node, row));
	console.log(`start on Node ${versionOf(node)}`);
	const empty = runs[0];
	console.table(
		ROWS.map(({ name, most }, at) => ({
			"what is started": name,
			"median ms": round(median(runs[at]), 1),
			"lower quarter ms": round(quantile(runs[at], 0.25), 1),
			"times node -e 0": round(
				median(runs[at].map((ms, run) => ms / empty[run])),
				2,
			),
			"of the lower quarters": round(
				quantile(runs[at], 0.25) / quantile(empty, 0.25),
				2,
			),
			"at most": most ?? "",
		})),
	);
}
process.exit();
