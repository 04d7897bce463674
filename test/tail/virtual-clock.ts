// Time that passes only when everybody waits for it: the tests of the tail see every wait and sit through none.

interface Sleeper {
	at: number;
	wake(): void;
}

export class VirtualClock {
	#now = 0;
	readonly #sleepers = new Set<Sleeper>();

	readonly now = (): number => this.#now;

	readonly sleep = (ms: number, signal: AbortSignal): Promise<void> =>
		new Promise((resolve, reject) => {
			const abort = () => {
				this.#sleepers.delete(sleeper);
				reject(signal.reason);
			};
			const sleeper = {
				at: this.#now + ms,
				wake: () => {
					signal.removeEventListener("abort", abort);
					resolve();
				},
			};
			this.#sleepers.add(sleeper);
			if (signal.aborted) abort();
			else signal.addEventListener("abort", abort, { once: true });
		});

	/** Sets the clock, as a user does or a machine that was asleep: no wait becomes shorter by it, or longer. */
	set(byMs: number): void {
		this.#now += byMs;
		for (const sleeper of this.#sleepers) sleeper.at += byMs;
	}

	/** How many waits are still open. */
	get waits(): number {
		return this.#sleepers.size;
	}

	/** Calls `act` when the time has come. */
	at(ms: number, act: () => void): void {
		this.#sleepers.add({ at: ms, wake: act });
	}

	/** Lets time pass, from one wait to the next, until the work is done. */
	async run<T>(work: Promise<T>): Promise<T> {
		let isDone = false;
		const done = () => {
			isDone = true;
		};
		work.then(done, done);
		for (;;) {
			await idle();
			if (isDone) return work;
			const next = [...this.#sleepers].sort((a, b) => a.at - b.at)[0];
			if (!next) throw new Error("nobody waits for time, yet nothing happens");
			this.#sleepers.delete(next);
			this.#now = Math.max(this.#now, next.at);
			next.wake();
		}
	}
}

/** All that can go on without time passing has gone on. */
const idle = () => new Promise<void>((resolve) => setImmediate(resolve));
