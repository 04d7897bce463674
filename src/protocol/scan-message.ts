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
} from "./json-scan.ts";
import type { Span } from "./json-text.ts";
import { isRequestId, type Message } from "./message.ts";
import { NOTIFICATIONS } from "./methods.ts";
import type { Occurrence } from "./occurrence.ts";
import {
	type ScannedOccurrence,
	scanAlike,
	scanFramed,
	scanOccurrence,
} from "./scan-occurrence.ts";
import { type Laid, layOut, scannerOf, scanValue } from "./scanner/lay-out.ts";

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
	const laid = layOut(bytes);
	return scanEvent(laid, 0, bytes.length) ?? scanResult(laid);
}

/** The same for an event's notification that stands, among others, in bytes that are known to be UTF-8. */
export function scanEvent(
	laid: Laid,
	start: number,
	end: number,
): Message | undefined {
	const event =
		scanAlike(laid, start, end) ?? scanNotification(laid, start, end);
	return event && new EventMessage(event, start, end);
}

/** Where the message begins in the frame that was kept. */
let messageAt = 0;
const FRAME_END = "}\n\n";
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/**
 * Keeps how the frame of an event begins, whose message was scanned in its place: all frames of a stream begin alike, and
 * are only compared. `start` is the place of its first line.
 */
export function keepFrame(laid: Laid, start: number, message: Message): void {
	if (!(message instanceof EventMessage)) return;
	const { occurrence } = message;
	const head = laid.bytes.subarray(start, occurrence.start);
	// A type and the data: more lines than these two, or ends of another kind, could be a part of what stands around.
	const isPlain = head.indexOf(LINE_FEED) === head.lastIndexOf(LINE_FEED);
	if (!isPlain || head.includes(RETURN)) return;
	scannerOf(laid)?.keepFrame(start, occurrence.start);
	messageAt = message.start - start;
}

/** Scans the frames that follow one another from a place on, as long as they are like the kept one: see `scanEvent`. */
export function scanFrames(
	laid: Laid,
	from: number,
	{ messages, limitBytes }: { messages: Message[]; limitBytes: number },
): number {
	let at = from;
	for (;;) {
		const event = scanFramed(laid, at);
		if (!event) return at;
		const message = new EventMessage(event, at + messageAt, event.end + 1);
		if (message.end - message.start > limitBytes) return at;
		messages.push(message);
		at = event.end + FRAME_END.length;
	}
}

/** Its bytes are cut out only for whoever asks, as those of its occurrence are; where it came alone, not at all. */
class EventMessage {
	readonly kind = "notification";
	readonly method = NOTIFICATIONS.event;
	readonly occurrence: ScannedOccurrence;
	readonly params: Record<string, unknown>;
	/** Its place in the source of its occurrence. */
	readonly start: number;
	readonly end: number;

	constructor(occurrence: ScannedOccurrence, start: number, end: number) {
		this.occurrence = occurrence;
		this.params = occurrence.params;
		this.start = start;
		this.end = end;
	}

	get bytes(): Buffer {
		const { source } = this.occurrence;
		const isAlone = this.start === 0 && this.end === source.length;
		return isAlone ? source : source.subarray(this.start, this.end);
	}
}

/** Whether only the brace that ends the message stands between two places. */
const isBeforeLast = (bytes: Buffer, at: number, end: number) =>
	at === end - 1 && bytes[at] === CLOSE_BRACE;

function scanNotification(
	laid: Laid,
	start: number,
	messageEnd: number,
): ScannedOccurrence | undefined {
	const { bytes } = laid;
	let isVersioned = false;
	let isEvent = false;
	let event: ScannedOccurrence | undefined;
	let headEnd = 0;
	// A repeated key keeps its last value, as JSON.parse has it.
	const end = scanMembers(bytes, scanSpace(bytes, start), (key, at) => {
		if (isAt(bytes, key, JSONRPC)) {
			isVersioned = isAt(bytes, at, VERSION);
			return isVersioned ? at + VERSION.length : REFUSED;
		}
		if (isAt(bytes, key, METHOD)) {
			isEvent = isAt(bytes, at, EVENT_METHOD);
			return isEvent ? at + EVENT_METHOD.length : REFUSED;
		}
		if (!isAt(bytes, key, PARAMS)) return REFUSED;
		headEnd = isVersioned && isEvent ? at : start;
		event = scanOccurrence(laid, at);
		return event ? event.end : REFUSED;
	});
	if (!isWhole(bytes, end, messageEnd) || !isVersioned || !isEvent || !event)
		return undefined;
	if (isBeforeLast(bytes, event.end, messageEnd))
		scannerOf(laid)?.keepHead(start, headEnd);
	return event;
}

function scanResult(laid: Laid): Message | undefined {
	const { bytes } = laid;
	let events: ScannedEvents | undefined;
	const end = scanMembers(bytes, scanSpace(bytes, 0), (key, at) => {
		if (isAt(bytes, key, RESULT)) {
			events = undefined;
			return scanMembers(bytes, at, (key, at) => {
				if (!isAt(bytes, key, EVENTS))
					return hasEscape(bytes, key, at) ? REFUSED : scanValue(laid, at);
				events = scanEvents(laid, at);
				return events ? events.span.end : REFUSED;
			});
		}
		const isOther = isAt(bytes, key, JSONRPC) || isAt(bytes, key, ID);
		return isOther ? scanValue(laid, at) : REFUSED;
	});
	if (!isWhole(bytes, end, bytes.length) || !events) return undefined;
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

function scanEvents(laid: Laid, from: number): ScannedEvents | undefined {
	const occurrences: Occurrence[] = [];
	const end = scanElements(laid.bytes, from, (at) => {
		const scanned = scanOccurrence(laid, at);
		if (!scanned) return REFUSED;
		occurrences.push(scanned);
		return scanned.end;
	});
	if (end === REFUSED) return undefined;
	return { span: { start: from, end }, occurrences };
}

/** Whether what was scanned up to `at` is all that stands before `end`, but for white space. What follows is no matter. */
const isWhole = (bytes: Buffer, at: number, end: number) =>
	at !== REFUSED && at <= end && scanSpace(bytes, at) >= end;
