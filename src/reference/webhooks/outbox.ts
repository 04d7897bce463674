// What one subscription has still to send: a bounded look ahead of events in their order, and a gap to tell.
import type { ServerEvent } from "../source.ts";
import { type Mark, Watermark } from "./watermark.ts";

export interface OutboxEntry {
	/** Undefined: the entry is a `gap` envelope. */
	event: ServerEvent | undefined;
	mark: Mark | undefined;
	/** `webhook-id`, kept over retries. */
	messageId: string;
	/** Attempts that failed. */
	failures: number;
	/** Epoch milliseconds. */
	dueAt: number;
	/** It is being sent, or has its turn. */
	isOut: boolean;
}

/** So that a backlog does not sit in memory; more is read when half of it is settled. */
const MOST_EVENTS = 64;
const MOST_LENGTH = 1024 * 1024;

export class Outbox {
	readonly watermark: Watermark;
	readonly #entries = new Set<OutboxEntry>();
	#length = 0;
	#gap: OutboxEntry | undefined;

	constructor(cursor: string) {
		this.watermark = new Watermark(cursor);
	}

	get size(): number {
		return this.#entries.size;
	}

	/** How many events may be read now. */
	get room(): number {
		const { size } = this.#entries;
		const isFull = size > MOST_EVENTS / 2 || this.#length >= MOST_LENGTH;
		return isFull ? 0 : MOST_EVENTS - size;
	}

	addEvent(event: ServerEvent, messageId: string): void {
		const mark = this.watermark.add(event.cursor);
		this.#entries.add(newEntry({ event, mark, messageId }));
		this.#length += event.head.length;
	}

	/** At most one gap waits to be told: it stands for all that were skipped before it is sent. */
	addGap(messageId: string): void {
		if (this.#gap && !this.#gap.isOut) return;
		this.#gap = newEntry({ event: undefined, mark: undefined, messageId });
		this.#entries.add(this.#gap);
	}

	get hasGap(): boolean {
		return this.#gap !== undefined;
	}

	/** Whether anything failed and is still to be sent. */
	get hasFailed(): boolean {
		for (const entry of this.#entries) if (entry.failures > 0) return true;
		return false;
	}

	/** The first entry that may be sent now. */
	nextDue(now: number): OutboxEntry | undefined {
		for (const entry of this.#entries)
			if (!entry.isOut && entry.dueAt <= now) return entry;
		return undefined;
	}

	/** When the next entry becomes due that is not due yet. */
	nextDueAt(now: number): number {
		let next = Number.POSITIVE_INFINITY;
		for (const { isOut, dueAt } of this.#entries)
			if (!isOut && dueAt > now && dueAt < next) next = dueAt;
		return next;
	}

	/** Nothing waits for its next attempt any longer. */
	makeAllDue(): void {
		for (const entry of this.#entries) entry.dueAt = 0;
	}

	/** The entry is acknowledged, given up or no longer needed. */
	settle(entry: OutboxEntry): void {
		if (!this.#entries.delete(entry)) return;
		if (entry === this.#gap) this.#gap = undefined;
		if (entry.mark) this.watermark.settle(entry.mark);
		this.#length -= entry.event?.head.length ?? 0;
	}

	/** A gap that was told in another way is not sent, unless it is on its way already. */
	dropGap(): void {
		if (this.#gap && !this.#gap.isOut) this.settle(this.#gap);
	}
}

function newEntry(
	parts: Pick<OutboxEntry, "event" | "mark" | "messageId">,
): OutboxEntry {
	return { ...parts, failures: 0, dueAt: 0, isOut: false };
}
