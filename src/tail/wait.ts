// Waiting for time, for work or for whichever comes first, with nothing left behind.
import { setMaxListeners } from "node:events";
import type { Pieces } from "./follow.ts";

/** Waits `ms`; back at once when the signal aborts. */
export async function pause(
	ms: number,
	{ sleep, signal }: Pick<Pieces, "sleep" | "signal">,
): Promise<void> {
	if (signal.aborted) return;
	try {
		await sleep(ms, signal);
	} catch (error) {
		if (!signal.aborted) throw error;
	}
}

export const SILENT = Symbol("nothing came in time");

/** The result of `work`, or SILENT where it takes longer than `ms`. Work that comes later is dropped, its fault too. */
export function within<T>(
	work: Promise<T>,
	ms: number,
	pieces: Pick<Pieces, "sleep" | "setTimer">,
): Promise<T | typeof SILENT> {
	return new Promise((resolve, reject) => {
		const callOff = startTimer(() => resolve(SILENT), ms, pieces);
		work.then(
			(value) => {
				callOff();
				resolve(value);
			},
			(error: unknown) => {
				callOff();
				reject(error);
			},
		);
	});
}

function startTimer(
	act: () => void,
	ms: number,
	{ sleep, setTimer }: Pick<Pieces, "sleep" | "setTimer">,
): () => void {
	if (setTimer) return setTimer(act, ms);
	const timer = new AbortController();
	sleep(ms, timer.signal).then(
		() => {
			if (!timer.signal.aborted) act();
		},
		() => {},
	);
	return () => timer.abort(SILENT);
}

/** A way to stop something that stops with its parent too; `close` unties the two. */
export interface Abort {
	signal: AbortSignal;
	abort(): void;
	close(): void;
}

/** Why what was stopped by `abort` alone was stopped. Made once: an error for each poll and its stack would be dear. */
const LEFT = new Error("it is no longer wanted");

export function openAbort(parent: AbortSignal): Abort {
	const controller = new AbortController();
	// As many listeners as there are subscriptions is no leak.
	setMaxListeners(0, controller.signal);
	const abort = () => controller.abort(parent.aborted ? parent.reason : LEFT);
	if (parent.aborted) abort();
	else parent.addEventListener("abort", abort, { once: true });
	return {
		signal: controller.signal,
		abort,
		close: () => parent.removeEventListener("abort", abort),
	};
}
