// Where a subscription stands in its stream of events (events.md 7). What is accepted is decided by the consumer.
import type { Item } from "./item.ts";

/** One subscription's place: the last cursor whose events the consumer accepted. */
export class Position {
	/** Safe to save, and what the next request sends. undefined: from now. */
	cursor: string | undefined;
	/** Whether the server has ever given a real cursor; without one the type has no replay. */
	isServed = false;

	constructor(cursor: string | undefined) {
		this.cursor = cursor;
	}
}

/**
 * Where one may go on after a part of a batch; `before` is the place before it. Push events carry their position; those
 * of a poll have none, so that one goes on before all of them.
 */
export function cursorAfter(
	items: readonly Item[],
	before: string | undefined,
): string | undefined {
	let cursor = before;
	for (const item of items)
		if (item.kind === "event" && item.via === "push")
			cursor = item.occurrence.cursor ?? cursor;
	return cursor;
}
