// How far everything is acknowledged or given up, while events settle in any order (events.md 6). Only what is unsettled
// takes memory: of settled events that wait for an earlier one, the last cursor alone is kept.

/** An event that is neither acknowledged nor given up. */
export class Mark {
	/** The position up to which all is settled once this event is. */
	trail: string;
	before: Mark | undefined;
	after: Mark | undefined;

	constructor(cursor: string) {
		this.trail = cursor;
	}
}

export class Watermark {
	#cursor: string;
	#first: Mark | undefined;
	#last: Mark | undefined;

	/** `cursor`: all up to there is settled. */
	constructor(cursor: string) {
		this.#cursor = cursor;
	}

	/** The safe position. */
	get cursor(): string {
		return this.#cursor;
	}

	/** Takes the next event in the order of the source; `cursor` is the position after it. */
	add(cursor: string): Mark {
		const mark = new Mark(cursor);
		mark.before = this.#last;
		if (this.#last) this.#last.after = mark;
		else this.#first = mark;
		this.#last = mark;
		return mark;
	}

	/** The source has looked as far as `cursor` and found nothing more. */
	advance(cursor: string): void {
		if (this.#last) this.#last.trail = cursor;
		else this.#cursor = cursor;
	}

	/** The event is acknowledged or given up. To be called once for each. */
	settle(mark: Mark): void {
		const { before, after, trail } = mark;
		// What lies between this event and the next unsettled one now hangs on the one before.
		if (before) before.trail = trail;
		else this.#cursor = trail;
		if (before) before.after = after;
		else this.#first = after;
		if (after) after.before = before;
		else this.#last = before;
	}

	/** The safe position if this event is acknowledged: its own, where nothing before it is unsettled. */
	cursorWith(mark: Mark): string {
		return mark === this.#first ? mark.trail : this.#cursor;
	}
}
