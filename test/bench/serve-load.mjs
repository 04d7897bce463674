// How much the built `serve` carries: many push streams and many webhook subscriptions, each to get every event, then
// faster until it no longer keeps up. Whoever reads and receives is a process of its own. Run by hand:
//   npm run bench:serve -- [--streams N] [--stream-rate N] [--subscriptions N] [--webhook-rate N] [--seconds N] [--once]
// A line of JSON for each step. Status 1 where an event did not arrive at the rate that was asked for.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { BINARY, usageOf } from "./harness.mjs";

const HERE = import.meta.dirname;
const PROGRAMS = join(HERE, "../fixtures/programs");
const TLS = join(HERE, "../fixtures/tls");
const CA = readFileSync(join(TLS, "ca.pem"));
const NAME = "load.event";
const TOKEN = "bench-token";
const VERSION = "2026-07-28";
const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
/** A step is too fast when its p99 is beyond this. */
const LATEST_P99_MS = 1_000;
/** How long what is still on its way is waited for, since the last that came. */
const PATIENCE_MS = 10_000;
const FASTER = 1.5;
const COLD_S = 3;

const { values } = parseArgs({
	options: {
		streams: { type: "string", default: "1000" },
		"stream-rate": { type: "string", default: "20" },
		subscriptions: { type: "string", default: "1000" },
		"webhook-rate": { type: "string", default: "1" },
		seconds: { type: "string", default: "15" },
		once: { type: "boolean", default: false },
	},
});

/** Starts a program of Node, and resolves with the first line of stdout or stderr that fits. */
async function start(words, from, pattern) {
	const child = spawn(process.execPath, words, {
		stdio: ["pipe", "pipe", "pipe"],
		env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined },
	});
	process.once("exit", () => child.kill());
	const other = from === "stdout" ? child.stderr : child.stdout;
	other.pipe(process.stderr, { end: false });
	for await (const line of createInterface({ input: child[from] })) {
		const found = pattern.exec(line);
		if (found === null) continue;
		child[from].pipe(process.stderr, { end: false });
		return { child, found };
	}
	throw new Error(`${words.join(" ")} did not start`);
}

const PORT_LINE = /^(\d+)(?: (\d+))?$/;

async function startServer(flags) {
	const source = ["serve", "stdin", "--event-name", NAME];
	const fields = ["--timestamp-field", "at"];
	const access = ["--token", `bench=${TOKEN}`, "--rate-limit", "off"];
	const words = [BINARY, ...source, ...fields, ...access, ...flags];
	const { child, found } = await start(words, "stderr", / at (http\S+)$/);
	return { child, url: found[1] };
}

/** Writes events evenly for so many seconds; resolves with their number. */
async function emit({ child }, rate, seconds) {
	const startedAt = performance.now();
	const total = Math.round(rate * seconds);
	for (let sent = 0; sent < total; ) {
		const elapsed = (performance.now() - startedAt) / 1_000;
		const due = Math.min(total, Math.floor(elapsed * rate) + 1);
		for (; sent < due; sent++)
			child.stdin.write(`{"n":${sent},"at":"${new Date().toISOString()}"}\n`);
		await sleep(Math.max(1, (sent / rate - elapsed) * 1_000));
	}
	return total;
}

/** Asks the far side, at an http or https origin. */
async function ask(origin, path = "/") {
	const { get } = origin.startsWith("https:") ? https : http;
	const call = get(`${origin}${path}`, { ca: CA });
	const [response] = await once(call, "response");
	return json(response);
}

/** Resolves when all have arrived, or nothing more does. */
async function settle(origin, wanted) {
	let [count, changedAt] = [0, performance.now()];
	while (performance.now() - changedAt < PATIENCE_MS) {
		const now = await ask(origin, "/count");
		if (now >= wanted) return;
		if (now !== count) [count, changedAt] = [now, performance.now()];
		await sleep(100);
	}
}

/** One rate, held for a while; tells what came of it. */
async function step(mode, { server, origin, targets, rate, seconds }) {
	const before = usageOf(server.child);
	const events = await emit(server, rate, seconds);
	const wanted = events * targets;
	await settle(origin, wanted);
	const told = await ask(origin);
	const after = usageOf(server.child);
	const cpu = (after.cpuSeconds - before.cpuSeconds) / seconds;
	const { leastEvents, p50, p99 } = told;
	const result = {
		mode,
		targets,
		rate,
		seconds,
		wanted,
		lost: wanted - told.deliveries,
		leastEvents,
		p50Ms: p50,
		p99Ms: p99,
		rssMiB: after.rssMiB,
		peakMiB: after.peakMiB,
		cpuShare: Math.round(cpu * 100) / 100,
	};
	console.log(JSON.stringify(result));
	return result;
}

/** The rate that was asked for, which must be carried; then faster and faster, until it is not. */
async function climb(mode, around) {
	const seconds = Number(values.seconds);
	// Connections are made and the code is compiled: a server that has just started is told apart.
	const { lost } = await step(`${mode}, cold`, { ...around, seconds: COLD_S });
	if (lost !== 0) process.exitCode = 1;
	const first = await step(mode, { ...around, seconds });
	if (first.lost !== 0) process.exitCode = 1;
	let { rate } = around;
	let last = first;
	while (!values.once && last.lost === 0 && last.p99Ms < LATEST_P99_MS) {
		rate = Math.ceil(rate * FASTER);
		last = await step(mode, { ...around, rate, seconds: Math.min(seconds, 8) });
	}
}

async function measureStreams(count) {
	const server = await startServer([
		...["--max-streams", String(count), "--max-connections", "8192"],
	]);
	const program = join(PROGRAMS, "time-streams.mjs");
	const words = [program, server.url, TOKEN, NAME, String(count)];
	const reader = await start(words, "stdout", PORT_LINE);
	const [, port, openedMs] = reader.found;
	const { rssMiB } = usageOf(server.child);
	const opened = { mode: "push", opened: count, ms: Number(openedMs), rssMiB };
	console.log(JSON.stringify(opened));
	const origin = `http://127.0.0.1:${port}`;
	const rate = Number(values["stream-rate"]);
	await climb("push", { server, origin, targets: count, rate });
	for (const { child } of [reader, server]) child.kill();
}

async function subscribe(url, callback) {
	const method = "events/subscribe";
	const response = await fetch(url, {
		method: "POST",
		headers: {
			authorization: `Bearer ${TOKEN}`,
			"content-type": "application/json",
			accept: "application/json, text/event-stream",
			"mcp-method": method,
			"mcp-name": NAME,
			"mcp-protocol-version": VERSION,
		},
		body: JSON.stringify({
			jsonrpc: "2.0",
			id: 1,
			method,
			params: {
				name: NAME,
				arguments: {},
				delivery: { mode: "webhook", url: callback, secret: SECRET },
				_meta: {
					"io.modelcontextprotocol/protocolVersion": VERSION,
					"io.modelcontextprotocol/clientCapabilities": {},
				},
			},
		}),
	});
	const { error } = await response.json();
	if (error) throw new Error(`events/subscribe: ${JSON.stringify(error)}`);
}

async function measureWebhooks(count) {
	const [cert, key] = ["localhost.pem", "localhost.key"];
	const program = join(PROGRAMS, "time-deliveries.mjs");
	const words = [program, join(TLS, cert), join(TLS, key)];
	const receiver = await start(words, "stdout", PORT_LINE);
	const callbacks = `https://127.0.0.1:${receiver.found[1]}`;
	const server = await startServer([
		...["--allow-private-callbacks", "127.0.0.0/8"],
		...["--callback-ca", join(TLS, "ca.pem")],
		// Consent is not what is measured.
		...["--allow-callback", callbacks, "--max-subscriptions", String(count)],
	]);
	const startedAt = performance.now();
	for (let at = 0; at < count; at++)
		await subscribe(server.url, `${callbacks}/hook/${at}`);
	const ms = Math.round(performance.now() - startedAt);
	const { rssMiB } = usageOf(server.child);
	console.log(JSON.stringify({ mode: "webhook", opened: count, ms, rssMiB }));
	const rate = Number(values["webhook-rate"]);
	const origin = callbacks;
	await climb("webhook", { server, origin, targets: count, rate });
	for (const { child } of [receiver, server]) child.kill();
}

const streams = Number(values.streams);
const subscriptions = Number(values.subscriptions);
if (streams > 0) await measureStreams(streams);
if (subscriptions > 0) await measureWebhooks(subscriptions);
process.exit();
