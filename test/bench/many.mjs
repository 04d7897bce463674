// How the cost of the built `tail` grows with the number of its subscriptions: 1, 10, 100 and 1,000 of them, over HTTP/2,
// HTTP/1.1 and stdio, which bring the same number of events a second together. Run by hand, on a machine that is idle:
//   npm run bench:subscriptions -- [--rate EVENTS-A-SECOND] [--seconds N] [--way h2|h1|stdio]
// A table for each way. Status 1 where an event did not come once.
import { spawn } from "node:child_process";
import {
	closeSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const BINARY = join(import.meta.dirname, "../../bin/mcp-events.js");
const TLS = join(import.meta.dirname, "../fixtures/tls");
const CERTIFICATE = [
	"--tls-cert",
	join(TLS, "localhost.pem"),
	"--tls-key",
	join(TLS, "localhost.key"),
];
const LIMITS = ["--max-streams", "3000"];
const SIZES = [1, 10, 100, 1_000];
/** A clock of `serve` ticks no faster. */
const SHORTEST_PERIOD_MS = 10;
/** From being ready to being measured: what was allocated to open the streams is cleared away meanwhile. */
const WARM_UP_MS = 3_000;

const { values } = parseArgs({
	options: {
		rate: { type: "string", default: "1000" },
		seconds: { type: "string", default: "10" },
		way: { type: "string", multiple: true, default: ["h2", "h1", "stdio"] },
	},
});
const folder = mkdtempSync(join(tmpdir(), "bench-many-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

async function startServer(flags) {
	const words = [BINARY, "serve", ...LIMITS, "--rate-limit", "off", ...flags];
	const child = spawn(process.execPath, words, {
		stdio: ["ignore", "ignore", "pipe"],
	});
	process.once("exit", () => child.kill());
	for await (const line of createInterface({ input: child.stderr })) {
		const [, url] = / at (http\S+)$/.exec(line) ?? [];
		if (url) return { child, url: url.replace("127.0.0.1", "localhost") };
	}
	throw new Error("the server did not start");
}

/** The words that name the server, and the way to end it. */
async function openWay(way) {
	if (way === "stdio")
		return {
			before: [],
			after: ["--", process.execPath, BINARY, "serve", "--stdio", ...LIMITS],
			close() {},
		};
	const { child, url } = await startServer(way === "h2" ? CERTIFICATE : []);
	const before = [url, "--ca", join(TLS, "ca.pem")];
	return { before, after: [], close: () => child.kill() };
}

function look(pid) {
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
	const links = readdirSync(`/proc/${pid}/fd`).map((fd) => {
		try {
			return readlinkSync(`/proc/${pid}/fd/${fd}`);
		} catch {
			return "";
		}
	});
	const [, peak] = /VmHWM:\s+(\d+)/.exec(
		readFileSync(`/proc/${pid}/status`, "utf8"),
	);
	return {
		// Linux counts in hundredths of a second.
		cpuMs: (Number(stat[13]) + Number(stat[14])) * 10,
		sockets: links.filter((link) => link.startsWith("socket:")).length,
		peakMib: Math.round(Number(peak) / 1024),
	};
}

/** Events, and those of them that left a hole or came twice. */
function check(text) {
	const last = new Map();
	let events = 0;
	let wrong = 0;
	for (const line of text.split("\n")) {
		if (line === "") continue;
		const { tick, label } = JSON.parse(line).data;
		const before = last.get(label);
		if (before !== undefined && tick !== before + 1) wrong++;
		last.set(label, tick);
		events++;
	}
	return { events, wrong, labels: last.size };
}

async function measure(way, subscriptions) {
	const rate = Number(values.rate);
	const periodMs = Math.max(
		SHORTEST_PERIOD_MS,
		Math.round((subscriptions * 1_000) / rate),
	);
	const [from, ready, out] = ["from", "ready", "out"].map((name) =>
		join(folder, name),
	);
	rmSync(ready, { force: true });
	const lines = Array.from(
		{ length: subscriptions },
		(_, n) => `clock.tick -a label=s${n} -a periodMs=${periodMs}\n`,
	);
	writeFileSync(from, lines.join(""));
	const { before, after, close } = await openWay(way);
	const stdout = openSync(out, "w");
	const words = ["tail", ...before, "--from", from, "--ready-file", ready];
	const startedAt = performance.now();
	const child = spawn(
		process.execPath,
		[BINARY, ...words, "-o", "events", "--quiet", ...after],
		{ stdio: ["ignore", stdout, "inherit"] },
	);
	const ended = new Promise((resolve) => child.once("close", resolve));
	const isReady = () => readdirSync(folder).includes("ready");
	while (!isReady() && child.exitCode === null) await sleep(50);
	const readyMs = Math.round(performance.now() - startedAt);
	const { cpuMs: readyCpuMs } = look(child.pid);
	await sleep(WARM_UP_MS);
	const count = () => readFileSync(out, "utf8").split("\n").length;
	const [first, firstCount] = [look(child.pid), count()];
	await sleep(Number(values.seconds) * 1_000);
	const [second, secondCount] = [look(child.pid), count()];
	child.kill("SIGINT");
	await ended;
	closeSync(stdout);
	close();
	const { events, wrong, labels } = check(readFileSync(out, "utf8"));
	if (wrong > 0 || labels !== subscriptions) process.exitCode = 1;
	const measured = secondCount - firstCount;
	const { sockets, peakMib } = second;
	return {
		...{ subscriptions, readyMs, readyCpuMs, sockets, peakMib, events, wrong },
		perSecond: Math.round(measured / Number(values.seconds)),
		cpuMicrosPerEvent: Math.round(
			((second.cpuMs - first.cpuMs) * 1_000) / measured,
		),
	};
}

for (const way of values.way) {
	const rows = [];
	for (const size of SIZES) rows.push(await measure(way, size));
	console.log(way);
	console.table(rows);
}
process.exit();
