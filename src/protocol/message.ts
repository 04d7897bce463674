// One JSON-RPC message with the bytes it came in. Shape only: who asked, and what for, is the session's to know.
import { Fault, type WireErrorFacts } from "../faults/index.ts";
import { memberSpans, parseJsonBytes, type Span } from "./json-text.ts";
import type { Occurrence } from "./occurrence.ts";
import { readWireError } from "./wire-errors.ts";

export type RequestId = string | number;

/** A message as received: `bytes` hold exactly this JSON text, `value` is what JSON.parse makes of it. */
export type Message = { bytes: Buffer } & (
	| {
			kind: "result";
			id: RequestId;
			result: Record<string, unknown>;
			/** Set where `result.events` was read already, and is empty (see scanMessage). */
			occurrences?: Occurrence[];
	  }
	| { kind: "error"; id: RequestId | undefined; error: WireErrorFacts }
	| {
			kind: "notification";
			method: string;
			params: Record<string, unknown>;
			/** Set where the event was read already, and `params` hold no more than `_meta` (see scanMessage). */
			occurrence?: Occurrence;
	  }
	| {
			kind: "request";
			id: RequestId;
			method: string;
			params: Record<string, unknown>;
	  }
);

/**
 * Reads one JSON-RPC message. Throws `not-json`, or `wrong-shape` for JSON that is no JSON-RPC 2.0 message
 * (base.md, Messages). A missing or null id on an error reads as undefined.
 */
export function parseMessage(bytes: Buffer): Message {
	return messageFrom(bytes, parseJsonBytes(bytes));
}

/** The same for JSON that is parsed already; `bytes` must be its text. */
export function messageFrom(bytes: Buffer, value: unknown): Message {
	if (!isRecord(value)) throw shapeFault("it is no JSON object", bytes);
	if (value.jsonrpc !== "2.0")
		throw shapeFault('it lacks "jsonrpc": "2.0"', bytes);
	if (typeof value.method === "string")
		return fromCaller(bytes, value, value.method);
	if ("error" in value && value.error !== undefined) {
		const error = readWireError(value.error);
		if (!error) throw shapeFault("its error has no integer code", bytes);
		return {
			kind: "error",
			bytes,
			id: isRequestId(value.id) ? value.id : undefined,
			error,
		};
	}
	if (!isRequestId(value.id))
		throw shapeFault("it has neither a method nor an id", bytes);
	if (!isRecord(value.result))
		throw shapeFault("its result is no object", bytes);
	return { kind: "result", bytes, id: value.id, result: value.result };
}

function fromCaller(
	bytes: Buffer,
	value: Record<string, unknown>,
	method: string,
): Message {
	if (value.params !== undefined && !isRecord(value.params))
		throw shapeFault(`the params of ${method} are no object`, bytes);
	const params = value.params ?? {};
	if (isRequestId(value.id))
		return { kind: "request", bytes, id: value.id, method, params };
	return { kind: "notification", bytes, method, params };
}

/** Where `params` or `result` stand in the bytes of a message; undefined if absent. */
export function payloadSpan(
	message: Message,
	member: "params" | "result",
): Span | undefined {
	return memberSpans(message.bytes).get(member);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isRequestId(value: unknown): value is RequestId {
	return typeof value === "string" || Number.isSafeInteger(value);
}

function shapeFault(why: string, bytes: Buffer): Fault {
	const start = bytes.subarray(0, 120).toString("utf8");
	return new Fault("wrong-shape", {
		what: "the server sent JSON that is no JSON-RPC message",
		why: `${why}; it begins ${JSON.stringify(start)}`,
	});
}
