// A program that we start leads a process group of its own, so that ^C in the terminal reaches only us, and so that we
// can end it with all that it started. Windows has no groups: there a signal goes to the child alone.
import {
	type ChildProcess,
	type ChildProcessByStdio,
	type ChildProcessWithoutNullStreams,
	spawn,
} from "node:child_process";
import { kill, platform } from "node:process";
import type { Readable } from "node:stream";

/** What to start, without a shell. The environment is whole: nothing is added to it. */
export interface ChildProgram {
	command: string;
	args: readonly string[];
	env: Record<string, string | undefined>;
	cwd?: string | undefined;
}

const IN_A_GROUP = { detached: platform !== "win32", windowsHide: true };

/** Starts a program and waits until it runs. Rejects with Node's own error where it cannot be started. */
export async function startGroup({
	command,
	args,
	env,
	cwd,
}: ChildProgram): Promise<ChildProcessWithoutNullStreams> {
	const stdio: ["pipe", "pipe", "pipe"] = ["pipe", "pipe", "pipe"];
	const child = spawn(command, [...args], { env, cwd, stdio, ...IN_A_GROUP });
	await new Promise<void>((resolve, reject) => {
		child.once("spawn", resolve);
		child.once("error", reject);
	});
	// Later ones, of a signal that nobody took, say nothing new.
	child.on("error", () => {});
	return child;
}

/** Starts a program that reads nothing, at once. One that is not there is told by its `error`, or thrown. */
export function spawnGroup({
	command,
	args,
	env,
	cwd,
}: ChildProgram): ChildProcessByStdio<null, Readable, Readable> {
	const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
	return spawn(command, [...args], { env, cwd, stdio, ...IN_A_GROUP });
}

/** Sends a signal to a child and all that it started; false where nobody is left. 0 only asks. */
export function signalGroup(
	child: ChildProcess,
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
