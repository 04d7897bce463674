// A thousand subscriptions in one process, or fewer in CI, over HTTP/2, HTTP/1.1 and stdio: how many sockets, how much memory, and whether
// each event that the server made came, once. Ticks are counted from 1970, so what the server made is known by reckoning.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
	mkdtempSync,
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
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { amount } from "../helpers/amount.ts";
import { BINARY, pinnedEnvironment } from "../helpers/run-cli.ts";

const MANY = amount(1_000, 250);
const TICKS_EACH = 8;
const DEADLINE_MS = 240_000;
/** There are two waits. */
const WAIT_MS = 110_000;
const TLS = join(import.meta.dirname, "../fixtures/tls");
const CERTIFICATE = [
	"--tls-cert",
	join(TLS, "localhost.pem"),
	"--tls-key",
	join(TLS, "localhost.key"),
];
const LIMITS = ["--max-streams", "3000", "--rate-limit", "off"];

const figures: Record<string, unknown>[] = [];
afterAll(() => {
	console.table(figures);
});

function openFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "many-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** A line of --from for each; every other one as JSON. */
function writeSubscriptions(folder: string): string {
	const path = join(folder, "subscriptions");
	const lines = Array.from({ length: MANY }, (_, n) =>
		n % 2 === 0
			? `clock.tick -a label=s${n}`
			: JSON.stringify({ event: "clock.tick", arguments: { label: `s${n}` } }),
	);
	writeFileSync(path, `# ${MANY} of them\n${lines.join("\n")}\n`);
	return path;
}

async function startServer(flags: string[]): Promise<string> {
	const child = spawn(
		process.execPath,
		[BINARY, "serve", ...flags, ...LIMITS],
		{
			stdio: ["ignore", "ignore", "pipe"],
		},
	);
	onTestFinished(() => void child.kill());
	for await (const text of child.stderr) {
		const [, url] = / at (http\S+)/.exec(String(text)) ?? [];
		if (url) return url.replace("127.0.0.1", "localhost");
	}
	throw new Error("the server did not start");
}

/** Of a process that runs; only Linux tells. */
function lookAt({ pid }: ChildProcess) {
	const links = readdirSync(`/proc/${pid}/fd`).map((fd) => {
		try {
			return readlinkSync(`/proc/${pid}/fd/${fd}`);
		} catch {
			return "";
		}
	});
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	const [, peakKib] = /VmHWM:\s+(\d+)/.exec(status) ?? [];
	return {
		sockets: links.filter((link) => link.startsWith("socket:")).length,
		peakMib: Math.round(Number(peakKib) / 1024),
	};
}

interface Line {
	kind: string;
	subscription: string;
	first?: boolean;
	cursor?: string;
	event?: { data: { tick: number; label: string }; eventId: string };
}

/** A tail whose records are counted as they come. */
function startTail(words: string[], folder: string) {
	const child = spawn(process.execPath, [BINARY, ...words], {
		env: pinnedEnvironment(folder),
		stdio: ["ignore", "pipe", "pipe"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const lines: Line[] = [];
	const counts: Record<string, number> = {};
	const errors: string[] = [];
	child.stderr.on("data", (text) => errors.push(String(text)));
	createInterface({ input: child.stdout }).on("line", (text) => {
		const line: Line = JSON.parse(text);
		lines.push(line);
		counts[line.kind] = (counts[line.kind] ?? 0) + 1;
	});
	const ended = once(child, "close");
	/** Looks from time to time; throws, with what has come, where it ends before or takes too long. */
	const until = async (isMet: () => boolean) => {
		const lastLookAt = performance.now() + WAIT_MS;
		while (!isMet()) {
			const isOver = child.exitCode !== null || child.signalCode !== null;
			if (isOver || performance.now() > lastLookAt)
				throw new Error(`${JSON.stringify(counts)} ${errors.join("")}`);
			await sleep(100);
		}
	};
	return { child, lines, counts, ended, until, errors };
}

/** The ticks that a subscription showed, and those that the server made between its beginning and its end. */
function ticksOf(lines: readonly Line[]) {
	const shown = lines.flatMap(({ event }) => (event ? [event.data.tick] : []));
	const tickOf = (kind: string) => {
		const { cursor } = lines.find((line) => line.kind === kind) ?? {};
		return Number(cursor?.split(".").at(-1));
	};
	const [from, to] = [tickOf("ready"), tickOf("stopped")];
	const made = Array.from({ length: to - from }, (_, at) => from + 1 + at);
	return { shown, made };
}

function bySubscription(lines: readonly Line[]): Map<string, Line[]> {
	const all = new Map<string, Line[]>();
	for (const line of lines) {
		const own = all.get(line.subscription) ?? [];
		all.set(line.subscription, own);
		own.push(line);
	}
	return all;
}

interface Way {
	/** What of the command names the server. */
	server: (folder: string) => Promise<{ before: string[]; after: string[] }>;
	more: string[];
	sockets: [least: number, most: number];
}

const over = (flags: string[]) => async () => ({
	before: [await startServer(flags), "--ca", join(TLS, "ca.pem")],
	after: [],
});

const WAYS: [name: string, way: Way][] = [
	[
		"push over HTTP/2",
		{ server: over(CERTIFICATE), more: [], sockets: [4, 6] },
	],
	[
		"push over HTTP/1.1",
		{ server: over([]), more: [], sockets: [MANY, MANY + 5] },
	],
	[
		"push over stdio",
		{
			server: async () => ({
				before: [],
				after: [
					"--",
					process.execPath,
					BINARY,
					"serve",
					"--stdio",
					"--max-streams",
					"3000",
				],
			}),
			more: [],
			// The child's three pipes, which Node makes of sockets.
			sockets: [0, 6],
		},
	],
	[
		"poll over HTTP/1.1",
		{ server: over([]), more: ["--via", "poll"], sockets: [1, 110] },
	],
];

describe(`${MANY} subscriptions`, () => {
	it.each(WAYS)(
		"%s bring every event once, with few sockets",
		{
			timeout: DEADLINE_MS,
		},
		async (name, { server, more, sockets }) => {
			const folder = openFolder();
			const { before, after } = await server(folder);
			const from = writeSubscriptions(folder);
			const words = [
				"tail",
				...before,
				"--from",
				from,
				...more,
				"-o",
				"records",
			];
			const startedAt = performance.now();
			const run = startTail([...words, ...after], folder);
			const { child, counts } = run;
			await run.until(() => (counts.ready ?? 0) >= MANY);
			const readyMs = performance.now() - startedAt;
			const least = MANY * TICKS_EACH;
			let most = 0;
			await run.until(() => {
				most = Math.max(most, lookAt(child).sockets);
				return (counts.event ?? 0) >= least;
			});
			const { peakMib } = lookAt(child);
			const stoppedAt = performance.now();
			child.kill("SIGINT");
			const [status] = await run.ended;
			const stopMs = performance.now() - stoppedAt;
			expect(status).toBe(130);
			expect(run.errors.join("")).not.toMatch(/warning|missing/i);
			const all = bySubscription(run.lines);
			expect(all.size).toBe(MANY);
			let events = 0;
			for (const [label, own] of all) {
				const { shown, made } = ticksOf(own);
				expect(shown, label).toEqual(made);
				events += shown.length;
			}
			figures.push({
				...{
					way: name,
					subscriptions: all.size,
					events,
					sockets: most,
					peakMib,
				},
				...{ readyMs: Math.round(readyMs), stopMs: Math.round(stopMs) },
			});
			expect(events).toBeGreaterThanOrEqual(least);
			expect(most).toBeGreaterThanOrEqual(sockets[0]);
			expect(most).toBeLessThanOrEqual(sockets[1]);
			expect(peakMib).toBeLessThan(350);
			expect(stopMs).toBeLessThan(5_000);
		},
	);
});
