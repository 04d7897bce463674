// The server as a child process: started in a group of its own, ended politely and then firmly, with all that it
// started itself.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { kill, platform } from "node:process";
import { Fault, shellWord } from "../../faults/index.ts";

/** How to start a server. The environment is whole: nothing is added to it. */
export interface StdioTarget {
	command: string;
	args: readonly string[];
	env: Record<string, string | undefined>;
	cwd?: string | undefined;
}

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
		const child = spawn(target.command, [...target.args], {
			cwd: target.cwd,
			env: target.env,
			stdio: ["pipe", "pipe", "pipe"],
			// On POSIX: a process group of its own, so that ^C in the terminal reaches only us, and we end all of it.
			detached: platform !== "win32",
			windowsHide: true,
		});
		await new Promise<void>((resolve, reject) => {
			child.once("spawn", resolve);
			child.once("error", reject);
		});
		child.on("error", () => {});
		return child;
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

/** Sends a signal to the child and all that it started; false where nobody is left. */
export function signalGroup(
	child: ChildProcessWithoutNullStreams,
	signal: NodeJS.Signals | 0,
): boolean {
	if (child.pid === undefined) return false;
	try {
		if (platform === "win32")
			return signal === 0 ? child.exitCode === null : child.kill(signal);
		return kill(-child.pid, signal);
	} catch {
		return false;
	}
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
