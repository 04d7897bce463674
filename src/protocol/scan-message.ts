// The two messages of which there are many, read without JSON.parse: an event of a stream, and a poll result full of
// them. What is not plainly one of the two, and plainly right, is left to the reader that judges and explains.
import { isUtf8 } from "node:buffer";
import {
	IS_ORDINARY,
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

/** A key is known by its end too: with its closing quote it is the beginning of no other. */
const key = (text: string) => word(`${text}"`);
const JSONRPC = key("jsonrpc");
const METHOD = key("method");
const PARAMS = key("params");
const ID = key("id");
const RESULT = key("result");
const EVENTS = key("events");

/** The members of an occurrence that are looked at; by number, since they are looked up for every event. */
const [EVENT_ID, NAME, TIMESTAMP, DATA] = [0, 1, 2, 3];
const [CURSOR, META, REQUEST_ID] = [4, 5, 6];
const FIELDS = [
	...["eventId", "name", "timestamp", "data"],
	...["cursor", "_meta", "requestId"],
].map(key);
/** Their keys differ in the first byte: it says which one alone may stand there. Any will do where none can. */
const FIELD_BY_BYTE = new Uint8Array(256);
for (const [field, key] of FIELDS.entries())
	FIELD_BY_BYTE[key.readUInt8(0)] = field;
const ABSENT = -1;
/** Where the values of one occurrence stand. A scan never waits, so that one will do for all. */
const PLACES = new Int32Array(FIELDS.length);

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
	const end = scanMembers(bytes, scanSpace(bytes, 0), (key, at) => {
		if (isAt(bytes, key, JSONRPC)) {
			isVersioned = isAt(bytes, at, VERSION);
			return isVersioned ? at + VERSION.length : REFUSED;
		}
		if (isAt(bytes, key, METHOD)) {
			isEvent = isAt(bytes, at, EVENT_METHOD);
			return isEvent ? at + EVENT_METHOD.length : REFUSED;
		}
		if (!isAt(bytes, key, PARAMS)) return REFUSED;
		event = scanOccurrence(bytes, at);
		return event ? event.end : REFUSED;
	});
	if (!isWhole(bytes, end) || !isVersioned || !isEvent || !event)
		return undefined;
	const { occurrence, params } = event;
	const method = NOTIFICATIONS.event;
	return { kind: "notification", bytes, method, params, occurrence };
}

function scanResult(bytes: Buffer): Message | undefined {
	let events: ScannedEvents | undefined;
	const end = scanMembers(bytes, scanSpace(bytes, 0), (key, at) => {
		if (isAt(bytes, key, RESULT)) {
			events = undefined;
			return scanMembers(bytes, at, (key, at) => {
				if (!isAt(bytes, key, EVENTS))
					return hasEscape(bytes, key, at) ? REFUSED : scanValue(bytes, at);
				events = scanEvents(bytes, at);
				return events ? events.span.end : REFUSED;
			});
		}
		const isOther = isAt(bytes, key, JSONRPC) || isAt(bytes, key, ID);
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
	params: Params;
}

/** An occurrence as `readOccurrence` reads it where it finds nothing odd; undefined for any other. */
function scanOccurrence(bytes: Buffer, from: number): Scanned | undefined {
	PLACES.fill(ABSENT);
	const end = scanMembers(bytes, from, (key, value) => {
		const field = FIELD_BY_BYTE[bytes[key] as number] as number;
		if (isAt(bytes, key, FIELDS[field] as Buffer)) {
			PLACES[field] = value;
			return scanField(bytes, field, value);
		}
		return hasEscape(bytes, key, value) ? REFUSED : scanValue(bytes, value);
	});
	if (end === REFUSED || bytes[placeOf(DATA)] !== OPEN_BRACE) return undefined;
	// The oldest dialect's.
	if (placeOf(REQUEST_ID) !== ABSENT) return undefined;
	const eventId = textAt(bytes, placeOf(EVENT_ID));
	const name = nameAt(bytes, placeOf(NAME));
	const timestamp = textAt(bytes, placeOf(TIMESTAMP));
	const cursor = cursorAt(bytes, placeOf(CURSOR));
	if (!eventId || !name || !timestamp || cursor === null) return undefined;
	if (timestamp !== lastInstant && !isInstant(timestamp)) return undefined;
	lastInstant = timestamp;
	const params = paramsAt(bytes, placeOf(META));
	if (!params) return undefined;
	const raw = oneLine(bytes, { start: from, end });
	const occurrence = { raw, eventId, name, timestamp, cursor };
	return { end, params, occurrence };
}

/** What the last event had too was scanned with that one. */
function scanField(bytes: Buffer, field: number, at: number): number {
	if (field === NAME || field === META) {
		const { bytes: known } = field === NAME ? lastName : lastParams;
		if (isAt(bytes, at, known)) return at + known.length;
	}
	return scanValue(bytes, at);
}

const placeOf = (field: number) => PLACES[field] as number;

/** undefined: there is none; null: it is no cursor. */
function cursorAt(bytes: Buffer, at: number): string | undefined | null {
	if (at === ABSENT || isAt(bytes, at, NULL)) return undefined;
	return textAt(bytes, at) ?? null;
}

const ASCII_END = 0x80;

/** The string at a place that was scanned; undefined where no string stands there. */
function textAt(bytes: Buffer, from: number): string | undefined {
	if (from === ABSENT || bytes[from] !== QUOTE) return undefined;
	let at = from + 1;
	let allBits = 0;
	for (; IS_ORDINARY[bytes[at] as number] === 1; at++)
		allBits |= bytes[at] as number;
	if (bytes[at] !== QUOTE)
		return JSON.parse(bytes.toString("utf8", from, scanString(bytes, from)));
	// What is ASCII is the same in Latin-1, which needs no decoding.
	const encoding = allBits < ASCII_END ? "latin1" : "utf8";
	return bytes.toString(encoding, from + 1, at);
}

/** Events come in bursts of one millisecond, and reading a date is dear. */
let lastInstant = "";

/** All events of one stream carry the same name and the same `_meta`: what was read is kept beside its bytes. */
interface Read<T> {
	bytes: Buffer;
	value: T;
}
const KEPT_BYTES = 1024;
let lastName: Read<string> = { bytes: word('""'), value: "" };
type Params = Record<string, unknown>;
const NO_PARAMS: Params = {};
let lastParams: Read<Params> = { bytes: word("{}"), value: { _meta: {} } };

function nameAt(bytes: Buffer, at: number): string | undefined {
	if (isAt(bytes, at, lastName.bytes)) return lastName.value;
	const value = textAt(bytes, at);
	if (value !== undefined) lastName = keep(bytes, at, value) ?? lastName;
	return value;
}

/** The params of an event without its own members: `_meta`, if there is one. undefined: it is no object. */
function paramsAt(bytes: Buffer, at: number): Params | undefined {
	if (at === ABSENT) return NO_PARAMS;
	if (isAt(bytes, at, lastParams.bytes)) return lastParams.value;
	const end = scanValue(bytes, at);
	const _meta: unknown = JSON.parse(bytes.toString("utf8", at, end));
	if (!isRecord(_meta)) return undefined;
	const params = { _meta };
	lastParams = keep(bytes, at, params) ?? lastParams;
	return params;
}

/** What is long is not kept. */
function keep<T>(bytes: Buffer, at: number, value: T): Read<T> | undefined {
	const text = bytes.subarray(at, scanValue(bytes, at));
	return text.length <= KEPT_BYTES
		? { bytes: Buffer.from(text), value }
		: undefined;
}

const isWhole = (bytes: Buffer, end: number) =>
	end !== REFUSED && scanSpace(bytes, end) === bytes.length;

/** A key with an escape may be one of ours in disguise. */
function hasEscape(bytes: Buffer, start: number, end: number): boolean {
	for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
	return false;
}
