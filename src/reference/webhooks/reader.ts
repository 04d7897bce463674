// Reads the events of one subscription into its outbox, as far as there is room.
import { setImmediate } from "node:timers/promises";
import { Refusal } from "../refusal.ts";
import type { Batch, EventArguments, SourceType } from "../source.ts";

export interface ReaderOptions {
	type: SourceType;
	arguments: EventArguments;
	/** Where to begin. */
	cursor: string;
	/** How many events may be taken now; 0 also while the subscription is suspended. */
	room: () => number;
	take: (batch: Batch) => void;
	/** A source failed; it is asked again with its next sign of life, or by `read`. */
	failed: (error: unknown) => void;
}

export class Reader {
	readonly #options: ReaderOptions;
	readonly #leave: () => void;
	#cursor: string;
	#mayHaveMore = true;
	#isReading = false;
	#isClosed = false;

	/** Watches from now on; reads nothing before `read` is called. */
	constructor(options: ReaderOptions) {
		this.#options = options;
		this.#cursor = options.cursor;
		this.#leave = options.type.watch(options.arguments, () => {
			this.#mayHaveMore = true;
			void this.read();
		});
	}

	/** To be called whenever there may be room again. Never rejects. */
	async read(): Promise<void> {
		if (this.#isReading) return;
		this.#isReading = true;
		try {
			while (this.#mayHaveMore && this.#room() > 0) await this.#readOnce();
		} catch (error) {
			this.#mayHaveMore = true;
			if (!this.#isClosed) this.#options.failed(error);
		} finally {
			this.#isReading = false;
		}
	}

	close(): void {
		this.#isClosed = true;
		this.#leave();
	}

	#room(): number {
		return this.#isClosed ? 0 : this.#options.room();
	}

	async #readOnce(): Promise<void> {
		this.#mayHaveMore = false;
		const limit = this.#room();
		const batch = await this.#lookUp(limit);
		// Suspended or over meanwhile: the position stays, and the same is read again where it goes on.
		if (this.#room() === 0) {
			this.#mayHaveMore = true;
			return;
		}
		this.#cursor = batch.cursor;
		if (batch.hasMore) this.#mayHaveMore = true;
		this.#options.take(batch);
		// A filter that fits nothing has nothing to wait for; others have their turn between two looks.
		if (batch.hasMore && batch.events.length === 0) await setImmediate();
	}

	async #lookUp(limit: number): Promise<Batch> {
		const { type, arguments: args } = this.#options;
		const request = { arguments: args, cursor: this.#cursor, limit };
		try {
			return await type.read(request);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			// A cursor that the source knew before a restart and cannot read now: events were skipped.
			const head = await type.head(args);
			const nothing = { events: [], hasMore: false, truncated: true };
			return { ...nothing, from: head, cursor: head };
		}
	}
}
