// What one mode has brought: each event once, with when it came and what it was, and what the mode said of itself.
import type { DeliveryMode } from "../../protocol/index.ts";
import type { Citable, WireMessage } from "../wire/record.ts";
import {
	differingMember,
	type OccurrencePrint,
	printOf,
} from "./occurrence-print.ts";

export interface Sighting {
	/** Epoch milliseconds of its first arrival. */
	at: number;
	/** Counts from 0 the events of this mode, in the order of their arrival. */
	place: number;
	print: OccurrencePrint;
	cite: WireMessage;
}

/** The same eventId again by the same mode, with something else in it. */
export interface Altered {
	eventId: string;
	member: string;
	/** How it came first, and how it came again. */
	cites: readonly WireMessage[];
}

export interface Occurrence {
	event: Record<string, unknown>;
	at: number;
	cite: WireMessage;
}

const MOST_ALTERED = 100;

export class ModeLog {
	readonly mode: DeliveryMode;
	/** By eventId; bounded by whoever lets events in. */
	readonly sightings = new Map<string, Sighting>();
	readonly altered: Altered[] = [];
	/** Events that came again, as they may. */
	repeats = 0;
	/** Occurrences that nothing can be joined by: they have no eventId. */
	nameless = 0;
	/** It said that events may have been skipped. */
	hasGap = false;
	/** Why it brought no more, before the end; undefined where it went on. */
	lost: string | undefined;
	/** How it was opened. */
	readonly opening: Citable[] = [];

	constructor(mode: DeliveryMode) {
		this.mode = mode;
	}

	add(eventId: string, { event, at, cite }: Occurrence): void {
		const print = printOf(event);
		const before = this.sightings.get(eventId);
		if (!before) {
			const place = this.sightings.size;
			this.sightings.set(eventId, { at, place, print, cite });
			return;
		}
		this.repeats++;
		const member = differingMember(before.print, print);
		if (member !== undefined && this.altered.length < MOST_ALTERED)
			this.altered.push({ eventId, member, cites: [before.cite, cite] });
	}
}
