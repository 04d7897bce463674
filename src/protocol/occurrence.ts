// An event occurrence: the bytes as the server wrote them, beside the few fields that we act on (events.md 3).

import { Fault } from "../faults/index.ts";
import { excerpt } from "./excerpt.ts";
import { oneLine, type Span } from "./json-text.ts";
import { isRecord } from "./message.ts";

export interface Occurrence {
	/** The JSON text as received, on one line, without a line end. What is printed; never re-written. */
	raw: Buffer;
	eventId: string;
	name: string;
	/** As sent; "" where the server sent none. */
	timestamp: string;
	/** undefined where absent or null: both mean that there is none (events.md 1). */
	cursor: string | undefined;
}

/** Told about what was odd but readable; the caller decides whether to tell, and how often. */
export type Odd = (what: string) => void;

/**
 * Reads the occurrence that stands at `span` of `bytes`; `value` is the same, parsed. Throws `wrong-shape` where
 * there is no eventId or name to act on; what is merely odd goes to `odd`.
 */
export function readOccurrence(
	bytes: Buffer,
	span: Span,
	value: unknown,
	odd: Odd,
): Occurrence {
	if (!isRecord(value)) throw brokenOccurrence("an event is no object", value);
	const { eventId, name, timestamp, data, cursor } = value;
	if (typeof eventId !== "string" || eventId === "")
		throw brokenOccurrence("an event has no eventId", value);
	if (typeof name !== "string" || name === "")
		throw brokenOccurrence("an event has no name", value);
	if (typeof timestamp !== "string" || !isInstant(timestamp))
		odd(`an event's timestamp is no ISO 8601 instant with a zone`);
	if (!isRecord(data)) odd("an event's data is no object");
	return {
		raw: oneLine(bytes, span),
		eventId,
		name,
		timestamp: typeof timestamp === "string" ? timestamp : "",
		cursor: readCursor(cursor),
	};
}

/** A cursor as sent: a string (the empty one too), or undefined for null and for none. Throws `wrong-shape` else. */
export function readCursor(value: unknown): string | undefined {
	if (typeof value === "string") return value;
	if (value === undefined || value === null) return undefined;
	throw new Fault("wrong-shape", {
		what: "the server sent a cursor that is neither a string nor null",
		why: `it sent ${excerpt(value, 120)}`,
	});
}

const INSTANT =
	/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)$/;

/** Whether a text is an ISO 8601 instant with a zone that exists in the calendar. */
export function isInstant(text: string): boolean {
	if (isPlainInstant(text)) return true;
	return INSTANT.test(text) && !Number.isNaN(Date.parse(text));
}

const PLAIN_INSTANT = "0000-00-00T00:00:00.";

/**
 * As programs write it: in UTC, with a fraction of a second, on a day that every year has. That is surely right, and to
 * ask a pattern and the calendar for each event costs as much as all the rest of it.
 */
export function isPlainInstant(text: string): boolean {
	const last = text.length - 1;
	if (last <= PLAIN_INSTANT.length || text[last] !== "Z") return false;
	for (let at = 0; at < last; at++) {
		const code = text.charCodeAt(at);
		const isMark = at < PLAIN_INSTANT.length && PLAIN_INSTANT[at] !== "0";
		const isFit = isMark
			? code === PLAIN_INSTANT.charCodeAt(at)
			: isDigit(code);
		if (!isFit) return false;
	}
	const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
	return (
		month >= 1 &&
		month <= 12 &&
		day >= 1 &&
		day <= (month === 2 ? 28 : 30) &&
		twoDigits(text, 11) < 24 &&
		twoDigits(text, 14) < 60 &&
		twoDigits(text, 17) < 60
	);
}

const ZERO = 0x30;
const NINE = 0x39;
const isDigit = (code: number) => code >= ZERO && code <= NINE;
const twoDigits = (text: string, at: number) =>
	(text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;

function brokenOccurrence(what: string, value: unknown): Fault {
	return new Fault("wrong-shape", {
		what: `the server broke the contract: ${what}`,
		why: `it sent ${excerpt(value, 200)}`,
	});
}
