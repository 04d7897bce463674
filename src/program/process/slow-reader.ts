// How long a reader that stands still may hold up the end: the last cursors must be told before the time for all
// clean-up is over (exit.ts).
import type { World } from "./world.ts";

const SLOW_READER_MS = 2_000;

/** Aborts `over` when a reader has been waited for long enough after a stop; `end` takes all timers back. */
export function openReaderLimit({
	stop,
	sleep,
}: Pick<World, "stop" | "sleep">) {
	const over = new AbortController();
	const ended = new AbortController();
	const lose = () =>
		sleep(SLOW_READER_MS, ended.signal).then(
			() => over.abort(),
			() => {},
		);
	if (stop.aborted) lose();
	else stop.addEventListener("abort", lose, { signal: ended.signal });
	return { over: over.signal, end: () => ended.abort() };
}

/** Whether what is being shown was accepted before the waiting is over; rejects as the showing does. */
export function isTaken(
	showing: Promise<void>,
	over: AbortSignal,
): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const giveUp = () => resolve(false);
		over.addEventListener("abort", giveUp, { once: true });
		showing
			.then(() => resolve(true), reject)
			.finally(() => over.removeEventListener("abort", giveUp));
	});
}
