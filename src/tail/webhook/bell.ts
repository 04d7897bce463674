// What makes a loop look up before its time is over.
import type { Pieces } from "../follow.ts";
import { within } from "../wait.ts";

export class Bell<T> {
	readonly #rung: T[] = [];
	#wake: () => void = () => {};

	/** Whether something has been rung that nobody has heard yet. */
	get isRinging(): boolean {
		return this.#rung.length > 0;
	}

	ring(value: T): void {
		this.#rung.push(value);
		this.#wake();
	}

	/** What was rung first; undefined after `ms`, or once the signal aborts. */
	async wait(
		ms: number,
		{ sleep, signal }: Pick<Pieces, "sleep" | "signal">,
	): Promise<T | undefined> {
		if (this.#rung.length > 0) return this.#rung.shift();
		const woken = new Promise<void>((resolve) => {
			this.#wake = resolve;
			if (signal.aborted) resolve();
			signal.addEventListener("abort", this.#wake, { once: true });
		});
		await within(woken, ms, { sleep });
		signal.removeEventListener("abort", this.#wake);
		return this.#rung.shift();
	}
}
