// The answer to events/subscribe (events.md 6), in every dialect.

import { Fault } from "../faults/index.ts";
import { excerpt } from "./excerpt.ts";
import { isRecord } from "./message.ts";
import { isInstant, type Odd, readCursor } from "./occurrence.ts";

/** The categories of a failing callback; `deliveryStatus.lastError` and `data.reason` are one of them. */
export const CALLBACK_REASONS = [
	"connection_refused",
	"timeout",
	"tls_error",
	"http_4xx",
	"http_5xx",
	"challenge_failed",
] as const;

export type CallbackReason = (typeof CALLBACK_REASONS)[number];

/** How deliveries have gone, as the server tells it on a refresh. Times are epoch milliseconds. */
export interface DeliveryStatus {
	/** False: it had been suspended, until this very refresh. */
	active: boolean;
	lastDeliveryAt: number | undefined;
	lastError: CallbackReason | undefined;
	failedSince: number | undefined;
	/** Delayed, not failing. */
	throttled: boolean;
	retryAfterMs: number | undefined;
}

/** A webhook subscription as the server granted it. */
export interface WebhookGrant {
	id: string;
	/** Epoch milliseconds; null: it never expires; undefined: the server sent nothing that could be read. */
	refreshBefore: number | null | undefined;
	cursor: string | undefined;
	truncated: boolean;
	deliveryStatus: DeliveryStatus | undefined;
}

/** What may stand in a header by itself: the id comes back in one with every delivery. */
const SAFE_ID = /^[\x21-\x7e]{1,1024}$/;

/** Reads a subscribe result; throws `wrong-shape` where there is no id that a delivery could carry. */
export function readSubscribeResult(
	result: Record<string, unknown>,
	odd: Odd,
): WebhookGrant {
	const { id, refreshBefore, cursor, truncated, deliveryStatus } = result;
	if (typeof id !== "string" || !SAFE_ID.test(id))
		throw new Fault("wrong-shape", {
			what: "the server broke the contract: a subscription has no usable id",
			why: `it sent ${quote(id)}, and a header must be able to carry it`,
		});
	return {
		id,
		refreshBefore: readExpiry(refreshBefore, odd),
		cursor: readCursor(cursor),
		truncated: truncated === true,
		deliveryStatus: readDeliveryStatus(deliveryStatus, odd),
	};
}

function readExpiry(value: unknown, odd: Odd): number | null | undefined {
	if (value === null) return null;
	const time = readInstant(value);
	if (time === undefined)
		odd(
			`refreshBefore is ${quote(value)}, no ISO 8601 instant and not null; refreshed as if it were short`,
		);
	return time;
}

function readDeliveryStatus(
	value: unknown,
	odd: Odd,
): DeliveryStatus | undefined {
	if (value === undefined || value === null) return undefined;
	if (!isRecord(value)) {
		odd(`deliveryStatus is ${quote(value)}, no object; ignored`);
		return undefined;
	}
	const { active, lastError, throttled, retryAfterMs } = value;
	if (typeof active !== "boolean")
		odd("deliveryStatus has no boolean named active; read as true");
	const reason = CALLBACK_REASONS.find((known) => known === lastError);
	if (lastError !== undefined && lastError !== null && !reason)
		odd(`deliveryStatus.lastError is ${quote(lastError)}, no known category`);
	const isWait = typeof retryAfterMs === "number" && retryAfterMs >= 0;
	return {
		active: active !== false,
		lastDeliveryAt: readInstant(value.lastDeliveryAt),
		lastError: reason,
		failedSince: readInstant(value.failedSince),
		throttled: throttled === true,
		retryAfterMs: isWait ? retryAfterMs : undefined,
	};
}

function readInstant(value: unknown): number | undefined {
	return typeof value === "string" && isInstant(value)
		? Date.parse(value)
		: undefined;
}

const quote = (value: unknown) => excerpt(value, 120);
