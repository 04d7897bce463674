// By what a repetition of a delivery is known: events by their eventId, all else by its message id (events.md 6).
import {
	type HeaderPair,
	headerValues,
	WEBHOOK_HEADERS,
} from "../../protocol/index.ts";
import type { ReceivedContent } from "../../receiver/index.ts";

/** undefined: it may come as often as it likes, as a verification may. */
export function deliveryKey(
	content: ReceivedContent,
	headers: readonly HeaderPair[],
): string | undefined {
	if (content.kind === "verification") return undefined;
	if (content.kind === "event") return `event ${content.occurrence.eventId}`;
	return `message ${messageId(headers)}`;
}

/** What the sender calls the message; "" where it gave no name. */
export function messageId(headers: readonly HeaderPair[]): string {
	return headerValues(headers, WEBHOOK_HEADERS.id)[0] ?? "";
}
