// A bounded ring of events for sources that only emit. Its cursors name this run and a place in it, so that one from
// before a restart is seen for what it is: a gap.
import type { Clock } from "./clock.ts";
import { invalidParams } from "./refusal.ts";
import {
	type Batch,
	type EventParts,
	makeEvent,
	type ReadRequest,
	type ServerEvent,
} from "./source.ts";
import { createWakers } from "./wakers.ts";

export interface FeedOptions {
	clock: Clock;
	/** Names this run; in every cursor. Letters, digits and "-". */
	epoch: string;
	/** At most so many events are kept… */
	maxEvents: number;
	/** …and at most about so many bytes of them. */
	maxBytes?: number;
}

/** One place in the ring: an event, or a gap. */
type Entry<Facts> =
	| { event: ServerEvent; seenAt: number; facts: Facts }
	| { event?: undefined };

const CURSOR = /^v1\.([A-Za-z0-9-]{1,64})\.(\d{1,15})$/;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** So that a filter that fits nothing cannot hold the process up. */
const SCAN_LIMIT = 10_000;

/** `Facts` is what filters look at; it stays in memory as long as its event. */
export class Feed<Facts> {
	readonly #options: Required<FeedOptions>;
	readonly #ring = new Map<number, Entry<Facts>>();
	readonly #wakers = createWakers();
	#last = 0;
	#bytes = 0;

	constructor(options: FeedOptions) {
		this.#options = { maxBytes: DEFAULT_MAX_BYTES, ...options };
	}

	/** Takes one event; `sequence` counts from 1. */
	emit(
		make: (sequence: number) => Omit<EventParts, "cursor">,
		facts: Facts,
	): void {
		const { clock, maxEvents, maxBytes } = this.#options;
		const last = ++this.#last;
		const event = makeEvent({ ...make(last), cursor: this.#cursorAt(last) });
		this.#ring.set(last, { event, seenAt: clock.now(), facts });
		this.#bytes += event.head.length;
		while (this.#ring.size > maxEvents) this.#dropOldest();
		while (this.#bytes > maxBytes && this.#ring.size > 1) this.#dropOldest();
		this.#wakers.wakeAll();
	}

	/** Here events were, or may have been, missed: whoever reads over this place is told by `truncated`. */
	tellGap(): void {
		this.#ring.set(++this.#last, {});
		while (this.#ring.size > this.#options.maxEvents) this.#dropOldest();
		this.#wakers.wakeAll();
	}

	/** The cursor of now. */
	head(): string {
		return this.#cursorAt(this.#last);
	}

	watch(wake: () => void): () => void {
		return this.#wakers.add(wake);
	}

	read(request: ReadRequest, fits: (facts: Facts) => boolean): Batch {
		const { limit } = request;
		const start = this.#startOf(request, fits);
		const events: ServerEvent[] = [];
		let { place } = start;
		const end = Math.min(this.#last, place + Math.max(SCAN_LIMIT, limit));
		for (; place < end; place++) {
			const entry = this.#ring.get(place + 1);
			// A batch tells of a gap before its first event alone: the next one begins with this.
			if (entry && !entry.event) break;
			if (!entry || !fits(entry.facts)) continue;
			// Only another event that fits is more: looking on costs little, a needless poll costs a round trip.
			if (events.length === limit) break;
			events.push(entry.event);
		}
		return {
			from: this.#cursorAt(start.place),
			events,
			cursor: this.#cursorAt(place),
			hasMore: place < this.#last,
			truncated: start.truncated,
		};
	}

	/** Where to begin, and whether something between the cursor and there is gone or too old. */
	#startOf(
		{ cursor, sinceMs = 0 }: ReadRequest,
		fits: (facts: Facts) => boolean,
	) {
		let { place, truncated } = this.#resolve(cursor);
		for (let entry = this.#ring.get(place + 1); entry; ) {
			if (entry.event && entry.seenAt >= sinceMs) break;
			truncated ||= !entry.event || fits(entry.facts);
			entry = this.#ring.get(++place + 1);
		}
		return { place, truncated };
	}

	#resolve(cursor: string): { place: number; truncated: boolean } {
		const parts = CURSOR.exec(cursor);
		if (!parts) throw invalidParams("cursor is none of this server's");
		const place = Number(parts[2]);
		const oldest = this.#last - this.#ring.size;
		const isOurs = parts[1] === this.#options.epoch && place <= this.#last;
		if (isOurs && place >= oldest) return { place, truncated: false };
		return { place: oldest, truncated: true };
	}

	#cursorAt(sequence: number): string {
		return `v1.${this.#options.epoch}.${sequence}`;
	}

	#dropOldest(): void {
		const oldest = this.#last - this.#ring.size + 1;
		this.#bytes -= this.#ring.get(oldest)?.event?.head.length ?? 0;
		this.#ring.delete(oldest);
	}
}
