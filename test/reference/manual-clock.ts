// A clock that stands still until it is told to go on, and counts the timers that wait.
import type { Clock } from "../../src/reference/index.ts";

export interface ManualClock extends Clock {
	/** Lets time pass; every timer fires at its own instant. */
	advance(ms: number): Promise<void>;
	readonly timers: number;
}

export function createManualClock(start = 1_800_000_000_000): ManualClock {
	let now = start;
	const timers = new Map<object, { at: number; act: () => void }>();

	function nextDue(until: number) {
		return [...timers]
			.filter(([, timer]) => timer.at <= until)
			.sort(([, left], [, right]) => left.at - right.at)[0];
	}

	return {
		now: () => now,
		setTimer(act, ms) {
			const key = {};
			timers.set(key, { at: now + ms, act });
			return () => timers.delete(key);
		},
		async advance(ms) {
			const until = now + ms;
			for (let due = nextDue(until); due; due = nextDue(until)) {
				timers.delete(due[0]);
				now = due[1].at;
				due[1].act();
				// What the timer set going runs before time goes on.
				await new Promise(setImmediate);
			}
			now = until;
		},
		get timers() {
			return timers.size;
		},
	};
}

/** The clock of the machine. */
export const realClock: Clock = {
	now: Date.now,
	setTimer(act, ms) {
		const timer = setTimeout(act, ms);
		return () => clearTimeout(timer);
	},
};
