// The process as the rooms may see it: built once, handed on in pieces. Nothing else reads process, Date or Math.random.
import type { Readable, Writable } from "node:stream";

export type TerminalStream = Writable & { isTTY?: boolean; columns?: number };

export interface World {
	stdin: Readable & { isTTY?: boolean };
	stdout: TerminalStream;
	stderr: TerminalStream;
	env: Record<string, string | undefined>;
	cwd: string;
	pid: number;
	/** Epoch milliseconds. */
	now(): number;
	/** Resolves after `ms`; rejects with the signal's reason once that aborts. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	/** Calls `act` once after `ms`; returns the way to call it off. */
	setTimer(act: () => void, ms: number): () => void;
	random(): number;
	/** Aborted by the first SIGINT, SIGTERM or SIGHUP; the reason is a Stop. */
	stop: AbortSignal;
	/** Registers a synchronous last act for an exit that cannot wait; returns the way to take it back. */
	atExit(act: () => void): () => void;
}

/** Why the program was asked to end. */
export class Stop extends Error {
	override readonly name = "Stop";
	readonly status: number;

	constructor(signalName: string, status: number) {
		super(`stopped by ${signalName}`);
		this.status = status;
	}
}

/** The real world. `stop` and `atExit` come from whoever owns the signals (main.ts). */
export function createWorld(
	source: NodeJS.Process,
	ending: Pick<World, "stop" | "atExit">,
): World {
	return {
		// Opened only where it is asked for: that takes its time.
		get stdin() {
			return source.stdin;
		},
		stdout: source.stdout,
		stderr: source.stderr,
		env: source.env,
		cwd: source.cwd(),
		pid: source.pid,
		now: Date.now,
		sleep: sleepUntil,
		setTimer,
		random: Math.random,
		...ending,
	};
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Node's own makes an error with a stack for each wait that is called off; a tail calls off one for each batch. */
function sleepUntil(ms: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) return Promise.reject(signal.reason);
	return new Promise((resolve, reject) => {
		const callOff = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const finish = () => {
			signal?.removeEventListener("abort", callOff);
			resolve();
		};
		// A longer timer fires at once, with a warning.
		const timer = setTimeout(finish, Math.min(ms, LONGEST_TIMER_MS));
		signal?.addEventListener("abort", callOff, { once: true });
	});
}

function setTimer(act: () => void, ms: number): () => void {
	const timer = setTimeout(act, Math.min(ms, LONGEST_TIMER_MS));
	return () => clearTimeout(timer);
}
