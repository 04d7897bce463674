// The two messages of which there are many, read without JSON.parse: an event of a stream, and a poll result full of
// them. What is not plainly one of the two, and plainly right, is left to the reader that judges and explains.
import { isUtf8 } from "node:buffer";
import {
	isAt,
	REFUSED,
	scanElements,
	scanMembers,
	scanSpace,
	scanString,
	scanValue,
} from "./json-scan.ts";
import { oneLine, type Span } from "./json-text.ts";
import { isRecord, isRequestId, type Message } from "./message.ts";
import { NOTIFICATIONS } from "./methods.ts";
import { isInstant, type Occurrence } from "./occurrence.ts";

const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const QUOTE = 0x22;

const word = (text: string) => Buffer.from(text, "latin1");
const VERSION = word('"2.0"');
const EVENT_METHOD = word(JSON.stringify(NOTIFICATIONS.event));
const NULL = word("null");
const NO_EVENTS = word("[]");
const JSONRPC = word("jsonrpc");
const METHOD = word("method");
const PARAMS = word("params");
const ID = word("id");
const RESULT = word("result");
const EVENTS = word("events");
const EVENT_ID = word("eventId");
const NAME = word("name");
const TIMESTAMP = word("timestamp");
const DATA = word("data");
const CURSOR = word("cursor");
const META = word("_meta");
const REQUEST_ID = word("requestId");

/**
 * Reads a message that is an event's notification, or a result whose `events` are occurrences, without a flaw;
 * undefined otherwise. It says what `messageFrom` says, but for this: an event stands under `occurrence` and its params
 * hold `_meta` alone; the events of a result stand under `occurrences` and `result.events` is empty.
 */
export function scanMessage(bytes: Buffer): Message | undefined {
	if (!isUtf8(bytes)) return undefined;
	return scanEvent(bytes) ?? scanResult(bytes);
}

function scanEvent(bytes: Buffer): Message | undefined {
	let isVersioned = false;
	let isEvent = false;
	let event: Scanned | undefined;
	// A repeated key keeps its last value, as JSON.parse has it.
	const end = scanMembers(bytes, scanSpace(bytes, 0), (start, end, at) => {
		if (isKey(bytes, start, end, JSONRPC)) {
			isVersioned = isAt(bytes, at, VERSION);
			return isVersioned ? at + VERSION.length : REFUSED;
		}
		if (isKey(bytes, start, end, METHOD)) {
			isEvent = isAt(bytes, at, EVENT_METHOD);
			return isEvent ? at + EVENT_METHOD.length : REFUSED;
		}
		if (!isKey(bytes, start, end, PARAMS)) return REFUSED;
		event = scanOccurrence(bytes, at);
		return event ? event.end : REFUSED;
	});
	if (!isWhole(bytes, end) || !isVersioned || !isEvent || !event)
		return undefined;
	const { occurrence, meta } = event;
	const params = meta === undefined ? {} : { _meta: meta };
	const method = NOTIFICATIONS.event;
	return { kind: "notification", bytes, method, params, occurrence };
}

function scanResult(bytes: Buffer): Message | undefined {
	let events: ScannedEvents | undefined;
	const end = scanMembers(bytes, scanSpace(bytes, 0), (start, end, at) => {
		if (isKey(bytes, start, end, RESULT)) {
			events = undefined;
			return scanMembers(bytes, at, (start, end, at) => {
				if (!isKey(bytes, start, end, EVENTS))
					return hasEscape(bytes, start, end) ? REFUSED : scanValue(bytes, at);
				events = scanEvents(bytes, at);
				return events ? events.span.end : REFUSED;
			});
		}
		const isOther =
			isKey(bytes, start, end, JSONRPC) || isKey(bytes, start, end, ID);
		return isOther ? scanValue(bytes, at) : REFUSED;
	});
	if (!isWhole(bytes, end) || !events) return undefined;
	const { span, occurrences } = events;
	const rest = [
		bytes.subarray(0, span.start),
		NO_EVENTS,
		bytes.subarray(span.end),
	];
	const { jsonrpc, id, result } = JSON.parse(
		Buffer.concat(rest).toString("utf8"),
	);
	if (jsonrpc !== "2.0" || !isRequestId(id)) return undefined;
	return { kind: "result", bytes, id, result, occurrences };
}

interface ScannedEvents {
	span: Span;
	occurrences: Occurrence[];
}

function scanEvents(bytes: Buffer, from: number): ScannedEvents | undefined {
	const occurrences: Occurrence[] = [];
	const end = scanElements(bytes, from, (at) => {
		const scanned = scanOccurrence(bytes, at);
		if (!scanned) return REFUSED;
		occurrences.push(scanned.occurrence);
		return scanned.end;
	});
	if (end === REFUSED) return undefined;
	return { span: { start: from, end }, occurrences };
}

interface Scanned {
	end: number;
	occurrence: Occurrence;
	meta: Record<string, unknown> | undefined;
}

/** An occurrence as `readOccurrence` reads it where it finds nothing odd; undefined for any other. */
function scanOccurrence(bytes: Buffer, from: number): Scanned | undefined {
	const at = { ...NOWHERE };
	const end = scanMembers(bytes, from, (start, end, value) => {
		if (isKey(bytes, start, end, EVENT_ID)) at.eventId = value;
		else if (isKey(bytes, start, end, NAME)) at.name = value;
		else if (isKey(bytes, start, end, TIMESTAMP)) at.timestamp = value;
		else if (isKey(bytes, start, end, DATA)) at.data = value;
		else if (isKey(bytes, start, end, CURSOR)) at.cursor = value;
		else if (isKey(bytes, start, end, META)) at.meta = value;
		// The oldest dialect's.
		else if (isKey(bytes, start, end, REQUEST_ID)) return REFUSED;
		else if (hasEscape(bytes, start, end)) return REFUSED;
		return scanValue(bytes, value);
	});
	if (end === REFUSED || bytes[at.data] !== OPEN_BRACE) return undefined;
	const eventId = textAt(bytes, at.eventId);
	const name = textAt(bytes, at.name);
	const timestamp = textAt(bytes, at.timestamp);
	const cursor = cursorAt(bytes, at.cursor);
	if (!eventId || !name || !timestamp || cursor === null) return undefined;
	if (timestamp !== lastInstant && !isInstant(timestamp)) return undefined;
	lastInstant = timestamp;
	const meta = at.meta === ABSENT ? undefined : metaAt(bytes, at.meta);
	if (meta === null) return undefined;
	const raw = oneLine(bytes, { start: from, end });
	return { end, meta, occurrence: { raw, eventId, name, timestamp, cursor } };
}

const ABSENT = -1;
const NOWHERE = {
	eventId: ABSENT,
	name: ABSENT,
	timestamp: ABSENT,
	data: ABSENT,
	cursor: ABSENT,
	meta: ABSENT,
};

/** undefined: there is none; null: it is no cursor. */
function cursorAt(bytes: Buffer, at: number): string | undefined | null {
	if (at === ABSENT || isAt(bytes, at, NULL)) return undefined;
	return textAt(bytes, at) ?? null;
}

/** The string at a place that was scanned; undefined where no string stands there. */
function textAt(bytes: Buffer, at: number): string | undefined {
	if (bytes[at] !== QUOTE) return undefined;
	const end = scanString(bytes, at);
	if (!hasEscape(bytes, at, end))
		return bytes.toString("utf8", at + 1, end - 1);
	return JSON.parse(bytes.toString("utf8", at, end));
}

/** Events come in bursts of one millisecond, and reading a date is dear. */
let lastInstant = "";

/** All events of one stream carry the same `_meta`. */
let lastMeta = {
	bytes: Buffer.from("{}"),
	value: {} as Record<string, unknown>,
};

/** null where it is no object. */
function metaAt(bytes: Buffer, at: number): Record<string, unknown> | null {
	if (isAt(bytes, at, lastMeta.bytes)) return lastMeta.value;
	const text = bytes.subarray(at, scanValue(bytes, at));
	const value: unknown = JSON.parse(text.toString("utf8"));
	if (!isRecord(value)) return null;
	if (text.length <= KEPT_META_BYTES)
		lastMeta = { bytes: Buffer.from(text), value };
	return value;
}

const KEPT_META_BYTES = 1024;

const isWhole = (bytes: Buffer, end: number) =>
	end !== REFUSED && scanSpace(bytes, end) === bytes.length;

const isKey = (bytes: Buffer, start: number, end: number, key: Buffer) =>
	end - start === key.length && isAt(bytes, start, key);

/** A key with an escape may be one of ours in disguise. */
function hasEscape(bytes: Buffer, start: number, end: number): boolean {
	for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
	return false;
}
