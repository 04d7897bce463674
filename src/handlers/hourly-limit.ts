// So many in any hour and no more: whoever comes too early is told how long to wait.

const HOUR_MS = 3_600_000;

export class HourlyLimit {
	readonly #most: number;
	/** Oldest first, the last `most` of them. */
	#times: number[];

	/** `times`: what was begun before, in epoch milliseconds. */
	constructor(most: number, times: readonly number[]) {
		this.#most = most;
		this.#times = [...times].sort((a, b) => a - b).slice(-most);
	}

	/** How long it is until one more may begin; 0: now. */
	waitMs(nowMs: number): number {
		if (this.#times.length < this.#most) return 0;
		// A clock that was set back must not make anybody wait for longer than an hour.
		const oldest = Math.min(this.#times[0] ?? 0, nowMs);
		return Math.max(0, oldest + HOUR_MS - nowMs);
	}

	/** One begins now. */
	begin(nowMs: number): void {
		this.#times = [...this.#times, nowMs].slice(-this.#most);
	}
}

/** Since when those that were begun before count. */
export const hourBefore = (nowMs: number) => nowMs - HOUR_MS;
