// A captured delivery made ready to be sent again: its ids kept or made anew, its body changed where that was asked for.
import { Fault } from "../faults/index.ts";
import {
	headerValues,
	isRecord,
	parseJsonBytes,
	WEBHOOK_HEADERS,
} from "../protocol/index.ts";
import type { Capture } from "./capture.ts";
import { type JsonEdit, setValue } from "./edit-json.ts";
import { type Draft, withHeader } from "./outgoing.ts";

/** `event`: the webhook-id is the eventId (older text, ChatGPT); `message`: it is an id of its own (events.md 6). */
export type WebhookIdStyle = "event" | "message";

export interface RedraftOptions {
	/** Undefined: as it was captured. */
	webhookId: WebhookIdStyle | undefined;
	/** A new webhook-id; where that is the eventId, a new eventId. */
	isNewId: boolean;
	/** In place of the captured one. */
	subscriptionId: string | undefined;
	edits: readonly JsonEdit[];
	randomBytes: (size: number) => Buffer;
}

const ID_BYTES = 12;

/** `prefix_` and random text. */
export function newId(
	prefix: string,
	randomBytes: (size: number) => Buffer,
): string {
	return `${prefix}_${randomBytes(ID_BYTES).toString("base64url").replaceAll(/[-_]/g, "0")}`;
}

/** Throws `wrong-use` where the body cannot be changed as asked, or has no eventId to take. */
export function redraft(capture: Capture, options: RedraftOptions): Draft {
	const { randomBytes, subscriptionId, edits } = options;
	let { body } = capture;
	if (edits.length > 0) refuseNoJson(capture);
	for (const edit of edits) body = setValue(body, edit);
	let { eventId } = readIds(body);
	const [captured] = headerValues(capture.headers, WEBHOOK_HEADERS.id);
	const style =
		options.webhookId ??
		(captured !== undefined && captured === readIds(capture.body).eventId
			? "event"
			: "message");
	let webhookId = captured ?? newId("msg", randomBytes);
	if (style === "event" && eventId !== undefined) {
		if (options.isNewId) {
			eventId = newId("evt", randomBytes);
			const value = JSON.stringify(eventId);
			body = setValue(body, { path: ["eventId"], value });
		}
		webhookId = eventId;
	} else if (options.isNewId || webhookId === eventId)
		webhookId = newId("msg", randomBytes);
	const { headers } = capture;
	return {
		webhookId,
		eventId,
		headers:
			subscriptionId === undefined
				? headers
				: withHeader(headers, "X-MCP-Subscription-Id", subscriptionId),
		body,
	};
}

/** A capture to be sent byte for byte. */
export function draftAsCaptured({ headers, body }: Capture): Draft {
	const [webhookId = ""] = headerValues(headers, WEBHOOK_HEADERS.id);
	return { webhookId, eventId: readIds(body).eventId, headers, body };
}

/** The eventId of a body; undefined where it is no event. */
export function readIds(body: Buffer): { eventId: string | undefined } {
	try {
		const value: unknown = JSON.parse(body.toString("utf8"));
		if (isRecord(value) && typeof value.eventId === "string")
			return { eventId: value.eventId };
	} catch {
		// A body that is no JSON has no ids.
	}
	return { eventId: undefined };
}

function refuseNoJson({ id, body }: Capture): void {
	try {
		parseJsonBytes(body);
	} catch (cause) {
		if (!(cause instanceof Fault)) throw cause;
		throw new Fault("wrong-use", {
			what: `nothing can be set in ${id}`,
			why: "its body is no JSON",
			next: "leave --set out for it",
			cause,
		});
	}
}
