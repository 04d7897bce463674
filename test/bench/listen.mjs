// How fast `listen` receives: signed, on disk before it answers, told from repetitions, and printed; over 64 connections,
// beside a bare server that reads the body, Debian's `webhook` (it answers before its command has run, and keeps nothing),
// and a receiver that syncs every delivery by itself. Wants wrk. A receiver that takes less than its core was not the
// bottleneck: something else on the machine was.
//   npm run bench:listen -- [--node NODE] [--rounds 5] [--seconds 3]
// Status 1 where an answered delivery was not printed once.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	createReadStream,
	existsSync,
	mkdirSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
	BENCH_OPTIONS,
	BINARY,
	median,
	openFolder,
	round,
	startServer,
	usageOf,
	versionOf,
} from "./harness.mjs";
import {
	KEY_BASE64,
	requestText,
	SECRET,
	writeDeliveries,
} from "./sign-deliveries.mjs";
import { startWebhook } from "./webhook-tool.mjs";

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 2;
/** More than any side takes. */
const MOST_PER_SECOND = 70_000;
const PATH = "/hooks/deliveries";
const PLAIN = join(import.meta.dirname, "plain-receiver.mjs");
/** The file that is there once all that was printed has been read. */
const ALL_READ = "all-read";
const FIND_URL = / at (http:\S+)$/;

const { values } = parseArgs({
	options: { ...BENCH_OPTIONS, seconds: { type: "string", default: "3" } },
});
const { node } = values;
const seconds = Number(values.seconds);
// Each receiver that is started ends with us.
process.setMaxListeners(0);
const folder = openFolder();
const requests = join(folder, "requests");
const count = MOST_PER_SECOND * (WARM_UP_SECONDS + seconds);
writeDeliveries(requests, {
	count,
	nowMs: Date.now(),
	write: (delivery) => requestText(delivery, PATH),
});
const length = statSync(requests).size / count;

/** A receiver that tells its address on stderr. */
async function startReceiver(words) {
	const { child, found } = await startServer(words, FIND_URL);
	return { child, url: found[1] };
}

async function startListen(place) {
	mkdirSync(place);
	const secret = join(place, "secret");
	writeFileSync(secret, SECRET, { mode: 0o600 });
	const words = ["listen", "--secret-file", secret, "--path", PATH];
	const ready = join(place, "ready");
	const own = ["--state", join(place, "state"), "--ready-file", ready];
	// What takes its place in the end is the program itself; its stdout is a pipe, as to any other tool.
	const reader = `cat > '${place}/printed'; : > '${place}/${ALL_READ}'`;
	const shell = ["-c", `exec "$@" > >(${reader})`, "bash"];
	const program = [node, BINARY, ...words, ...own];
	const receiver = await startReceiver(["bash", ...shell, ...program]);
	while (!existsSync(ready)) await sleep(20);
	return receiver;
}

const SIDES = [
	{ name: "mcp-events listen", start: startListen, isOurs: true },
	{
		name: "bare node:http, 204",
		start: () => startReceiver([node, PLAIN, "bare"]),
	},
	{
		name: "a sync for each delivery",
		start: (place) =>
			startReceiver([node, PLAIN, "sync-each", KEY_BASE64, place]),
	},
	{
		name: "webhook (Debian)",
		tool: "webhook",
		start: (place) => startWebhook(place, KEY_BASE64),
	},
].filter(({ tool }) => {
	const isThere = tool === undefined || has(tool);
	if (!isThere) console.log(`left out: ${tool} is not installed`);
	return isThere;
});

function has(tool) {
	return spawnSync("which", [tool]).status === 0;
}

/** Sends for so long, from one of the deliveries on, and says what wrk says. */
async function send(url, { from, seconds }) {
	const words = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--latency"];
	const script = ["-s", join(import.meta.dirname, "deliveries.lua")];
	const what = [url, "--", requests, length, from];
	const wrk = spawn("wrk", [...words, ...script, ...what], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const before = usageOf(process).cpuSeconds;
	let told = "";
	wrk.stdout.setEncoding("utf8").on("data", (text) => {
		told += text;
	});
	const [status, signal] = await once(wrk, "close");
	if (status !== 0)
		throw new Error(`wrk ended with ${status ?? signal}: ${told}`);
	const find = (pattern) => pattern.exec(told)?.[1];
	const refused = Number(find(/Non-2xx or 3xx responses: (\d+)/) ?? 0);
	const errors = find(/Socket errors: (.+)/);
	if (refused > 0 || errors !== undefined)
		throw new Error(`${refused} refused, errors: ${errors}: ${told}`);
	return {
		// We do nothing but wait for it.
		senderSeconds: usageOf(process).cpuSeconds - before,
		answered: Number(find(/(\d+) requests in/)),
		perSecond: Number(find(/Requests\/sec:\s+([\d.]+)/)),
		p50Ms: milliseconds(find(/^ +50% +(\S+)/m)),
		p99Ms: milliseconds(find(/^ +99% +(\S+)/m)),
	};
}

function milliseconds(text) {
	const [, number, unit] = /^([\d.]+)(us|ms|s)$/.exec(text);
	return Number(number) * { us: 0.001, ms: 1, s: 1_000 }[unit];
}

let rounds = 0;

async function runRound({ start, isOurs }) {
	const place = join(folder, `round-${++rounds}`);
	const { child, url } = await start(place);
	const warmUp = await send(url + PATH, { from: 0, seconds: WARM_UP_SECONDS });
	const before = usageOf(child).cpuSeconds;
	// wrk stops with requests under way.
	const from = warmUp.answered + CONNECTIONS;
	const sent = await send(url + PATH, { from, seconds });
	const { cpuSeconds, peakMiB } = usageOf(child);
	child.kill();
	await once(child, "exit");
	const ranges = [
		{ from: 0, answered: warmUp.answered },
		{ from, answered: sent.answered },
	];
	const lost = isOurs ? await countLost(place, ranges) : 0;
	rmSync(place, { recursive: true, force: true });
	return { ...sent, lost, peakMiB, cpuSeconds: cpuSeconds - before };
}

/** How many of the deliveries that wrk saw answered are missing in what was printed, and how many were printed again. */
async function countLost(place, ranges) {
	const numbers = new Set();
	let again = 0;
	while (!existsSync(join(place, ALL_READ))) await sleep(20);
	const input = createReadStream(`${place}/printed`);
	for await (const line of createInterface({ input })) {
		const number = Number(JSON.parse(line).cursor);
		if (numbers.has(number)) again++;
		numbers.add(number);
	}
	const missing = ranges.map(({ from, answered }) => {
		const sent = [...numbers].filter(
			(number) => number >= from && number < from + answered + CONNECTIONS,
		);
		return Math.max(0, answered - sent.length);
	});
	return missing.reduce((sum, one) => sum + one, again);
}

const runs = SIDES.map(() => []);
for (let round = 0; round < Number(values.rounds); round++)
	for (const [at, side] of SIDES.entries()) runs[at].push(await runRound(side));

const of = (at, name) => median(runs[at].map((run) => run[name]));
console.log(
	`${CONNECTIONS} connections, ${length} bytes a request (product and node:http on Node ${versionOf(node)})`,
);
console.table(
	SIDES.map(({ name }, at) => ({
		side: name,
		"deliveries/s": Math.round(of(at, "perSecond")),
		"listen is so many times as fast": round(
			of(0, "perSecond") / of(at, "perSecond"),
			2,
		),
		"p50 ms": round(of(at, "p50Ms"), 2),
		"p99 ms": round(of(at, "p99Ms"), 2),
		"CPU us each": round((of(at, "cpuSeconds") * 1e6) / of(at, "answered"), 1),
		"cores taken": round(of(at, "cpuSeconds") / seconds, 2),
		"by the sender": round(of(at, "senderSeconds") / seconds, 2),
		"peak MiB": of(at, "peakMiB"),
	})),
);
const lost = runs[0].reduce((sum, run) => sum + run.lost, 0);
const answered = runs[0].reduce((sum, run) => sum + run.answered, 0);
console.log(
	`${answered} deliveries answered, ${lost} of them not printed once`,
);
if (lost > 0) process.exitCode = 1;
