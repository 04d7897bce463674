// One timer for whatever comes next: set earlier where something comes sooner, and let ring too early otherwise.
import type { Clock } from "../clock.ts";

export const NEVER = Number.POSITIVE_INFINITY;

export class Alarm {
	readonly #clock: Clock;
	readonly #ring: () => void;
	#at = NEVER;
	#cancel = () => {};

	constructor(clock: Clock, ring: () => void) {
		this.#clock = clock;
		this.#ring = ring;
	}

	/** Rings at this instant (epoch milliseconds) at the latest; whoever is woken sets it again. */
	set(at: number): void {
		if (at >= this.#at) return;
		this.#cancel();
		this.#at = at;
		const waitMs = Math.max(0, at - this.#clock.now());
		this.#cancel = this.#clock.setTimer(() => {
			this.#at = NEVER;
			this.#ring();
		}, waitMs);
	}

	clear(): void {
		this.#cancel();
		this.#at = NEVER;
	}
}
