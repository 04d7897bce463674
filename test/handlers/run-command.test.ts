import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CommandToRun, runCommand } from "../../src/handlers/index.ts";

const run = (script: string, task: Partial<CommandToRun> = {}) =>
	runCommand({
		command: process.execPath,
		args: ["-e", script],
		line: Buffer.from('{"eventId":"evt_1"}'),
		timeoutMs: 10_000,
		env: { PATH: process.env.PATH },
		cwd: tmpdir(),
		now: () => performance.now(),
		...task,
	});

describe("a command that is run for an event", () => {
	it("finds the event on stdin as one line", async () => {
		const done = await run("process.stdin.pipe(process.stdout)");
		expect(done).toMatchObject({
			status: 0,
			signal: null,
			isTimedOut: false,
			stdoutStart: '{"eventId":"evt_1"}\n',
		});
	});

	it("gives back its status and the beginning of its stderr", async () => {
		const done = await run(
			"process.stderr.write('e'.repeat(100_000), () => process.exit(3))",
		);
		expect(done.status).toBe(3);
		expect(done.stderrStart).toBe("e".repeat(4_096));
	});

	it("is started without a shell", async () => {
		const script = "console.log(process.argv[1])";
		const done = await run(script, {
			args: ["-e", script, "$(id); `id` | cat"],
		});
		expect(done.stdoutStart).toBe("$(id); `id` | cat\n");
	});

	it("need not read its stdin", async () => {
		const line = Buffer.alloc(4_000_000, "x");
		expect((await run("process.exit(0)", { line })).status).toBe(0);
	});

	it("that cannot be started is named", async () => {
		const started = run("", { command: "/nowhere/handler", args: ["a b"] });
		await expect(started).rejects.toMatchObject({
			code: "child-not-started",
			why: expect.stringContaining("/nowhere/handler 'a b'"),
		});
	});
});

describe.skipIf(process.platform === "win32")("a command that hangs", () => {
	const place = () => {
		const folder = mkdtempSync(join(tmpdir(), "mcp-events-exec-"));
		onTestFinished(() => rmSync(folder, { recursive: true }));
		return join(folder, "pid");
	};
	const GRANDCHILD = (path: string) => `
		const { spawn } = require("node:child_process");
		process.on("SIGTERM", () => {});
		const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: "inherit" });
		require("node:fs").writeFileSync(${JSON.stringify(path)}, String(child.pid));
		setInterval(() => {}, 1000);`;

	it("is ended after its time, with all that it started", async () => {
		const path = place();
		// Time enough for both of them to start.
		const done = await run(GRANDCHILD(path), { timeoutMs: 2_000 });
		expect(done).toMatchObject({ status: null, isTimedOut: true });
		expect(existsSync(path)).toBe(true);
		const pid = Number(readFileSync(path, "utf8"));
		await expect.poll(() => isRunning(pid)).toBe(false);
	});

	it("is ended at once by the signal", async () => {
		const stop = new AbortController();
		stop.abort();
		const done = await run("setInterval(() => {}, 1000)", {
			signal: stop.signal,
		});
		expect(done).toMatchObject({ isTimedOut: false, signal: "SIGTERM" });
	});
});

/** A process that has ended, but that nobody has asked for its status yet, runs no more. */
function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		return !/\) Z /.test(stat);
	} catch {
		return false;
	}
}
