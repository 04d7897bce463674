// One field of an event as text that may stand in a command line: marked as untrusted, or reduced to an id. What a
// stranger has written leaves here without a character that a terminal, a prompt or a file name would obey.
import { createHash } from "node:crypto";
import { elementSpans, memberSpans, type Span } from "../protocol/index.ts";

/** The filters, each with what it makes of a value; undefined: the event has no such field, or null in it. */
export const FIELD_FILTERS: ReadonlyMap<
	string,
	(value: string | undefined) => string
> = new Map([
	["untrusted", untrusted],
	["id", reduceToId],
]);

const LONGEST_TEXT = 200;
const LONGEST_ID = 128;
const HASH_DIGITS = 8;
const OPEN_BRACKET = 0x5b;
const QUOTE = 0x22;

// C: controls, format characters (bidi, zero width), lone surrogates, private use, unassigned. DI: default ignorable.
const OBEYED = /[\p{C}\p{Zl}\p{Zp}\p{DI}\u2800]/gu;
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu;

/** `[untrusted: "..."]`, the text shortened, on one line, and quoted as JSON quotes. */
export function untrusted(value: string | undefined): string {
	// Cut first: a server chooses the length.
	const start = (value ?? "").slice(0, LONGEST_TEXT * 8);
	const plain = start
		.replace(/(?:(?!\ufeff)\s)+/g, " ")
		.replace(OBEYED, "")
		.replace(STACKED_MARKS, "$1")
		.trim();
	const chars = [...plain];
	const isCut =
		chars.length > LONGEST_TEXT || start.length < (value ?? "").length;
	const text = chars.slice(0, LONGEST_TEXT).join("") + (isCut ? "..." : "");
	return `[untrusted: ${JSON.stringify(text)}]`;
}

/**
 * Letters, digits, `_`, `.` and `-` alone, never a dot or a dash first, never empty. What had to be changed gets a hash
 * of the whole behind it, so that two ids stay two.
 */
export function reduceToId(value: string | undefined): string {
	if (value === undefined || value === "") return "_";
	const plain = value
		.slice(0, LONGEST_ID + 1)
		.replaceAll(/[^A-Za-z0-9_.-]/g, "")
		.replace(/^[.-]/, "_");
	if (plain === value && value.length <= LONGEST_ID) return value;
	const hash = createHash("sha256").update(value).digest("hex");
	const room = LONGEST_ID - HASH_DIGITS - 1;
	return `${plain.slice(0, room) || "_"}-${hash.slice(0, HASH_DIGITS)}`;
}

/** The text of a value: what a string says, of all else the JSON as it was written. `event` is valid JSON on one line. */
export function fieldText(
	event: Buffer,
	path: readonly string[],
): string | undefined {
	let span: Span | undefined = { start: 0, end: event.length };
	for (const step of path) span = span && memberAt(event, span, step);
	if (!span) return undefined;
	const json = event.toString("utf8", span.start, span.end);
	if (event[span.start] === QUOTE) return String(JSON.parse(json));
	return json === "null" ? undefined : json;
}

function memberAt(bytes: Buffer, span: Span, step: string): Span | undefined {
	if (bytes[span.start] !== OPEN_BRACKET)
		return memberSpans(bytes, span.start).get(step);
	return /^\d{1,6}$/.test(step)
		? elementSpans(bytes, span.start)[Number(step)]
		: undefined;
}
