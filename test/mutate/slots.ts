// So many things at once, and no more.

export class Slots {
	#free: number;
	readonly #waiting: (() => void)[] = [];

	constructor(count: number) {
		this.#free = count;
	}

	/** Does it as soon as there is a place; in the order of the calls. */
	async use<Result>(act: () => Promise<Result>): Promise<Result> {
		if (this.#free > 0) this.#free -= 1;
		else await new Promise<void>((resolve) => this.#waiting.push(resolve));
		try {
			return await act();
		} finally {
			const next = this.#waiting.shift();
			if (next) next();
			else this.#free += 1;
		}
	}
}
