// When the captured events of one type happen again: as far apart as they arrived, or faster, from the moment that
// somebody first asks for them.
import type { Clock } from "../../clock.ts";
import { createWakers } from "../../wakers.ts";

export interface Timeline {
	/** How many of them have happened. Nothing has before somebody asks: the first to ask begins before the first. */
	count(): number;
	/**
	 * Somebody stands behind so many of them: they have happened. Where that is further than time has come, as after a
	 * restart, time goes on from there.
	 */
	reach(place: number): void;
	/** When one of those that have happened did, in epoch milliseconds. */
	happenedAt(place: number): number;
	watch(wake: () => void): () => void;
	close(): void;
}

/** Longer waits take several timers. */
const LONGEST_TIMER_MS = 24 * 60 * 60_000;

/** `offsetsMs` rise; `speed` is a factor, or undefined for no wait at all. */
export function createTimeline(
	offsetsMs: readonly number[],
	speed: number | undefined,
	clock: Clock,
): Timeline {
	const wakers = createWakers();
	let start: { at: number; offsetMs: number } | undefined;
	let cancel: (() => void) | undefined;

	const offsetBefore = (place: number) => offsetsMs[place - 1] ?? 0;

	function timeOf(place: number): number {
		if (!start) return Number.POSITIVE_INFINITY;
		if (speed === undefined) return start.at;
		const offsetMs = offsetsMs[place] ?? Number.POSITIVE_INFINITY;
		return start.at + (offsetMs - start.offsetMs) / speed;
	}

	function countNow(): number {
		let low = 0;
		let high = offsetsMs.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (timeOf(middle) <= clock.now()) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	function begin(place: number): void {
		start = { at: clock.now(), offsetMs: offsetBefore(place) };
		disarm();
		arm();
		wakers.wakeAll();
	}

	function arm(): void {
		if (!start || cancel || wakers.size === 0) return;
		const next = countNow();
		if (next >= offsetsMs.length) return;
		const waitMs = Math.min(timeOf(next) - clock.now(), LONGEST_TIMER_MS);
		cancel = clock.setTimer(() => {
			cancel = undefined;
			wakers.wakeAll();
			arm();
		}, Math.ceil(waitMs));
	}

	function disarm(): void {
		cancel?.();
		cancel = undefined;
	}

	return {
		count() {
			if (start) return countNow();
			begin(0);
			return 0;
		},
		reach(place) {
			if (!start || place > countNow()) begin(place);
		},
		happenedAt: (place) => Math.min(timeOf(place), clock.now()),
		watch(wake) {
			const leave = wakers.add(wake);
			arm();
			return () => {
				leave();
				if (wakers.size === 0) disarm();
			};
		},
		close: disarm,
	};
}
