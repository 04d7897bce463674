// The places for POSTs that all subscriptions share: first come, first served, so that none starves the others.

export class Places {
	readonly #most: number;
	#taken = 0;
	/** Those that wait; the first `#served` of them have had their turn. */
	#waiting: (() => Promise<void>)[] = [];
	#served = 0;

	constructor(most: number) {
		this.#most = most;
	}

	get taken(): number {
		return this.#taken;
	}

	get waiting(): number {
		return this.#waiting.length - this.#served;
	}

	/** Runs a task, which must not reject, as soon as there is a place for it. */
	run(task: () => Promise<void>): void {
		if (this.#taken < this.#most) void this.#start(task);
		else this.#waiting.push(task);
	}

	async #start(task: () => Promise<void>): Promise<void> {
		this.#taken++;
		let next: (() => Promise<void>) | undefined = task;
		// One place serves one task after another; whoever waits longest comes next.
		while (next) {
			await next();
			next = this.#takeNext();
		}
		this.#taken--;
	}

	#takeNext(): (() => Promise<void>) | undefined {
		const next = this.#waiting[this.#served];
		if (!next) return undefined;
		this.#served++;
		// Taking from the front of an array one by one would be slow where thousands wait.
		if (this.#served === this.#waiting.length || this.#served >= 1_000) {
			this.#waiting = this.#waiting.slice(this.#served);
			this.#served = 0;
		}
		return next;
	}
}
