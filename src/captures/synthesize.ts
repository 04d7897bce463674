// Deliveries that nobody sent before: an event or an envelope of our own making, and ways to spoil one after it was signed.
import { Fault } from "../faults/index.ts";
import {
	type HeaderPair,
	isRecord,
	parseJsonBytes,
	WEBHOOK_HEADERS,
} from "../protocol/index.ts";
import type { Secret } from "../signing/index.ts";
import {
	type Draft,
	type Outgoing,
	signDraft,
	withHeader,
	withoutHeader,
} from "./outgoing.ts";

export interface EventToMake {
	eventId: string;
	name: string;
	timestampMs: number;
	/** The JSON of an object, kept as it is written. */
	data: string;
	cursor: string | undefined;
}

/** The body of an event. Throws `wrong-use` where the data is no JSON object. */
export function makeEventBody(event: EventToMake): Buffer {
	requireObject(event.data);
	const { eventId, name, timestampMs, cursor } = event;
	const timestamp = new Date(timestampMs).toISOString();
	const start = JSON.stringify({ eventId, name, timestamp }).slice(0, -1);
	const end = cursor === undefined ? "" : `,"cursor":${JSON.stringify(cursor)}`;
	return Buffer.from(`${start},"data":${event.data.trim()}${end}}`);
}

export type EnvelopeToMake =
	| { type: "gap"; cursor: string | undefined }
	| { type: "terminated"; error: string | undefined }
	| { type: "verification"; challenge: string };

export const ENVELOPE_TYPES = ["gap", "terminated", "verification"] as const;

const USUAL_ERROR = JSON.stringify({ code: -32024, message: "Forbidden" });

/** The body of a control envelope (events.md 6). `error` is the JSON of one. */
export function makeEnvelopeBody(envelope: EnvelopeToMake): Buffer {
	const { type } = envelope;
	if (type === "gap")
		return json({ type, cursor: envelope.cursor ?? "made-by-send" });
	if (type === "verification")
		return json({ type, challenge: envelope.challenge });
	if (envelope.error !== undefined) requireObject(envelope.error);
	const error = envelope.error?.trim() ?? USUAL_ERROR;
	return Buffer.from(`{"type":"terminated","error":${error}}`);
}

/** The headers of a delivery but for those of its signature. */
export function newHeaders(facts: {
	subscriptionId: string;
	userAgent: string;
}): HeaderPair[] {
	return [
		["Content-Type", "application/json"],
		["User-Agent", facts.userAgent],
		["X-MCP-Subscription-Id", facts.subscriptionId],
	];
}

export const CORRUPTIONS = [
	"signature",
	"timestamp",
	"body",
	"id",
	"header",
] as const;
export type Corruption = (typeof CORRUPTIONS)[number];

const TOO_OLD_MS = 3_600_000;

/** Signs a draft and makes one thing wrong with it. What is wrong is wrong by itself: the rest is right. */
export function signCorrupted(
	draft: Draft,
	corruption: Corruption,
	{ secret, nowMs }: { secret: Secret; nowMs: number },
): Outgoing {
	const signedAtMs = corruption === "timestamp" ? nowMs - TOO_OLD_MS : nowMs;
	const { headers, body } = signDraft(draft, secret, signedAtMs);
	const { id, signature } = WEBHOOK_HEADERS;
	switch (corruption) {
		// Signed well, an hour ago: only who looks at the time refuses it.
		case "timestamp":
			return { headers, body };
		case "signature":
			return { headers: flipSignature(headers), body };
		// The same JSON by its meaning: only who checks the raw bytes refuses it.
		case "body":
			return {
				headers,
				body: Buffer.concat([body, Buffer.from(" ")]),
			};
		case "id":
			return { headers: withHeader(headers, id, `${draft.webhookId}x`), body };
		case "header":
			return { headers: withoutHeader(headers, signature), body };
	}
}

function flipSignature(headers: readonly HeaderPair[]): HeaderPair[] {
	const { signature } = WEBHOOK_HEADERS;
	return headers.map(([name, value]): HeaderPair => {
		if (name.toLowerCase() !== signature) return [name, value];
		const bytes = Buffer.from(value.replace(/^v1,/, ""), "base64");
		bytes[0] = (bytes[0] ?? 0) ^ 1;
		return [name, `v1,${bytes.toString("base64")}`];
	});
}

const json = (value: object) => Buffer.from(JSON.stringify(value));

function requireObject(text: string): void {
	let value: unknown;
	try {
		value = parseJsonBytes(Buffer.from(text));
	} catch (cause) {
		if (!(cause instanceof Fault)) throw cause;
	}
	if (isRecord(value)) return;
	throw new Fault("wrong-use", {
		what: "--data is not a JSON object",
		why: `it begins ${JSON.stringify(text.slice(0, 80))}`,
		next: `--data '{"total": 12.5}', or @FILE, or - for stdin`,
	});
}
