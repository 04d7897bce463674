// The words of a webhook delivery, and what its body says (events.md 6). Whether to believe it is for `signing` to tell.
import { Fault, type WireErrorFacts } from "../faults/index.ts";
import { isRecord } from "./message.ts";
import { type Occurrence, type Odd, readOccurrence } from "./occurrence.ts";
import { readWireError } from "./wire-errors.ts";

/** Header names in lower case. */
export const WEBHOOK_HEADERS = {
	id: "webhook-id",
	timestamp: "webhook-timestamp",
	signature: "webhook-signature",
	subscriptionId: "x-mcp-subscription-id",
} as const;

/** Where a server makes the keys of its `v1a` signatures known (dialects.md). */
export const JWKS_PATH = "/.well-known/mcp-webhook-jwks.json";
export const WELL_KNOWN_PATH = "/.well-known/mcp-webhook-receiver.json";
/** The most that the body of one delivery should have. */
export const DELIVERY_LIMIT_BYTES = 256 * 1024;
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** One header as it stood in the request: name, then value. Order and repetition are kept. */
export type HeaderPair = readonly [name: string, value: string];

/** The values of a header, whatever the case of its name. */
export function headerValues(
	headers: readonly HeaderPair[],
	name: string,
): string[] {
	const values: string[] = [];
	// The lengths are compared first: this runs several times for each header of each delivery.
	for (const [key, value] of headers)
		if (key.length === name.length && key.toLowerCase() === name)
			values.push(value);
	return values;
}

/** What a delivery's body says. An occurrence has no top-level `type`; every envelope has one. */
export type DeliveryContent =
	| { kind: "event"; occurrence: Occurrence }
	| { kind: "verification"; challenge: string }
	/** `cursor` is undefined where the envelope has none. */
	| { kind: "gap"; cursor: string | undefined }
	| { kind: "terminated"; error: WireErrorFacts }
	/** An envelope of a type that we do not know: no event, yet acknowledged and told. */
	| { kind: "unknown"; type: string };

/**
 * Reads the parsed body of a delivery; `bytes` is its text. Throws `wrong-shape` where it is neither an occurrence
 * nor an envelope with what its type demands.
 */
export function readDeliveryContent(
	bytes: Buffer,
	value: unknown,
	odd: Odd,
): DeliveryContent {
	if (!isRecord(value) || value.type === undefined) {
		const span = { start: 0, end: bytes.length };
		return {
			kind: "event",
			occurrence: readOccurrence(bytes, span, value, odd),
		};
	}
	return readEnvelope(value, odd);
}

function readEnvelope(
	value: Record<string, unknown>,
	odd: Odd,
): DeliveryContent {
	const { type, challenge, cursor, error } = value;
	if (type === "verification") {
		if (typeof challenge === "string" && challenge !== "")
			return { kind: "verification", challenge };
		throw new Fault("wrong-shape", {
			what: "a verification envelope has no challenge to echo",
			why: "its challenge is no string, or an empty one",
		});
	}
	if (type === "gap") {
		if (typeof cursor === "string") return { kind: "gap", cursor };
		odd("a gap envelope has no cursor");
		return { kind: "gap", cursor: undefined };
	}
	if (type === "terminated") {
		const facts = readWireError(error);
		if (facts) return { kind: "terminated", error: facts };
		odd("a terminated envelope has no error with an integer code");
		const unsaid = { name: "Unknown", code: 0, message: "" };
		return { kind: "terminated", error: unsaid };
	}
	return { kind: "unknown", type: typeof type === "string" ? type : "" };
}
