// Control envelopes (events.md 6) and the ids under which messages travel.
import { createHash } from "node:crypto";
import { isRecord } from "../../protocol/index.ts";
import type { ErrorNumbers, Refusal } from "../refusal.ts";
import type { ServerEvent } from "../source.ts";

type RandomBytes = (size: number) => Buffer;
const ID_BYTES = 16;
/** What stands in a header on every path; longer ids meet limits of proxies. */
const SAFE_ID = /^[\x21-\x7e]{1,256}$/;

export const gapBody = (cursor: string) =>
	JSON.stringify({ type: "gap", cursor });

export const terminatedBody = (error: Refusal, numbers: ErrorNumbers) =>
	JSON.stringify({ type: "terminated", error: error.toWire(numbers) });

/** `msg_<type>_<random>`. */
export const envelopeId = (
	type: "gap" | "terminated",
	randomBytes: RandomBytes,
) => `msg_${type}_${randomBytes(ID_BYTES).toString("hex")}`;

/** An id for one message; retries keep it. */
export const messageId = (randomBytes: RandomBytes) =>
	`msg_${randomBytes(ID_BYTES).toString("hex")}`;

/** The eventId, or what stands for it, always the same, where a header cannot carry it. */
export function eventIdAsMessageId(event: ServerEvent): string {
	const occurrence: unknown = JSON.parse(`${event.head}}`);
	const eventId = isRecord(occurrence) ? String(occurrence.eventId) : "";
	if (SAFE_ID.test(eventId)) return eventId;
	return `evt_${createHash("sha256").update(eventId).digest("base64url")}`;
}
