// JSON as bytes: checks it and finds where its parts stand, so that they can be passed on as they were written.
// Nothing here re-writes a number, a key or an escape.
import { isUtf8 } from "node:buffer";
import { Fault } from "../faults/index.ts";

/** A half-open range of bytes. */
export interface Span {
	start: number;
	end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const isWhiteSpace = (byte: number | undefined) =>
	byte === 0x20 ||
	byte === LINE_FEED ||
	byte === CARRIAGE_RETURN ||
	byte === 0x09;

/**
 * Parses UTF-8 bytes as one JSON text, exactly as JSON.parse does. Throws a `not-json` fault that quotes the
 * beginning; a leading byte order mark is no JSON.
 */
export function parseJsonBytes(bytes: Buffer): unknown {
	if (!isUtf8(bytes)) throw notJson(bytes, "it is not valid UTF-8");
	try {
		return JSON.parse(bytes.toString("utf8"));
	} catch (cause) {
		throw notJson(bytes, cause instanceof Error ? cause.message : undefined);
	}
}

function notJson(bytes: Buffer, reason: string | undefined): Fault {
	const start = bytes.subarray(0, 120).toString("utf8");
	return new Fault("not-json", {
		what: "the server sent something that is not JSON",
		why: `it begins ${JSON.stringify(start)}${reason ? `; ${reason}` : ""}`,
	});
}

/**
 * The spans of an object's values by key, in bytes that are known to be valid JSON. `start` is at or before the
 * opening brace. A repeated key keeps its last value, as JSON.parse has it. Empty where no object stands there.
 * Looks no further once it has `most` of them.
 */
export function memberSpans(
	bytes: Buffer,
	start = 0,
	most = Number.POSITIVE_INFINITY,
): Map<string, Span> {
	const spans = new Map<string, Span>();
	let at = skipWhiteSpace(bytes, start);
	if (bytes[at] !== OPEN_BRACE) return spans;
	at = skipWhiteSpace(bytes, at + 1);
	while (bytes[at] === QUOTE && spans.size < most) {
		const keyEnd = skipString(bytes, at);
		const key = readKey(bytes, at, keyEnd);
		at = skipWhiteSpace(bytes, keyEnd);
		if (bytes[at] !== COLON) return spans;
		const valueStart = skipWhiteSpace(bytes, at + 1);
		const end = skipValue(bytes, valueStart);
		spans.set(key, { start: valueStart, end });
		at = skipWhiteSpace(bytes, end);
		if (bytes[at] !== COMMA) break;
		at = skipWhiteSpace(bytes, at + 1);
	}
	return spans;
}

/**
 * The spans of an array's elements, the first `most` of them, in bytes that are known to be valid JSON. Empty where no
 * array stands there.
 */
export function elementSpans(
	bytes: Buffer,
	start = 0,
	most = Number.POSITIVE_INFINITY,
): Span[] {
	const spans: Span[] = [];
	let at = skipWhiteSpace(bytes, start);
	if (bytes[at] !== OPEN_BRACKET) return spans;
	at = skipWhiteSpace(bytes, at + 1);
	while (
		at < bytes.length &&
		bytes[at] !== CLOSE_BRACKET &&
		spans.length < most
	) {
		const end = skipValue(bytes, at);
		if (end === at) break;
		spans.push({ start: at, end });
		at = skipWhiteSpace(bytes, end);
		if (bytes[at] !== COMMA) break;
		at = skipWhiteSpace(bytes, at + 1);
	}
	return spans;
}

/**
 * The bytes of a span on one line. Line ends can only be insignificant white space in valid JSON: where there are
 * any, all insignificant white space goes; otherwise these are the very bytes, not a copy.
 */
export function oneLine(bytes: Buffer, span: Span): Buffer {
	const slice = bytes.subarray(span.start, span.end);
	if (!slice.includes(LINE_FEED) && !slice.includes(CARRIAGE_RETURN))
		return slice;
	const out = Buffer.allocUnsafe(slice.length);
	let length = 0;
	for (let at = 0; at < slice.length; ) {
		if (slice[at] === QUOTE) {
			const end = skipString(slice, at);
			length += slice.copy(out, length, at, end);
			at = end;
		} else {
			const byte = slice[at++] as number;
			if (!isWhiteSpace(byte)) out[length++] = byte;
		}
	}
	return out.subarray(0, length);
}

function readKey(bytes: Buffer, start: number, end: number): string {
	const text = bytes.toString("utf8", start + 1, end - 1);
	return text.includes("\\") ? JSON.parse(`"${text}"`) : text;
}

function skipWhiteSpace(bytes: Buffer, from: number): number {
	let at = from;
	while (isWhiteSpace(bytes[at])) at++;
	return at;
}

/** `from` is at the opening quote; returns the place after the closing one. */
function skipString(bytes: Buffer, from: number): number {
	let at = from + 1;
	for (; at < bytes.length; at++) {
		if (bytes[at] === BACKSLASH) at++;
		else if (bytes[at] === QUOTE) return at + 1;
	}
	return bytes.length;
}

function skipValue(bytes: Buffer, from: number): number {
	let at = from;
	let depth = 0;
	while (at < bytes.length) {
		const byte = bytes[at];
		if (byte === QUOTE) {
			at = skipString(bytes, at);
			if (depth === 0) return at;
			continue;
		}
		if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
		else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
			if (depth === 0) return at;
			if (--depth === 0) return at + 1;
		} else if (depth === 0 && (byte === COMMA || isWhiteSpace(byte))) return at;
		at++;
	}
	return at;
}
