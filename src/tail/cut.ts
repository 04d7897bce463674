// Stops at a number of events, even in the middle of a batch, and says where one may go on after the cut.
import type { Batch } from "./follow.ts";
import { cursorAfter } from "./position.ts";

/** Counts the events that are handed out, up to `limit`; undefined: no end. */
export class Count {
	#left: number;

	constructor(limit: number | undefined) {
		this.#left = limit ?? Number.POSITIVE_INFINITY;
	}

	/** Events still wanted; undefined: no end. */
	get left(): number | undefined {
		return Number.isFinite(this.#left) ? this.#left : undefined;
	}

	get isReached(): boolean {
		return this.#left <= 0;
	}

	/** The batch as far as it is wanted. `before` is the cursor that was safe before it. */
	cut(batch: Batch, before: string | undefined): Batch {
		if (!Number.isFinite(this.#left)) return batch;
		const { items } = batch;
		for (let at = 0; at < items.length; at++) {
			if (items[at]?.kind !== "event" || --this.#left > 0) continue;
			const kept = items.slice(0, at + 1);
			const isWhole = !items.some(({ kind }, i) => i > at && kind === "event");
			return {
				items: isWhole ? items : kept,
				cursor: isWhole ? batch.cursor : cursorAfter(kept, before),
			};
		}
		return batch;
	}
}
