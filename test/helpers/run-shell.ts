// Runs the built binary inside a line of bash, for what only a shell can join: pipes to other programs, files.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { BINARY, pinnedEnvironment } from "./run-cli.ts";
import { openTextCollector, type TextCollector } from "./text-collector.ts";

/** A script under way. */
export interface ShellProcess {
	readonly pid: number;
	/** For the caller to read, at a pace of its own. */
	readonly stdout: Readable;
	readonly stderr: TextCollector;
	/** What the script ended with; undefined where it was killed. */
	readonly status: Promise<number | undefined>;
	/** Kills whatever is left of it. */
	close(): void;
}

export interface ShellRun {
	status: number | undefined;
	stdout: string;
	stderr: string;
}

/** Whether a program is there; a test that needs it is skipped by name where it is not. */
export function hasProgram(name: string): boolean {
	return spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;
}

/**
 * Starts a script of bash in which `"$@"` stands for the binary with these arguments, in the pinned environment and an
 * empty home. The caller closes it.
 */
export function startShell(script: string, args: string[]): ShellProcess {
	const home = mkdtempSync(join(tmpdir(), "mcp-events-shell-"));
	const words = [process.execPath, BINARY, ...args];
	const shell = spawn("bash", ["-c", script, "bash", ...words], {
		cwd: home,
		env: pinnedEnvironment(home),
		stdio: ["ignore", "pipe", "pipe"],
		detached: true,
	});
	const status = new Promise<number | undefined>((resolve, reject) => {
		shell.on("error", reject);
		shell.on("close", (code) => {
			rmSync(home, { recursive: true, force: true });
			resolve(code ?? undefined);
		});
	});
	status.catch(() => {});
	return {
		pid: pidOf(shell),
		stdout: shell.stdout,
		stderr: openTextCollector(shell.stderr),
		status,
		close: () => killGroup(shell),
	};
}

/** Runs such a script to its end; it is killed after the deadline. */
export async function runShell(
	script: string,
	args: string[],
	deadlineMs = 120_000,
): Promise<ShellRun> {
	const shell = startShell(script, args);
	const stdout = openTextCollector(shell.stdout);
	const timer = setTimeout(() => shell.close(), deadlineMs);
	const status = await shell.status;
	clearTimeout(timer);
	return { status, stdout: stdout.text, stderr: shell.stderr.text };
}

function pidOf({ pid }: ChildProcess): number {
	if (pid === undefined) throw new Error("bash could not be started");
	return pid;
}

/** The shell leads a group of its own, in which all that it starts stays. */
function killGroup(shell: ChildProcess): void {
	try {
		process.kill(-pidOf(shell), "SIGKILL");
	} catch {
		// Nobody is left.
	}
}
