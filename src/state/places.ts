// Work of which only some is under way at once: a thousand files written side by side would need as many descriptors.

export class Places {
	readonly #most: number;
	readonly #waiting: (() => void)[] = [];
	#taken = 0;

	constructor(most: number) {
		this.#most = most;
	}

	/** Does the work once there is a place for it, in the order of the calls; settles as the work does. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.#taken >= this.#most)
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
		else this.#taken++;
		try {
			return await work();
		} finally {
			// Who waits takes the place over as it is.
			const next = this.#waiting.shift();
			if (next) next();
			else this.#taken--;
		}
	}
}
