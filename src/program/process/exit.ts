// How the process ends: the only place that exits, and the signals that ask for it (product.md, Exit status).
import type { Writable } from "node:stream";
import { EXIT_STATUSES } from "../../faults/index.ts";
import { Stop } from "./world.ts";

const STOP_SIGNALS = {
	SIGINT: EXIT_STATUSES.interrupted.status,
	SIGTERM: EXIT_STATUSES.stopped.status,
	SIGHUP: EXIT_STATUSES.hangup.status,
} as const;

/** All clean-up after a signal ends within this time, or is cut off. */
const CLEAN_UP_MS = 5_000;

const lastActs = new Set<() => void>();

/** Registers a synchronous act for every exit, the forced one too; returns the way to take it back. */
export function atExit(act: () => void): () => void {
	lastActs.add(act);
	return () => lastActs.delete(act);
}

/** Ends the process after the last acts. What was written must have been flushed before. */
export function exitNow(status: number): never {
	for (const act of lastActs) {
		try {
			act();
		} catch {
			// A failing last act must not keep the others from running, and there is nobody left to tell.
		}
	}
	process.exit(status);
}

/**
 * Listens for SIGINT, SIGTERM and SIGHUP: the first aborts the returned signal with a Stop, so that all ends in
 * order; a second one, or five seconds, ends the process at once.
 */
export function watchStopSignals(): AbortSignal {
	const stopping = new AbortController();
	for (const [name, status] of Object.entries(STOP_SIGNALS)) {
		process.on(name, () => {
			if (stopping.signal.aborted) exitNow(status);
			setTimeout(exitNow, CLEAN_UP_MS, status).unref();
			stopping.abort(new Stop(name, status));
		});
	}
	return stopping.signal;
}

/** Resolves when all that was written to a stream has left the process, or never can. */
export function flushStream(stream: Writable): Promise<void> {
	return new Promise((resolve) => {
		// Nothing is written where nothing waits: to a full disk even an empty write fails.
		if (stream.writableLength === 0 || stream.destroyed) return resolve();
		stream.once("close", () => resolve());
		stream.write("", () => resolve());
	});
}
