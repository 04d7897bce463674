// How long a reader that stands still may hold up the end: the last cursors must be told before the time for all
// clean-up is over (exit.ts).
import type { Output } from "../../output/index.ts";
import type { World } from "./world.ts";

const TELL_AFTER_MS = 250;
const SLOW_READER_MS = 2_000;

export interface ReaderLimit {
	/** Aborted when the reader has been waited for long enough after a stop. */
	readonly over: AbortSignal;
	/** Whether what is being shown was accepted before the waiting is over; rejects as the showing does. */
	isTaken(showing: Promise<void>): Promise<boolean>;
	/** Takes all timers back. */
	end(): void;
}

/** Opens the limit; what is waited for after a stop is told. */
export function openReaderLimit(
	{ stop, sleep }: Pick<World, "stop" | "sleep">,
	output: Pick<Output, "say">,
): ReaderLimit {
	const over = new AbortController();
	const ended = new AbortController();
	let waiting = 0;
	const lose = async () => {
		await sleep(TELL_AFTER_MS, ended.signal);
		if (waiting > 0)
			output.say(
				"waiting for the reader of stdout, which takes nothing; a second ^C ends at once",
			);
		await sleep(SLOW_READER_MS - TELL_AFTER_MS, ended.signal);
		over.abort();
	};
	const begin = () => {
		// The sleeps reject where the end came in time.
		lose().catch(() => {});
	};
	if (stop.aborted) begin();
	else stop.addEventListener("abort", begin, { signal: ended.signal });
	return {
		over: over.signal,
		isTaken(showing) {
			waiting++;
			return isSettled(showing, over.signal).finally(() => {
				waiting--;
			});
		},
		end: () => ended.abort(),
	};
}

function isSettled(
	showing: Promise<void>,
	over: AbortSignal,
): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const giveUp = () => resolve(false);
		// What needs no reader, a line on stderr, is taken in one turn.
		if (over.aborted) setImmediate(giveUp);
		over.addEventListener("abort", giveUp, { once: true });
		showing
			.then(() => resolve(true), reject)
			.finally(() => over.removeEventListener("abort", giveUp));
	});
}
