// Where deliveries enter the tail: told from repetitions, bounded, and turned into items in the order of arrival.
import { Fault } from "../../faults/index.ts";
import type { Occurrence } from "../../protocol/index.ts";
import type {
	Notice,
	ReceivedDelivery,
	RefusedDelivery,
} from "../../receiver/index.ts";
import type { Item } from "../item.ts";
import { deliveryKey, messageId } from "./delivery-id.ts";
import type { Outbox } from "./outbox.ts";
import { readMessage } from "./read-message.ts";
import {
	aboutWebhook,
	type WebhookFollow,
	type WebhookPieces,
} from "./webhook-follow.ts";

export interface IntakeOptions {
	/** By the label that the receiver knows them by. */
	follows: ReadonlyMap<string, WebhookFollow>;
	outbox: Outbox<WebhookFollow>;
	pieces: WebhookPieces;
	/** How many events are wanted in all; undefined: no end. */
	count: number | undefined;
}

/** What a consumer that does not read may make wait in memory. */
const MOST_WAITING = 10_000;
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
/** Beyond this, what was rejected is only counted: a stranger decides how much it is. */
const MOST_REJECTED = 200;

/** Hands deliveries to the consumer. The receiver's owner calls it, in the order of the methods below. */
export class Intake {
	readonly #options: IntakeOptions;
	#wanted: number;
	#silent = 0;

	constructor(options: IntakeOptions) {
		this.#options = options;
		this.#wanted = options.count ?? Number.POSITIVE_INFINITY;
	}

	/** Whether it was taken before, in an earlier run too: to be acknowledged, and kept no second time. */
	isRepeat(delivery: ReceivedDelivery): boolean {
		const follow = this.#follow(delivery.subscription);
		const key = deliveryKey(delivery.content, delivery.headers);
		if (!follow || key === undefined || !follow.seen.has(key)) return false;
		follow.seen.repeated++;
		return true;
	}

	/** Throws where it must not be kept now, so that the sender tries again later. */
	requireRoom({ content }: ReceivedDelivery): void {
		const { outbox } = this.#options;
		if (content.kind === "verification") return;
		if (this.#wanted <= 0)
			throw new Fault("rate-limited", {
				what: "no more events are taken: --count is reached",
			});
		if (outbox.length >= MOST_WAITING || outbox.bytes >= MOST_WAITING_BYTES)
			throw new Fault("rate-limited", {
				what: "no more deliveries are taken for now",
				why: `${outbox.length} of them wait to be read from stdout`,
			});
		if (isCounted(content.kind)) this.#wanted--;
	}

	/** What was granted by `requireRoom` could not be kept after all. */
	notKept({ content }: ReceivedDelivery): void {
		if (isCounted(content.kind)) this.#wanted++;
	}

	/** It is on disk: it goes to the consumer now. */
	kept(delivery: ReceivedDelivery, capture: string): void {
		const follow = this.#follow(delivery.subscription);
		if (!follow) return;
		const { content, headers, body, notes } = delivery;
		for (const note of notes) follow.odd(note);
		const key = deliveryKey(content, headers);
		if (key !== undefined && !follow.seen.isNew(key)) {
			this.notKept(delivery);
			return;
		}
		const items = this.#itemsOf(delivery, follow, capture);
		const cursor = cursorOf(delivery);
		if (cursor !== undefined) follow.cursorsCome++;
		const bytes = body.length;
		this.#options.outbox.put({ items, follow, cursor, capture, bytes });
		if (content.kind === "terminated")
			follow.bell.ring({ kind: "terminated", error: content.error });
		if (content.kind === "event") noteName(content.occurrence.name, follow);
	}

	/** It was refused, and kept under `capture` if at all. */
	refused(refused: RefusedDelivery, capture: string | undefined): void {
		const { candidates, receivedAtMs, reason, why, method, path } = refused;
		this.#reject({
			subscription: candidates.length === 1 ? (candidates[0] ?? "") : "",
			via: "webhook",
			receivedAt: receivedAtMs,
			kind: "rejected",
			reason,
			why,
			status: refused.answer.status,
			method,
			path,
			capture,
		});
	}

	/** What the receiver tells of beside its refusals. */
	notice(notice: Exclude<Notice, { kind: "refused" }>): void {
		const { pieces } = this.#options;
		if (notice.kind === "bound") {
			const { subscription, subscriptionId } = notice;
			pieces.note(
				`${subscription}: the server verified the callback for the subscription ${subscriptionId}`,
			);
			return;
		}
		if (notice.kind === "defect") {
			const why = notice.error instanceof Error ? notice.error.message : "";
			pieces.warn(`a request was answered 500, which is our bug: ${why}`);
			return;
		}
		const { delivery } = notice;
		if (notice.kind === "duplicate") {
			const follow = this.#follow(delivery.subscription);
			if (follow) follow.seen.repeated++;
			return;
		}
		const { fault } = notice;
		const why = fault instanceof Fault ? fault.why : undefined;
		this.#reject({
			subscription: delivery.subscription,
			via: "webhook",
			receivedAt: delivery.receivedAtMs,
			kind: "rejected",
			reason: "not-stored",
			why: [fault.message, why].filter(Boolean).join(": "),
			status: 503,
			method: delivery.method,
			path: delivery.path,
			capture: undefined,
		});
	}

	/** Whether so much waits to be read that what was rejected is only counted. */
	get isCrowded(): boolean {
		return this.#options.outbox.length >= MOST_REJECTED;
	}

	/** Items of others, such as of what handlers made of a delivery. */
	put(items: Item[]): void {
		this.#options.outbox.put({ items, follow: undefined });
	}

	#follow(label: string): WebhookFollow | undefined {
		return this.#options.follows.get(label);
	}

	#reject(item: Item & { kind: "rejected" }): void {
		const { outbox, pieces } = this.#options;
		if (outbox.length >= MOST_REJECTED) {
			this.#silent++;
			return;
		}
		if (this.#silent > 0)
			pieces.warn(`${this.#silent} more deliveries were rejected`);
		this.#silent = 0;
		outbox.put({ items: [item], follow: undefined });
	}

	#itemsOf(
		delivery: ReceivedDelivery,
		follow: WebhookFollow,
		capture: string,
	): Item[] {
		const { content, headers, body, receivedAtMs } = delivery;
		const head = aboutWebhook(follow, receivedAtMs);
		switch (content.kind) {
			case "event": {
				const { occurrence } = content;
				return [eventItem(follow, { receivedAtMs, occurrence, capture })];
			}
			case "message": {
				const occurrence = readMessage(body, messageId(headers));
				return [eventItem(follow, { receivedAtMs, occurrence, capture })];
			}
			case "unknown":
				return [{ ...head, kind: "envelope", type: content.type, capture }];
			case "verification":
				return [{ ...head, kind: "envelope", type: content.kind, capture }];
			case "gap": {
				const cursor = content.cursor ?? follow.position.cursor;
				return [
					{ ...head, kind: "envelope", type: content.kind, capture },
					{ ...head, kind: "gap", reason: "truncated", cursor },
				];
			}
			case "terminated": {
				const { error } = content;
				return [
					{ ...head, kind: "envelope", type: content.kind, capture },
					{ ...head, kind: "terminated", error },
				];
			}
		}
	}
}

/** Written out: each delivery comes by here, and spreading an object into another costs as much as a signature. */
function eventItem(
	{ subscription }: WebhookFollow,
	facts: { receivedAtMs: number; occurrence: Occurrence; capture: string },
): Item {
	return {
		subscription: subscription.label,
		via: "webhook",
		receivedAt: facts.receivedAtMs,
		kind: "event",
		occurrence: facts.occurrence,
		capture: facts.capture,
	};
}

const isCounted = (kind: ReceivedDelivery["content"]["kind"]) =>
	kind === "event" || kind === "message";

function cursorOf({ content }: ReceivedDelivery): string | undefined {
	if (content.kind === "event") return content.occurrence.cursor;
	return content.kind === "gap" ? content.cursor : undefined;
}

function noteName(name: string, follow: WebhookFollow): void {
	const { subscription, odd } = follow;
	if (subscription.name !== "" && name !== subscription.name)
		odd(`a delivery has the event name ${JSON.stringify(name.slice(0, 80))}`);
}
