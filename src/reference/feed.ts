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

interface Entry<Facts> {
	event: ServerEvent;
	seenAt: number;
	facts: Facts;
}

/** `Facts` is what filters look at; it stays in memory as long as its event. */
export interface Feed<Facts> {
	/** Takes one event; `sequence` counts from 1. */
	emit(
		make: (sequence: number) => Omit<EventParts, "cursor">,
		facts: Facts,
	): void;
	head(): string;
	read(request: ReadRequest, fits: (facts: Facts) => boolean): Batch;
	watch(wake: () => void): () => void;
}

const CURSOR = /^v1\.([A-Za-z0-9-]{1,64})\.(\d{1,15})$/;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** So that a filter that fits nothing cannot hold the process up. */
const SCAN_LIMIT = 10_000;

export function createFeed<Facts>(options: FeedOptions): Feed<Facts> {
	const { clock, epoch, maxEvents } = options;
	const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
	const ring = new Map<number, Entry<Facts>>();
	const wakers = createWakers();
	let last = 0;
	let bytes = 0;
	const cursorAt = (sequence: number) => `v1.${epoch}.${sequence}`;
	const beforeOldest = () => last - ring.size;

	function dropOldest() {
		const oldest = beforeOldest() + 1;
		bytes -= ring.get(oldest)?.event.head.length ?? 0;
		ring.delete(oldest);
	}

	/** Where to begin, and whether something between the cursor and there is gone. */
	function resolve(cursor: string): { place: number; truncated: boolean } {
		const parts = CURSOR.exec(cursor);
		if (!parts) throw invalidParams("cursor is none of this server's");
		const place = Number(parts[2]);
		const isOurs = parts[1] === epoch && place <= last;
		if (isOurs && place >= beforeOldest()) return { place, truncated: false };
		return { place: beforeOldest(), truncated: true };
	}

	return {
		emit(make, facts) {
			last++;
			const event = makeEvent({ ...make(last), cursor: cursorAt(last) });
			ring.set(last, { event, seenAt: clock.now(), facts });
			bytes += event.head.length;
			while (ring.size > maxEvents || (bytes > maxBytes && ring.size > 1))
				dropOldest();
			wakers.wakeAll();
		},
		head: () => cursorAt(last),
		watch: wakers.add,
		read({ cursor, limit, sinceMs = 0 }, fits) {
			let { place, truncated } = resolve(cursor);
			for (let entry = ring.get(place + 1); entry; ) {
				if (entry.seenAt >= sinceMs) break;
				truncated ||= fits(entry.facts);
				entry = ring.get(++place + 1);
			}
			const from = cursorAt(place);
			const events: ServerEvent[] = [];
			const scanEnd = Math.min(last, place + Math.max(SCAN_LIMIT, limit));
			let hasMore = false;
			while (place < scanEnd) {
				const entry = ring.get(place + 1);
				if (entry && fits(entry.facts)) {
					// Only another event that fits is more: looking on costs little, a needless poll costs a round trip.
					hasMore = events.length === limit;
					if (hasMore) break;
					events.push(entry.event);
				}
				place++;
			}
			hasMore ||= place < last;
			return { from, events, cursor: cursorAt(place), hasMore, truncated };
		},
	};
}
