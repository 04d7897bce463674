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
export async function within<T>(
	work: Promise<T>,
	ms: number,
	{ sleep }: Pick<Pieces, "sleep">,
): Promise<T | typeof SILENT> {
	const timer = new AbortController();
	try {
		const silence = pause(ms, { sleep, signal: timer.signal }).then(
			(): typeof SILENT => SILENT,
		);
		return await Promise.race([work, silence]);
	} finally {
		// A reason of its own would be an error with a stack, made for each batch.
		timer.abort(SILENT);
	}
}

/** A way to stop something that stops with its parent too; `close` unties the two. */
export interface Abort {
	signal: AbortSignal;
	abort(): void;
	close(): void;
}

export function openAbort(parent: AbortSignal): Abort {
	const controller = new AbortController();
	// As many listeners as there are subscriptions is no leak.
	setMaxListeners(0, controller.signal);
	const abort = () => controller.abort(parent.reason);
	if (parent.aborted) abort();
	else parent.addEventListener("abort", abort, { once: true });
	return {
		signal: controller.signal,
		abort,
		close: () => parent.removeEventListener("abort", abort),
	};
}
