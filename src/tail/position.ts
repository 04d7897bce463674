// Where a subscription stands in its stream of events (events.md 7). What is accepted is decided by the consumer.

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
