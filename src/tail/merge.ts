// Several loops as one: whichever has something is taken in turn, and a loop runs on only when it is told to.

/** What one source has to say. `done` carries what it returned. */
export type Arrival<K, T, R> = { source: K } & (
	| { kind: "value"; value: T }
	| { kind: "done"; result: R }
	| { kind: "failed"; error: unknown }
);

type Sources<K, T, R> = ReadonlyMap<K, AsyncGenerator<T, R, void>>;

/** Takes from many sources in the order in which they have something; reads at most one value ahead of each. */
export class Merge<K, T, R> {
	readonly #sources: Sources<K, T, R>;
	readonly #waiting: Arrival<K, T, R>[] = [];
	#wake: (() => void) | undefined;
	#listened: AbortSignal | undefined;

	/** Asks every source for its first value. */
	constructor(sources: Sources<K, T, R>) {
		this.#sources = sources;
		for (const source of sources.keys()) this.resume(source);
	}

	/** Asks a source for its next value: to be called once what it gave last has been dealt with. */
	resume(source: K): void {
		this.#sources
			.get(source)
			?.next()
			.then(
				({ done, value }) =>
					this.#arrive(
						done
							? { source, kind: "done", result: value as R }
							: { source, kind: "value", value: value as T },
					),
				(error: unknown) => this.#arrive({ source, kind: "failed", error }),
			);
	}

	/** The next arrival; undefined once the signal has aborted, whatever is waiting. */
	async take(signal: AbortSignal): Promise<Arrival<K, T, R> | undefined> {
		this.#listenTo(signal);
		while (!signal.aborted) {
			const arrival = this.#waiting.shift();
			if (arrival) return arrival;
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
		}
		return undefined;
	}

	/** What comes next, where it is a value that waits already, of a source that is wanted. */
	takeValue<S extends K>(
		isWanted: (source: K) => source is S,
	): { source: S; value: T } | undefined {
		const [next] = this.#waiting;
		if (next?.kind !== "value" || !isWanted(next.source)) return undefined;
		this.#waiting.shift();
		return { source: next.source, value: next.value };
	}

	/** Not for each wait: a signal with many listeners takes its time to add one. */
	#listenTo(signal: AbortSignal | undefined): void {
		if (signal === this.#listened) return;
		this.#listened?.removeEventListener("abort", this.#goOn);
		this.#listened = signal;
		signal?.addEventListener("abort", this.#goOn);
	}

	/** Ends every source and waits until all of them have cleaned up. They must be told to stop waiting before. */
	async close(): Promise<void> {
		const endings = [...this.#sources.values()].map((source) =>
			source.return(undefined as R),
		);
		await Promise.allSettled(endings);
		this.#listenTo(undefined);
	}

	#arrive(arrival: Arrival<K, T, R>): void {
		this.#waiting.push(arrival);
		this.#goOn();
	}

	readonly #goOn = () => {
		this.#wake?.();
		this.#wake = undefined;
	};
}
