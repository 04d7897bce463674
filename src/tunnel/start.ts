// One start of a tunnel: the program runs, and its output says when and where it can be reached.

import type { ChildProgram } from "../children/index.ts";
import type { Fault } from "../faults/index.ts";
import { notReady, notStarted } from "./faults.ts";
import { type RunningProgram, startProgram } from "./program.ts";

/** Reads one line after the other; gives the address once deliveries can arrive there. */
export type LineReader = (line: string) => string | undefined;

export interface TunnelProgram extends ChildProgram {
	/** Makes a reader for one run. */
	makeReader(): LineReader;
}

export interface StartPieces {
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	atExit(act: () => void): () => void;
}

export interface OpenRun {
	url: string;
	program: RunningProgram;
}

/** Cloudflare says itself that it may take some time. */
const READY_WITHIN_MS = 60_000;

/** A start that failed; `isFinal` where another would fail in the same way. */
export interface FailedStart {
	fault: Fault;
	isFinal: boolean;
}

/** Starts the program and waits until it can be reached. Rejects only with the signal's reason; nothing runs on then. */
export async function startTunnel(
	tunnel: TunnelProgram,
	{ sleep, atExit }: StartPieces,
	signal: AbortSignal,
): Promise<OpenRun | FailedStart> {
	signal.throwIfAborted();
	const read = tunnel.makeReader();
	let tellUrl: (url: string) => void = () => {};
	const url = new Promise<string>((resolve) => {
		tellUrl = resolve;
	});
	const program = startProgram(tunnel, {
		onLine(line) {
			const found = read(line);
			if (found !== undefined) tellUrl(found);
		},
		atExit,
	});
	const waiting = new AbortController();
	const stop = AbortSignal.any([signal, waiting.signal]);
	const late = sleep(READY_WITHIN_MS, stop).then(() => undefined);
	// Where another ends the race, this one ends with it, and has nothing to tell.
	late.catch(() => {});
	try {
		const first = await Promise.race([url, program.ended, late]);
		if (typeof first === "string") return { url: first, program };
		await program.end();
		if (first === undefined)
			return failed(tunnel, program, `not in ${READY_WITHIN_MS / 1000} s`);
		if (first.errorCode !== undefined)
			return { fault: notStarted(tunnel.command, first), isFinal: true };
		return failed(tunnel, program, first.how);
	} catch (error) {
		await program.end();
		throw error;
	} finally {
		waiting.abort();
	}
}

function failed(
	{ command }: TunnelProgram,
	program: RunningProgram,
	how: string,
): FailedStart {
	const fault = notReady(command, how, program.lastLines());
	return { fault, isFinal: false };
}
