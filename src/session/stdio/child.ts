// The server as a child process: ended politely and then firmly, with all that it
// started itself.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import {
	type ChildProgram,
	signalGroup,
	startGroup,
} from "../../children/index.ts";
import { Fault, shellWord } from "../../faults/index.ts";

/** How to start a server. */
export type StdioTarget = ChildProgram;

const POLITE_MS = 2_000;
const FIRM_MS = 2_000;
const LAST_MS = 500;
const LOOK_AGAIN_MS = 25;

/**
 * The command as one would type it, for messages: up to its first flag or assignment, since a secret may stand from
 * there on.
 */
export function commandLine({ command, args }: StdioTarget): string {
	const at = args.findIndex((arg) => /^-|=/.test(arg));
	const shown = at === -1 ? args : args.slice(0, at);
	const words = [command, ...shown].map(shellWord);
	return [...words, ...(at === -1 ? [] : ["…"])].join(" ");
}

/** Starts the command. Throws `child-not-started`, naming it. */
export async function startChild(
	target: StdioTarget,
): Promise<ChildProcessWithoutNullStreams> {
	try {
		return await startGroup(target);
	} catch (cause) {
		throw notStarted(target, cause);
	}
}

function notStarted(target: StdioTarget, cause: unknown): Fault {
	const code =
		cause instanceof Error && "code" in cause ? cause.code : undefined;
	const where = target.cwd === undefined ? "" : ` in ${target.cwd}`;
	const reason =
		code === "ENOENT"
			? `no such program${target.cwd === undefined ? " on PATH" : ", or no such folder"} (ENOENT)`
			: code === "EACCES"
				? "the file may not be executed (EACCES)"
				: cause instanceof Error
					? cause.message
					: String(cause);
	return new Fault("child-not-started", {
		what: `the server command could not be started: ${target.command}`,
		why: `starting ${commandLine(target)}${where}: ${reason}`,
		next: `check the command by hand: ${commandLine(target)}`,
		cause,
	});
}

/**
 * Ends the child: closes its stdin, waits, SIGTERM, waits, SIGKILL, each to the whole group. Returns once the child
 * and its group are gone, in less than 5 s, and leaves no handle behind. Never throws.
 */
export async function endChild(
	child: ChildProcessWithoutNullStreams,
): Promise<void> {
	// A child that is stuck in a write never looks at its stdin: what it still says is read and dropped.
	child.stdout
		.removeAllListeners("data")
		.on("data", () => {})
		.resume();
	child.stdin.end();
	if (await hasExited(child, POLITE_MS)) {
		await endRest(child);
	} else {
		signalGroup(child, "SIGTERM");
		const isGone = await hasExited(child, FIRM_MS);
		signalGroup(child, "SIGKILL");
		if (!isGone) await hasExited(child, LAST_MS);
	}
	for (const stream of [child.stdin, child.stdout, child.stderr])
		stream.destroy();
	child.unref();
}

/** What a child left behind in its group gets less time: its stdin is closed, and its parent is gone. */
async function endRest(child: ChildProcessWithoutNullStreams): Promise<void> {
	if (!signalGroup(child, "SIGTERM")) return;
	for (let waited = 0; waited < LAST_MS; waited += LOOK_AGAIN_MS) {
		if (!signalGroup(child, 0)) return;
		await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
	}
	signalGroup(child, "SIGKILL");
}

async function hasExited(
	child: ChildProcessWithoutNullStreams,
	waitMs: number,
): Promise<boolean> {
	const isOver = () => child.exitCode !== null || child.signalCode !== null;
	if (isOver()) return true;
	await new Promise<void>((resolve) => {
		const timer = setTimeout(resolve, waitMs);
		child.once("exit", () => {
			clearTimeout(timer);
			resolve();
		});
	});
	return isOver();
}
