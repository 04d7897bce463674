// What becomes of one subscription's events: each is put into a message, and ends acknowledged, refused or given up. The
// record follows: its cursor is the safe one, and what was skipped stays noted until somebody was told.
import type { Batch, ServerEvent, SourceType } from "../source.ts";
import {
	envelopeId,
	eventIdAsMessageId,
	gapBody,
	messageId,
} from "./envelopes.ts";
import { Health } from "./health.ts";
import type { WebhookOptions, WebhookSettings } from "./options.ts";
import { Outbox, type OutboxEntry } from "./outbox.ts";
import { type SubscriptionRecord, secretsOf } from "./record.ts";
import type { Attempted, MessageToSend } from "./sender.ts";

/** Each wait is lengthened by up to this share, so that retries of many do not come together. */
const JITTER = 0.2;

export interface CourierOptions {
	record: SubscriptionRecord;
	type: SourceType;
	options: WebhookOptions;
	settings: WebhookSettings;
	/** The record has changed in what is worth keeping when there is occasion. */
	moved: (record: SubscriptionRecord) => void;
}

export class Courier {
	readonly outbox: Outbox;
	readonly health: Health;
	readonly #parts: CourierOptions;

	constructor(parts: CourierOptions) {
		const { record, settings } = parts;
		this.#parts = parts;
		this.outbox = new Outbox(record.cursor);
		this.health = new Health({
			windowMs: settings.suspendAfterMs,
			leastAttempts: settings.suspendAfterAttempts,
		});
		this.health.failedSince = record.failedSince;
		if (record.hasUntoldGap) this.noteGap();
	}

	/** False: no cursor is told, and a gap means nothing. */
	get hasReplay(): boolean {
		return this.#parts.type.hasReplay !== false;
	}

	take(batch: Batch): void {
		const { watermark } = this.outbox;
		if (batch.truncated) {
			watermark.advance(batch.from);
			this.noteGap();
		}
		for (const event of batch.events)
			this.outbox.addEvent(event, this.#messageIdOf(event));
		watermark.advance(batch.cursor);
		this.#follow();
	}

	/** Events were skipped: an envelope tells it, or else the next refresh. */
	noteGap(): void {
		const { record, options, settings } = this.#parts;
		if (!this.hasReplay) return;
		record.hasUntoldGap = true;
		if (settings.sendsEnvelopes)
			this.outbox.addGap(envelopeId("gap", options.randomBytes));
	}

	/** Whether there is a gap to tell; the caller tells it, and no envelope has to any more. */
	takeGap(): boolean {
		const { record } = this.#parts;
		const hadGap = record.hasUntoldGap;
		record.hasUntoldGap = false;
		this.outbox.dropGap();
		return hadGap;
	}

	/** The message of an entry as it is to be sent at this instant. */
	messageOf(entry: OutboxEntry): MessageToSend {
		const { record, options } = this.#parts;
		const { event, messageId: id, failures } = entry;
		const shared = {
			subscriptionId: record.id,
			url: record.url,
			id,
			attempt: failures + 1,
			secrets: secretsOf(record, options.clock.now()),
		};
		if (!event) return { ...shared, kind: "gap", body: gapBody(record.cursor) };
		const cursor = this.hasReplay ? this.#cursorFor(entry, event) : null;
		const body = `${event.head},"cursor":${JSON.stringify(cursor)}}`;
		return { ...shared, kind: "event", body };
	}

	/** What an attempt at an entry has come to. */
	conclude(entry: OutboxEntry, { end, reason = "http_4xx" }: Attempted): void {
		const now = this.#parts.options.clock.now();
		if (end === "acknowledged") this.#acknowledged(entry, now);
		else if (end === "refused") {
			this.health.refused(now);
			this.outbox.settle(entry);
		} else {
			this.health.failed(now, reason);
			this.#failed(entry, now);
		}
		this.#follow();
	}

	/** The event will never be delivered, and that has to be told. */
	skip(entry: OutboxEntry): void {
		this.outbox.settle(entry);
		if (entry.event) this.noteGap();
		this.#follow();
	}

	#acknowledged(entry: OutboxEntry, now: number): void {
		const { record } = this.#parts;
		this.outbox.settle(entry);
		this.health.succeeded(now, !this.outbox.hasFailed);
		// Another may have come while this one was on its way.
		if (!entry.event && !this.outbox.hasGap) record.hasUntoldGap = false;
		// The receiver takes deliveries again: it can be told now what it could not be told before.
		if (record.hasUntoldGap && !this.outbox.hasGap) this.noteGap();
	}

	#failed(entry: OutboxEntry, now: number): void {
		const { options, settings } = this.#parts;
		const waitMs = settings.retryDelaysMs[entry.failures++];
		if (waitMs === undefined) this.skip(entry);
		else entry.dueAt = now + waitMs * (1 + JITTER * options.random());
	}

	/** The safe position if the receiver acknowledges this very delivery. */
	#cursorFor({ mark }: OutboxEntry, event: ServerEvent): string {
		const { watermark } = this.outbox;
		const safe = mark ? watermark.cursorWith(mark) : watermark.cursor;
		const { manners } = this.#parts.options;
		return manners?.cursor?.(safe, event.cursor) ?? safe;
	}

	#messageIdOf(event: ServerEvent): string {
		const { options, settings } = this.#parts;
		return settings.messageIds === "event"
			? eventIdAsMessageId(event)
			: messageId(options.randomBytes);
	}

	#follow(): void {
		const { record, moved } = this.#parts;
		const { cursor } = this.outbox.watermark;
		const { failedSince } = this.health;
		record.cursor = cursor;
		record.failedSince = failedSince;
		moved(record);
	}
}
