// The dialects that the server can write, in one table (dialects.md, Profiles of the tool): nothing else in the room
// asks for a profile's name, only for what stands in its row.
import {
	type DeliveryMode,
	SEP_CODES,
	SKETCH_CODES,
} from "../../protocol/index.ts";
import type { ErrorNumbers } from "../refusal.ts";
import type { ServedEras } from "../settings.ts";

export interface Profile {
	/** Where the capability stands: in the `extensions` map, as `events` beside it, or in both. */
	capabilityPlaces: readonly ("extensions" | "topLevel")[];
	/** The eras that it is spoken in, where none is asked for. */
	era: ServedEras;
	errorNumbers: ErrorNumbers;
	/** The `webhook-id` of an event: an id of the message, or the eventId. */
	webhookId: "message" | "event";
	/** Results that carry `resultType`: those of both eras, or of 2026-07-28 alone, which demands it. */
	resultType: "always" | "modern";
	/** `Mcp-Name` with an event's name; wrong is worse than missing. */
	eventNameHeader: "required" | "tolerated" | "ignored";
	modes: readonly DeliveryMode[];
	/** Whether a subscriber is told of skipped events, and of the end, by an envelope. */
	sendsEnvelopes: boolean;
	unsubscribeOfNothing: "NotFound" | "empty";
	/** Where list-change notices go: a `subscriptions/listen` stream, or what a legacy server sends unasked. */
	listChanges: "listen" | "ordinary" | "none";
	/** What the final frame of a stream says in `_meta`. */
	finalFrame: "subscriptionId" | "empty";
}

const final: Profile = {
	capabilityPlaces: ["extensions"],
	era: "modern",
	errorNumbers: SEP_CODES,
	webhookId: "message",
	resultType: "always",
	eventNameHeader: "required",
	modes: ["poll", "push", "webhook"],
	sendsEnvelopes: true,
	unsubscribeOfNothing: "NotFound",
	listChanges: "listen",
	finalFrame: "subscriptionId",
};

const chatgpt: Profile = {
	capabilityPlaces: ["extensions", "topLevel"],
	era: "both",
	errorNumbers: SKETCH_CODES,
	webhookId: "event",
	resultType: "modern",
	eventNameHeader: "tolerated",
	modes: ["webhook"],
	sendsEnvelopes: false,
	unsubscribeOfNothing: "empty",
	listChanges: "none",
	finalFrame: "empty",
};

const sketch: Profile = {
	capabilityPlaces: ["topLevel"],
	era: "legacy",
	errorNumbers: SKETCH_CODES,
	webhookId: "event",
	resultType: "modern",
	eventNameHeader: "ignored",
	modes: ["poll", "push", "webhook"],
	sendsEnvelopes: true,
	unsubscribeOfNothing: "NotFound",
	listChanges: "ordinary",
	finalFrame: "empty",
};

export const PROFILES = { final, chatgpt, sketch } as const;

export type ProfileName = keyof typeof PROFILES;

/** The era whose clients can be told of list changes; undefined where nobody is. */
export function eraOfNotices({ listChanges }: Profile) {
	if (listChanges === "none") return undefined;
	return listChanges === "listen" ? "modern" : "legacy";
}
