// How a run ends: by its count, its time, its reader, a signal or the server, and what it says then.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ReferenceServer } from "../../src/reference/index.ts";
import { type FloodServer, openFlood } from "../fixtures/servers/flood-http.ts";
import { openDemo } from "../helpers/open-demo.ts";
import {
	BINARY,
	pinnedEnvironment,
	runCli,
	startCli,
} from "../helpers/run-cli.ts";
import { openTextCollector } from "../helpers/text-collector.ts";

let server: ReferenceServer;
/** It has a full hour to its next hourly tick, whatever the time is here. */
let quiet: ReferenceServer;
beforeAll(async () => {
	const startedAtMs = Date.now();
	server = await openDemo();
	quiet = await openDemo(
		() => Date.parse("2026-01-01T12:00:00Z") + Date.now() - startedAtMs,
	);
});
afterAll(async () => {
	await server.close();
	await quiet.close();
});

const TICK = ["clock.tick", "-a", "periodMs=20"];
const SLOW_TICK = ["clock.tick", "-a", "periodMs=3600000"];
const SERVE = [process.execPath, BINARY, "serve", "--stdio"];

/** A zombie is dead: it only waits for somebody to ask how it ended. */
function isAlive(pid: number): boolean {
	try {
		return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		return false;
	}
}

describe.concurrent("a run ends", () => {
	it.each(["poll", "stream", "tail"])(
		"%s: with status 0 when the count is reached",
		async (command) => {
			const run = await runCli([command, server.url, ...TICK, "-n", "3"]);
			expect(run.status).toBe(0);
			expect(run.lines).toHaveLength(3);
		},
	);

	it("with status 0 when --for is over and no count was asked", async () => {
		const run = await runCli([
			"stream",
			quiet.url,
			...SLOW_TICK,
			"--for",
			"3s",
		]);
		expect(run.status).toBe(0);
	});

	it("with status 6 when --for is over before the count", async () => {
		const run = await runCli([
			"stream",
			quiet.url,
			...SLOW_TICK,
			"-n",
			"1",
			"--for",
			"3s",
		]);
		expect(run.status).toBe(6);
		expect(run.stderr).toContain("0 of 1 events came within 3s");
	});

	it.each([
		["3, where no count was asked", [], 3],
		["6, with a count", ["-n", "1"], 6],
	])(
		"when --for is over while a server says nothing at all: status %s",
		async (_name, words, status) => {
			const silent = createServer().listen(0, "127.0.0.1");
			await once(silent, "listening");
			const { port } = silent.address() as AddressInfo;
			const url = `http://127.0.0.1:${port}/mcp`;
			const run = await runCli(["tail", url, "x", "--for", "100ms", ...words]);
			silent.close();
			expect(run.status).toBe(status);
			expect(run.stderr).toContain("events could not flow within 100ms");
		},
	);

	it("under --output records with its fault as a record", async () => {
		const words = [
			"stream",
			quiet.url,
			...SLOW_TICK,
			"-n",
			"1",
			"--for",
			"3s",
			"-o",
			"records",
		];
		const run = await runCli(words);
		expect(run.status).toBe(6);
		const last = JSON.parse(run.lines.at(-1) ?? "");
		expect(last).toMatchObject({
			kind: "error",
			code: "count-not-reached",
			exitStatus: 6,
		});
		expect(run.stderr).not.toContain("count");
	});

	it.each([
		["SIGINT", 130],
		["SIGTERM", 143],
		["SIGHUP", 129],
	] as const)(
		"by %s with status %i, and says the last cursor",
		async (signal, status) => {
			const run = startCli(["stream", server.url, ...TICK]);
			await run.stdout.until(/\n.*\n/);
			run.kill(signal);
			const { lines, stderr, status: ended } = await run.done;
			expect(ended).toBe(status);
			const { cursor } = JSON.parse(lines.at(-1) ?? "");
			expect(stderr).toContain(`--cursor '${cursor}'`);
		},
	);

	it("so that the cursor it said goes on with the next event", async () => {
		const first = await runCli(["stream", server.url, ...TICK, "-n", "2"]);
		const cursor = /--cursor '([^']+)'/.exec(first.stderr)?.[1] ?? "";
		const next = await runCli([
			"stream",
			server.url,
			...TICK,
			"-n",
			"1",
			"--cursor",
			cursor,
		]);
		const tick = (line: string | undefined) => JSON.parse(line ?? "").data.tick;
		expect(tick(next.lines[0])).toBe(tick(first.lines[1]) + 1);
	});

	it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
		"by %s with the server command gone too",
		async (signal) => {
			const run = startCli([
				"stream",
				...TICK,
				"--",
				"sh",
				"-c",
				`echo pid $$ >&2; ${SERVE.join(" ")}`,
			]);
			await run.stdout.until(/\n/);
			const pid = Number((await run.stderr.until(/pid (\d+)/))[1]);
			expect(isAlive(pid)).toBe(true);
			run.kill(signal);
			await run.done;
			expect(isAlive(pid)).toBe(false);
		},
	);

	it("at once by a second signal, whatever the server does", async () => {
		// It answers nothing and ignores everything: the first signal waits for its polite end.
		const deaf =
			"process.on('SIGTERM',()=>{});console.error('pid',process.pid);setInterval(()=>{},1e6)";
		const run = startCli(["list", "--", process.execPath, "-e", deaf]);
		const [, pid] = await run.stderr.until(/pid (\d+)/);
		const stoppedAt = performance.now();
		// Two of one kind could arrive as one.
		run.kill("SIGINT");
		run.kill("SIGTERM");
		const { status } = await run.done;
		expect([130, 143]).toContain(status);
		// The polite end takes two seconds for each of its two waits.
		expect(performance.now() - stoppedAt).toBeLessThan(4_000);
		const isGone = () => !isAlive(Number(pid));
		await vi.waitUntil(isGone, { timeout: 10_000 });
	});
});

describe.concurrent("the reader", () => {
	it("may stand still: a stop says what it waits for, and a second one ends at once", async ({
		onTestFinished,
	}) => {
		const flood = await openFlood();
		onTestFinished(() => flood.close());
		const words = ["stream", flood.url, "flood.drop", "-a", "events=1000000"];
		const run = spawn(process.execPath, [BINARY, ...words, "--cursor", "0"], {
			env: pinnedEnvironment(tmpdir()),
			stdio: ["ignore", "pipe", "pipe"],
		});
		const stderr = openTextCollector(run.stderr);
		await once(run.stdout, "readable");
		await standsStill(flood);
		run.kill("SIGINT");
		await stderr.until(/waiting for the reader of stdout/);
		run.kill("SIGTERM");
		const [status] = await once(run, "exit");
		// Of the second one: the end that the first one has asked for has its status.
		expect(status).toBe(143);
	});

	it.each(["events", "records", "pretty", "cloudevents"])(
		"may take one line and go: status 0, nothing said (%s)",
		async (form) => {
			const words = [
				BINARY,
				"stream",
				server.url,
				...TICK,
				"-o",
				form,
				"--quiet",
			];
			const run = spawn(process.execPath, words, {
				env: pinnedEnvironment(tmpdir()),
				stdio: ["ignore", "pipe", "pipe"],
			});
			let stderr = "";
			run.stderr.on("data", (chunk) => {
				stderr += chunk;
			});
			await once(run.stdout, "data");
			run.stdout.destroy();
			const [status] = await once(run, "close");
			expect([status, stderr]).toEqual([0, ""]);
		},
	);

	it("may leave the help unread too", async () => {
		const run = spawn(process.execPath, [BINARY, "tail", "--help"], {
			stdio: ["ignore", "pipe", "pipe"],
		});
		run.stdout.destroy();
		const [status] = await once(run, "close");
		expect(status).toBe(0);
	});

	it("of the help may be a full disk", async () => {
		const words = `exec "$@" >/dev/full`;
		const run = spawn(
			"sh",
			["-c", words, "sh", process.execPath, BINARY, "tail", "--help"],
			{
				stdio: ["ignore", "ignore", "pipe"],
			},
		);
		let stderr = "";
		run.stderr.on("data", (chunk) => {
			stderr += chunk;
		});
		await once(run, "close");
		expect(stderr).not.toMatch(/^ +at /m);
	});

	it("that cannot take more (a full disk) ends it with status 3", async () => {
		const run = spawn(
			"sh",
			[
				"-c",
				`exec "$@" >/dev/full`,
				"sh",
				process.execPath,
				BINARY,
				"stream",
				server.url,
				...TICK,
			],
			{
				env: pinnedEnvironment(tmpdir()),
				stdio: ["ignore", "ignore", "pipe"],
			},
		);
		let stderr = "";
		run.stderr.on("data", (chunk) => {
			stderr += chunk;
		});
		const [status] = await once(run, "close");
		expect(status).toBe(3);
		expect(stderr).toContain("ENOSPC");
	});
});

describe.concurrent("the ready file", () => {
	it("says where, who and what once events can flow", async () => {
		const path = join(tmpdir(), `mcp-events-ready-${process.pid}.json`);
		const run = startCli([
			"tail",
			server.url,
			...TICK,
			"dice.rolled",
			"-a",
			"sides=6",
			"--ready-file",
			path,
		]);
		await run.stderr.until(/ready.*ready/s);
		run.kill("SIGTERM");
		await run.done;
		expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
			url: server.url,
			pid: run.child.pid,
			subscriptions: [
				{
					subscription: 'clock.tick {"periodMs":20}',
					event: "clock.tick",
					arguments: { periodMs: 20 },
					via: "push",
				},
				{
					subscription: 'dice.rolled {"sides":6}',
					event: "dice.rolled",
					arguments: { sides: 6 },
					via: "push",
				},
			],
		});
	});

	it("that cannot be written ends it with status 3", async () => {
		const run = await runCli([
			"stream",
			server.url,
			...TICK,
			"--ready-file",
			"/no/such/folder/ready",
		]);
		expect(run.status).toBe(3);
		expect(run.stderr).toContain("/no/such/folder/ready");
	});
});

/** All pipes are full: nothing more is taken from the server. */
async function standsStill({ sentBytes }: FloodServer): Promise<void> {
	for (let before = -1; before < sentBytes(); ) {
		before = sentBytes();
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
}
