// Runs a user's command for one event: the event on its stdin, no shell, a time limit, and nothing left behind.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Readable } from "node:stream";
import {
	type ChildProgram,
	signalGroup,
	startGroup,
} from "../children/index.ts";
import { Fault, shellWord } from "../faults/index.ts";

export interface CommandToRun extends ChildProgram {
	/** What stdin holds; a line feed is added. */
	line: Buffer;
	timeoutMs: number;
	/** Ends the command as the time limit does. */
	signal?: AbortSignal;
	now: () => number;
}

export interface CommandRun {
	/** null where a signal ended it. */
	status: number | null;
	signal: NodeJS.Signals | null;
	isTimedOut: boolean;
	latencyMs: number;
	stdoutStart: string;
	stderrStart: string;
}

const OUTPUT_START_BYTES = 4_096;
const POLITE_MS = 1_000;
/** How long what the command started may hold its output open after its end. */
const LINGER_MS = 500;

/** Runs to the end and says how it went. Throws `child-not-started`, naming the command. */
export async function runCommand(task: CommandToRun): Promise<CommandRun> {
	const startedAt = task.now();
	const child = await start(task);
	const stdout = collectStart(child.stdout);
	const stderr = collectStart(child.stderr);
	let isTimedOut = false;
	let firm: NodeJS.Timeout | undefined;
	const end = () => {
		if (firm) return;
		signalGroup(child, "SIGTERM");
		firm = setTimeout(() => signalGroup(child, "SIGKILL"), POLITE_MS);
	};
	const timer = setTimeout(() => {
		isTimedOut = true;
		end();
	}, task.timeoutMs);
	task.signal?.addEventListener("abort", end);
	if (task.signal?.aborted) end();
	try {
		const closed = new Promise<void>((resolve) => child.once("close", resolve));
		const exited = new Promise<void>((resolve) => child.once("exit", resolve));
		// A command need not read what it is given.
		child.stdin.on("error", () => {});
		child.stdin.end(Buffer.concat([task.line, Buffer.from("\n")]));
		await exited;
		const latencyMs = task.now() - startedAt;
		await settledWithin(closed, LINGER_MS);
		// What a command that was cut off left in its group is cut off too.
		if (firm) signalGroup(child, "SIGKILL");
		return {
			status: child.exitCode,
			signal: child.signalCode,
			isTimedOut,
			latencyMs,
			stdoutStart: stdout(),
			stderrStart: stderr(),
		};
	} finally {
		clearTimeout(timer);
		clearTimeout(firm);
		task.signal?.removeEventListener("abort", end);
		for (const stream of [child.stdin, child.stdout, child.stderr])
			stream.destroy();
	}
}

async function start(
	task: CommandToRun,
): Promise<ChildProcessWithoutNullStreams> {
	try {
		return await startGroup(task);
	} catch (cause) {
		const line = [task.command, ...task.args].map(shellWord).join(" ");
		throw new Fault("child-not-started", {
			what: `the command could not be started: ${task.command}`,
			why: `starting ${line}: ${cause instanceof Error ? cause.message : String(cause)}`,
			next: `check the command by hand: ${line}`,
			cause,
		});
	}
}

/** Reads all, so that the command is never held up, and keeps the beginning. */
function collectStart(stream: Readable): () => string {
	const chunks: Buffer[] = [];
	let length = 0;
	stream.on("data", (chunk: Buffer) => {
		if (length < OUTPUT_START_BYTES) chunks.push(chunk);
		length += chunk.length;
	});
	return () =>
		Buffer.concat(chunks).subarray(0, OUTPUT_START_BYTES).toString("utf8");
}

async function settledWithin(done: Promise<void>, ms: number): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	await Promise.race([done, late]);
	clearTimeout(timer);
}
