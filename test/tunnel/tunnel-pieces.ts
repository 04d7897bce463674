// The world as a tunnel sees it in tests: waits between starts are told, not waited for.
import type { TunnelPieces } from "../../src/tunnel/index.ts";

/** From here on a wait is the bound of something, and not a pause. */
const BOUND_MS = 60_000;

export interface ToldPieces extends TunnelPieces {
	notes: string[];
	/** The pauses that were asked for. */
	pauses: number[];
	progress: (string | undefined)[];
	/** The last acts that are registered now. */
	lastActs: Set<() => void>;
	stop: AbortController;
}

export function makePieces(change: Partial<TunnelPieces> = {}): ToldPieces {
	const notes: string[] = [];
	const pauses: number[] = [];
	const progress: (string | undefined)[] = [];
	const lastActs = new Set<() => void>();
	const stop = new AbortController();
	return {
		env: { PATH: process.env.PATH },
		now: () => 0,
		async sleep(ms, signal) {
			signal?.throwIfAborted();
			if (ms < BOUND_MS) return void pauses.push(ms);
			await new Promise((_resolve, reject) =>
				signal?.addEventListener("abort", () => reject(signal.reason)),
			);
		},
		atExit(act) {
			lastActs.add(act);
			return () => lastActs.delete(act);
		},
		note: (text) => notes.push(text),
		onProgress: (text) => progress.push(text),
		signal: stop.signal,
		notes,
		pauses,
		progress,
		lastActs,
		stop,
		...change,
	};
}
