// One thing after another for one subscription, side by side for different ones.

export class Turns {
	readonly #last = new Map<string, Promise<unknown>>();

	/** Runs the task when all that came before it for this id are done, however they ended. */
	async run<T>(id: string, task: () => Promise<T>): Promise<T> {
		const before = this.#last.get(id);
		const mine = (async () => {
			await before?.catch(() => {});
			return await task();
		})();
		this.#last.set(id, mine);
		try {
			return await mine;
		} finally {
			if (this.#last.get(id) === mine) this.#last.delete(id);
		}
	}
}
