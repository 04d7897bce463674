// What a proven POST becomes as an event: its id, its time, its type and its data, by the habits of its sender.
import type { IncomingHttpHeaders } from "node:http";
import { Fault } from "../../../faults/index.ts";
import { parseJsonBytes } from "../../../protocol/index.ts";
import {
	type JsonPayload,
	payloadOf,
	readIdMember,
	readMoment,
} from "../json-payload.ts";
import { type InboundScheme, idOf } from "./schemes.ts";

export interface InboundEvent {
	/** The sender's own id; undefined where it has none. */
	id: string | undefined;
	/** What the sender calls this kind of event, for the filter. */
	type: string | undefined;
	/** When it happened, in epoch milliseconds, where the sender says so. */
	at: number | undefined;
	/** JSON text of an object, on one line. */
	dataText: string;
}

export interface PostFields {
	scheme: InboundScheme;
	idField?: string | undefined;
	timestampField?: string | undefined;
}

const GITHUB_EVENT = /^[a-z0-9_]{1,64}$/;
const MAX_ID_LENGTH = 256;

/** undefined where the body is no JSON, or lacks what its scheme always brings. */
export function readPost(
	headers: IncomingHttpHeaders,
	body: Buffer,
	fields: PostFields,
): InboundEvent | undefined {
	const payload = readJson(body);
	if (!payload) return undefined;
	const { text, record } = payload;
	const type = typeof record?.type === "string" ? record.type : undefined;
	switch (fields.scheme) {
		case "standard-webhooks": {
			const id = idOf(headers, "webhook-id");
			const at = readMoment(record?.timestamp);
			return id === undefined ? undefined : { id, type, at, dataText: text };
		}
		case "github": {
			const event = headers["x-github-event"];
			const id = idOf(headers, "x-github-delivery");
			if (typeof event !== "string" || !GITHUB_EVENT.test(event))
				return undefined;
			if (id === undefined) return undefined;
			// The payload itself does not say what kind of event it is.
			const dataText = `{"event":"${event}","payload":${text}}`;
			return { id, type: event, at: undefined, dataText };
		}
		case "stripe": {
			const id = readIdMember(payload, "id");
			if (id === undefined || id.length > MAX_ID_LENGTH) return undefined;
			return { id, type, at: readMoment(record?.created), dataText: text };
		}
		case "plain":
			return readPlain(payload, type, fields);
	}
}

function readPlain(
	payload: JsonPayload,
	type: string | undefined,
	{ idField, timestampField = "timestamp" }: PostFields,
): InboundEvent | undefined {
	const id = idField === undefined ? undefined : readIdMember(payload, idField);
	if (id !== undefined && id.length > MAX_ID_LENGTH) return undefined;
	const at = readMoment(payload.record?.[timestampField]);
	return { id, type, at, dataText: payload.text };
}

function readJson(body: Buffer): JsonPayload | undefined {
	try {
		return payloadOf(body, parseJsonBytes(body));
	} catch (error) {
		if (error instanceof Fault) return undefined;
		throw error;
	}
}
