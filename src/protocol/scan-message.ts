// The two messages of which there are many, read without JSON.parse: an event of a stream, and a poll result full of
// them. What is not plainly one of the two, and plainly right, is left to the reader that judges and explains.
import { isUtf8 } from "node:buffer";
import {
	hasEscape,
	isAt,
	keyBytes,
	REFUSED,
	scanElements,
	scanMembers,
	scanSpace,
	scanValue,
} from "./json-scan.ts";
import type { Span } from "./json-text.ts";
import { isRequestId, type Message } from "./message.ts";
import { NOTIFICATIONS } from "./methods.ts";
import type { Occurrence } from "./occurrence.ts";
import { type ScannedOccurrence, scanOccurrence } from "./scan-occurrence.ts";

const CLOSE_BRACE = 0x7d;

const word = (text: string) => Buffer.from(text, "latin1");
const VERSION = word('"2.0"');
const EVENT_METHOD = word(JSON.stringify(NOTIFICATIONS.event));
const NO_EVENTS = word("[]");

const JSONRPC = keyBytes("jsonrpc");
const METHOD = keyBytes("method");
const PARAMS = keyBytes("params");
const ID = keyBytes("id");
const RESULT = keyBytes("result");
const EVENTS = keyBytes("events");

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
	const event = scanAlike(bytes) ?? scanNotification(bytes);
	if (!event) return undefined;
	const { params } = event;
	const method = NOTIFICATIONS.event;
	return { kind: "notification", bytes, method, params, occurrence: event };
}

/**
 * How the last event began, up to its params, behind which nothing but a brace stood: all events of a stream begin alike,
 * and what was scanned once is only compared.
 */
let lastHead = Buffer.alloc(0);
const LONGEST_HEAD = 1024;

function scanAlike(bytes: Buffer): ScannedOccurrence | undefined {
	if (lastHead.length === 0 || !isAt(bytes, 0, lastHead)) return undefined;
	const event = scanOccurrence(bytes, lastHead.length);
	return event && isLastMember(bytes, event.end) ? event : undefined;
}

const isLastMember = (bytes: Buffer, end: number) =>
	end === bytes.length - 1 && bytes[end] === CLOSE_BRACE;

function scanNotification(bytes: Buffer): ScannedOccurrence | undefined {
	let isVersioned = false;
	let isEvent = false;
	let event: ScannedOccurrence | undefined;
	let headEnd = 0;
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
		headEnd = isVersioned && isEvent ? at : 0;
		event = scanOccurrence(bytes, at);
		return event ? event.end : REFUSED;
	});
	if (!isWhole(bytes, end) || !isVersioned || !isEvent || !event)
		return undefined;
	if (headEnd <= LONGEST_HEAD && isLastMember(bytes, event.end))
		lastHead = Buffer.from(bytes.subarray(0, headEnd));
	return event;
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
		occurrences.push(scanned);
		return scanned.end;
	});
	if (end === REFUSED) return undefined;
	return { span: { start: from, end }, occurrences };
}

const isWhole = (bytes: Buffer, end: number) =>
	end !== REFUSED && scanSpace(bytes, end) === bytes.length;
