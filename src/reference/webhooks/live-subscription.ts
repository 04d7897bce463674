// One subscription at work: it reads ahead a little, sends what is due, and knows when its time is over.
import { setMaxListeners } from "node:events";
import { DELIVERY_LIMIT_BYTES } from "../../protocol/index.ts";
import type { Batch, SourceType } from "../source.ts";
import { Alarm, NEVER } from "./alarm.ts";
import { Courier } from "./courier.ts";
import type { Health } from "./health.ts";
import type { WebhookOptions, WebhookSettings } from "./options.ts";
import type { OutboxEntry } from "./outbox.ts";
import type { Places } from "./places.ts";
import { Reader } from "./reader.ts";
import type { SubscriptionRecord } from "./record.ts";
import type { Sender } from "./sender.ts";

/** What all subscriptions of a server share, and whom they tell. */
export interface Surroundings {
	options: WebhookOptions;
	settings: WebhookSettings;
	sender: Sender;
	places: Places;
	/** The record has changed in what is worth keeping when there is occasion. */
	moved: (record: SubscriptionRecord) => void;
	/** It was suspended. */
	suspended: (record: SubscriptionRecord) => void;
	/** Its time is over. */
	expired: (subscription: LiveSubscription) => void;
	/** It never expires, and nothing was acknowledged for too long. */
	forlorn: (subscription: LiveSubscription) => void;
}

export interface LiveParts {
	type: SourceType;
	/** A batch that was read from the record's cursor already. */
	first?: Batch | undefined;
	around: Surroundings;
}

const SOURCE_RETRY_MS = 5_000;

export class LiveSubscription {
	readonly record: SubscriptionRecord;
	readonly #around: Surroundings;
	readonly #courier: Courier;
	readonly #reader: Reader;
	readonly #alarm: Alarm;
	readonly #stop = new AbortController();
	#sending = 0;
	#isSourceFailing = false;
	#sourceRetryAt = NEVER;

	constructor(record: SubscriptionRecord, { type, first, around }: LiveParts) {
		this.record = record;
		this.#around = around;
		this.#courier = new Courier({ record, type, ...around });
		this.#alarm = new Alarm(around.options.clock, () => this.#rang());
		// A few for each attempt under way.
		setMaxListeners(0, this.#stop.signal);
		if (first) this.#courier.take(first);
		this.#reader = new Reader({
			type,
			arguments: record.arguments,
			cursor: first?.cursor ?? record.cursor,
			room: () => (this.isActive ? this.#courier.outbox.room : 0),
			take: (batch) => this.#took(batch),
			failed: (error) => this.#sourceFailed(error),
		});
	}

	/** Begins to read, to send, and to count the time. */
	start(): void {
		this.#goOn();
	}

	get isOver(): boolean {
		return this.#stop.signal.aborted;
	}

	get isActive(): boolean {
		return !this.isOver && !this.record.isSuspended && !this.hasExpired;
	}

	get hasExpired(): boolean {
		const { expiresAt } = this.record;
		return expiresAt !== null && this.#now() >= expiresAt;
	}

	/** Events that are neither acknowledged nor given up, as far as they were read. */
	get unsettled(): number {
		return this.#courier.outbox.size;
	}

	get health(): Health {
		return this.#courier.health;
	}

	/** The safe watermark; null for a type without replay. */
	get cursor(): string | null {
		return this.#courier.hasReplay ? this.record.cursor : null;
	}

	/**
	 * After a refresh, when the record has the new times and secrets. A new secret, or the end of a suspension, brings
	 * the next attempts forward.
	 */
	refreshed(isNewSecret: boolean): void {
		const { record } = this;
		if (record.isSuspended) this.health.forgive();
		if (record.isSuspended || isNewSecret) this.#courier.outbox.makeAllDue();
		record.isSuspended = false;
		this.#goOn();
	}

	/** Whether there is a gap to tell; the caller tells it. */
	takeGap(): boolean {
		return this.#courier.takeGap();
	}

	/** Sends a `gap` envelope; returns its cursor, or null for a type without replay, where nothing is sent. */
	tellGap(): string | null {
		this.#courier.noteGap();
		this.#goOn();
		return this.cursor;
	}

	/** Nothing is sent any longer, and what is under way is broken off. */
	end(): void {
		this.#stop.abort();
		this.#reader.close();
		this.#alarm.clear();
	}

	#now(): number {
		return this.#around.options.clock.now();
	}

	#goOn(): void {
		if (this.isOver) return;
		void this.#reader.read();
		this.#dispatch();
	}

	#took(batch: Batch): void {
		this.#isSourceFailing = false;
		this.#courier.take(batch);
		this.#dispatch();
	}

	#dispatch(): void {
		const { places, settings } = this.#around;
		// An endpoint that fails is tried with one thing at a time, so that it takes no places from those that work.
		const isFailing = this.health.failedSince !== undefined;
		const most = isFailing ? 1 : settings.maxSendingPerSubscription;
		while (this.isActive && this.#sending < most) {
			const entry = this.#courier.outbox.nextDue(this.#now());
			if (!entry) break;
			entry.isOut = true;
			this.#sending++;
			places.run(() => this.#send(entry));
		}
		this.#alarm.set(this.#nextAt());
	}

	async #send(entry: OutboxEntry): Promise<void> {
		if (this.isActive) await this.#attempt(entry);
		entry.isOut = false;
		this.#sending--;
		this.#goOn();
	}

	async #attempt(entry: OutboxEntry): Promise<void> {
		const message = this.#courier.messageOf(entry);
		// More than a receiver need take (events.md 6).
		if (Buffer.byteLength(message.body) > DELIVERY_LIMIT_BYTES) {
			this.#courier.skip(entry);
			return;
		}
		const { sender, suspended } = this.#around;
		const attempted = await sender.send(message, this.#stop.signal);
		if (!attempted || this.isOver) return;
		this.#courier.conclude(entry, attempted);
		if (this.record.isSuspended || !this.health.isHopeless(this.#now())) return;
		this.record.isSuspended = true;
		suspended(this.record);
	}

	#sourceFailed(error: unknown): void {
		const { note } = this.#around.options;
		if (!this.#isSourceFailing)
			note(`reading ${this.record.name} for a webhook failed: ${error}`);
		this.#isSourceFailing = true;
		this.#sourceRetryAt = this.#now() + SOURCE_RETRY_MS;
		this.#alarm.set(this.#nextAt());
	}

	#nextAt(): number {
		const { outbox } = this.#courier;
		const end = this.record.expiresAt ?? this.#forlornAt();
		if (!this.isActive) return end;
		return Math.min(end, outbox.nextDueAt(this.#now()), this.#sourceRetryAt);
	}

	/** When a subscription that never expires has failed for too long. */
	#forlornAt(): number {
		const { failedSince } = this.health;
		if (failedSince === undefined || this.record.expiresAt !== null)
			return NEVER;
		return failedSince + this.#around.settings.dropAfterMs;
	}

	#rang(): void {
		if (this.isOver) return;
		if (this.#now() >= this.#sourceRetryAt) this.#sourceRetryAt = NEVER;
		if (this.hasExpired) this.#around.expired(this);
		else if (this.#now() >= this.#forlornAt()) this.#around.forlorn(this);
		else this.#goOn();
	}
}
