// What is on its way to the consumer, in the order in which it came.
import type { Item } from "../item.ts";

/** What belongs together, and what may be remembered once the consumer has accepted it. */
export interface Parcel<F> {
	items: Item[];
	/** Whose it is; undefined for nobody's. */
	follow: F | undefined;
	/** Where one may go on after it; undefined: it changes nothing. */
	cursor?: string | undefined;
	/** The capture that it shows. */
	capture?: string | undefined;
	/** How much memory it holds, roughly. */
	bytes?: number | undefined;
}

export class Outbox<F> {
	#parcels: Parcel<F>[] = [];
	#bytes = 0;
	#wake: () => void = () => {};

	get length(): number {
		return this.#parcels.length;
	}

	get bytes(): number {
		return this.#bytes;
	}

	put(parcel: Parcel<F>): void {
		this.#parcels.push(parcel);
		this.#bytes += parcel.bytes ?? 0;
		this.#wake();
	}

	/** All that is waiting, as soon as there is something; undefined once the signal has aborted. */
	async take(signal: AbortSignal): Promise<Parcel<F>[] | undefined> {
		while (!signal.aborted) {
			if (this.#parcels.length > 0) return this.drain();
			await new Promise<void>((resolve) => {
				const wake = () => {
					// One for each wait would add up: a listener waits for months.
					signal.removeEventListener("abort", wake);
					resolve();
				};
				this.#wake = wake;
				signal.addEventListener("abort", wake);
			});
		}
		return undefined;
	}

	/** All that is waiting now. */
	drain(): Parcel<F>[] {
		const all = this.#parcels;
		this.#parcels = [];
		this.#bytes = 0;
		return all;
	}
}
