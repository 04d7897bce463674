// Sends captures again, one after the other: in their own time or faster, several at once, never faster than a rate.
import type { Capture } from "./capture.ts";
import {
	type Attempt,
	type DeliverOptions,
	deliver,
	isTaken,
} from "./deliver.ts";
import type { Outgoing } from "./outgoing.ts";

export interface Pace {
	/** 1 keeps the gaps between arrivals, 10 makes them a tenth; undefined: none. */
	speed: number | undefined;
	/** How many begin in a second, at most. */
	perSecond: number | undefined;
	/** How many are under way at once, at most. */
	concurrency: number;
}

/** A capture with what makes its request, anew for each attempt. */
export interface Prepared {
	capture: Capture;
	make: () => Outgoing;
}

export interface ReplayOptions<P extends Prepared>
	extends Omit<DeliverOptions, "tell"> {
	pace: Pace;
	now: () => number;
	/** Told of every attempt, of several at once where that many are under way. */
	tell: (prepared: P, attempt: Attempt) => Promise<void>;
}

export interface Replayed {
	sent: number;
	/** Those whose last attempt was not answered 2xx. */
	failed: number;
	/** Those that were not answered at all. */
	unanswered: number;
	/** The last attempt that had no answer. */
	lastUnanswered: Attempt | undefined;
}

/**
 * Takes a capture only when its time has come and there is room for it, so that any number may follow. Rejects with
 * what `tell` rejects with, or the signal's reason; what is under way then is waited for.
 */
export async function replayCaptures<P extends Prepared>(
	captures: AsyncIterable<P>,
	options: ReplayOptions<P>,
): Promise<Replayed> {
	const { pace, signal } = options;
	const total: Replayed = {
		sent: 0,
		failed: 0,
		unanswered: 0,
		lastUnanswered: undefined,
	};
	const underWay = new Set<Promise<void>>();
	let failure: { error: unknown } | undefined;
	const wait = makePacer(options);
	try {
		for await (const prepared of captures) {
			await wait(prepared.capture.receivedAtMs);
			signal.throwIfAborted();
			while (underWay.size >= pace.concurrency) await Promise.race(underWay);
			if (failure) break;
			const task = sendOne(prepared, options, total)
				.catch((error: unknown) => {
					failure ??= { error };
				})
				.finally(() => underWay.delete(task));
			underWay.add(task);
		}
	} finally {
		await Promise.all(underWay);
	}
	if (failure) throw failure.error;
	return total;
}

async function sendOne<P extends Prepared>(
	prepared: P,
	options: ReplayOptions<P>,
	total: Replayed,
): Promise<void> {
	const tell = (attempt: Attempt) => options.tell(prepared, attempt);
	const last = await deliver(prepared.make, { ...options, tell });
	total.sent++;
	if (isTaken(last)) return;
	total.failed++;
	if (last.answer) return;
	total.unanswered++;
	total.lastUnanswered = last;
}

/** Waits until a capture's turn: as long after the first one as it arrived after it, over the speed. */
function makePacer<P extends Prepared>({
	pace,
	now,
	sleep,
	signal,
}: ReplayOptions<P>): (receivedAtMs: number) => Promise<void> {
	const { speed, perSecond } = pace;
	const leastGapMs = perSecond === undefined ? 0 : 1_000 / perSecond;
	let first: { sentAtMs: number; receivedAtMs: number } | undefined;
	let earliestMs = 0;
	return async (receivedAtMs) => {
		first ??= { sentAtMs: now(), receivedAtMs };
		const gapMs =
			speed === undefined ? 0 : (receivedAtMs - first.receivedAtMs) / speed;
		const dueMs = Math.max(first.sentAtMs + gapMs, earliestMs);
		const waitMs = dueMs - now();
		if (waitMs > 0) await sleep(waitMs, signal);
		earliestMs = Math.max(dueMs, now()) + leastGapMs;
	};
}
