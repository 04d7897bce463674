// Items as a tail yields them, with everything pinned.
import { parseJsonBytes, readOccurrence } from "../../src/protocol/index.ts";
import type { Item } from "../../src/tail/index.ts";

export const RECEIVED_AT = Date.parse("2026-11-03T14:03:09.250Z");

export const about = (subscription = "orders.created") => ({
	subscription,
	via: "push" as const,
	receivedAt: RECEIVED_AT,
});

/** An event whose occurrence is this JSON text. */
export function eventFrom(
	json: string | Buffer,
	subscription?: string,
): Item & { kind: "event" } {
	const bytes = Buffer.from(json);
	const occurrence = readOccurrence(
		bytes,
		{ start: 0, end: bytes.length },
		parseJsonBytes(bytes),
		() => {},
	);
	return {
		...about(subscription ?? occurrence.name),
		kind: "event",
		occurrence,
	};
}

export const ORDER =
	'{"eventId":"evt_1","name":"orders.created","timestamp":"2026-11-03T14:03:07Z","data":{"id":12345678901234567890,"total":1.0,"customer":{"name":"Ann","tags":["a","b"]}},"cursor":"c1"}';
