// One event occurrence, read without JSON.parse. What is not plainly right is left to `readOccurrence`, which explains.
import type { GrowingBytes } from "./growing-bytes.ts";
import {
	breaks,
	hasEscape,
	isAt,
	REFUSED,
	scanColon,
	scanDigits,
	scanKey,
	scanSpace,
	scanValue,
} from "./json-scan.ts";
import { oneLine } from "./json-text.ts";
import { isRecord } from "./message.ts";
import { isInstant, isPlainInstant, type Occurrence } from "./occurrence.ts";
import { Repeated } from "./repeated.ts";
import { scanText } from "./scan-text.ts";

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const UPPER_Z = 0x5a;
const NULL = Buffer.from("null");

/**
 * The members of an occurrence that are looked at, by number, since they are looked up for every event; `requestId` is
 * the oldest dialect's.
 */
const [EVENT_ID, NAME, TIMESTAMP, DATA] = [0, 1, 2, 3];
const [CURSOR, META, REQUEST_ID] = [4, 5, 6];
const FIELDS = [
	...["eventId", "name", "timestamp", "data"],
	...["cursor", "_meta", "requestId"],
].map((key) => Buffer.from(`"${key}"`));
/** Their keys differ in the first byte: it says which one alone may stand there. Any will do where none can. */
const FIELD_BY_BYTE = new Uint8Array(256);
for (const [field, key] of FIELDS.entries())
	FIELD_BY_BYTE[key.readUInt8(1)] = field;
const OTHER = FIELDS.length;
const ABSENT = -1;

/** An occurrence as `readOccurrence` reads it where it finds nothing odd; undefined for any other. */
export function scanOccurrence(
	bytes: Buffer,
	from: number,
): ScannedOccurrence | undefined {
	const occurrence = new ScannedOccurrence(bytes, from);
	return occurrence.scan() ? occurrence : undefined;
}

/** Appends the text of an occurrence as it was received. */
export function appendRaw(occurrence: Occurrence, to: GrowingBytes): void {
	if (occurrence instanceof ScannedOccurrence) occurrence.appendRaw(to);
	else to.append(occurrence.raw);
}

/**
 * An occurrence by its bytes, which are cut out, and its texts, which are read, only for whoever asks: of most events
 * nobody wants more than the id, and a text or a view for each member costs as much as the scan.
 */
export class ScannedOccurrence implements Occurrence {
	eventId = "";
	name = "";
	/** The params of its notification without its own members: `_meta`, if there is one. */
	params = NO_PARAMS;
	/** The place behind it. */
	end: number;
	readonly #bytes: Buffer;
	readonly #start: number;
	#isOnOneLine = false;
	#timestampAt = ABSENT;
	#cursorAt = ABSENT;

	constructor(bytes: Buffer, start: number) {
		this.#bytes = bytes;
		this.#start = start;
		this.end = start;
	}

	/** What it stands in, perhaps among others. */
	get source(): Buffer {
		return this.#bytes;
	}

	/** Appends `raw`, without a view of it where the bytes can be taken as they stand. */
	appendRaw(to: GrowingBytes): void {
		if (this.#isOnOneLine) to.append(this.#bytes, this.#start, this.end);
		else to.append(this.raw);
	}

	get raw(): Buffer {
		if (this.#isOnOneLine) return this.#bytes.subarray(this.#start, this.end);
		return oneLine(this.#bytes, { start: this.#start, end: this.end });
	}

	get timestamp(): string {
		return textAt(this.#bytes, this.#timestampAt) ?? "";
	}

	get cursor(): string | undefined {
		return textAt(this.#bytes, this.#cursorAt);
	}

	/** False where it is none, or an odd one. A loop of its own, not scanMembers: a closure for each event would be dear. */
	scan(): boolean {
		const bytes = this.#bytes;
		const breaksBefore = breaks;
		let eventIdAt = ABSENT;
		let isDataObject = false;
		let at = this.#start;
		if (bytes[at] !== OPEN_BRACE) return false;
		do {
			const key = scanSpace(bytes, at + 1);
			const field = fieldAt(bytes, key);
			const value =
				field === OTHER
					? scanKey(bytes, key)
					: scanColon(bytes, key + (FIELDS[field] as Buffer).length);
			if (value === REFUSED || field === REQUEST_ID) return false;
			if (field === NAME) at = NAMES.scan(bytes, value);
			else if (field === META) at = PARAMS.scan(bytes, value);
			else at = scanValue(bytes, value);
			if (at === REFUSED) return false;
			if (field === NAME) this.name = NAMES.last;
			else if (field === META) this.params = PARAMS.last;
			else if (field === EVENT_ID) eventIdAt = value;
			else if (field === TIMESTAMP) this.#timestampAt = value;
			else if (field === CURSOR) this.#cursorAt = value;
			else if (field === DATA) isDataObject = bytes[value] === OPEN_BRACE;
			// It may be another key in disguise.
			else if (field === OTHER && hasEscape(bytes, key, value)) return false;
			at = scanSpace(bytes, at);
		} while (bytes[at] === COMMA);
		if (bytes[at] !== CLOSE_BRACE) return false;
		this.end = at + 1;
		this.#isOnOneLine = breaks === breaksBefore;
		this.eventId = textAt(bytes, eventIdAt) ?? "";
		return (
			isDataObject &&
			this.eventId !== "" &&
			this.name !== "" &&
			isInstantAt(bytes, this.#timestampAt) &&
			isCursorAt(bytes, this.#cursorAt)
		);
	}
}

/** Which member's key begins there, with its quote. */
function fieldAt(bytes: Buffer, key: number): number {
	const field = FIELD_BY_BYTE[bytes[key + 1] ?? 0] as number;
	return isAt(bytes, key, FIELDS[field] as Buffer) ? field : OTHER;
}

const isCursorAt = (bytes: Buffer, at: number) =>
	at === ABSENT || bytes[at] === QUOTE || isAt(bytes, at, NULL);

/** The string at a place; undefined where no string stands there. */
const textAt = (bytes: Buffer, at: number): string | undefined =>
	at === ABSENT ? undefined : scanText(bytes, at)?.text;

/** Events come in bursts: up to the point of its second, with its quote, the last instant that was judged. */
let lastSecond = Buffer.from(" ");

/** Whether an instant stands there. Reading a date is dear: within the same second only the fraction is looked at. */
function isInstantAt(bytes: Buffer, from: number): boolean {
	if (from !== ABSENT && isAt(bytes, from, lastSecond)) {
		const fraction = from + lastSecond.length;
		const end = scanDigits(bytes, fraction);
		if (end !== REFUSED && bytes[end] === UPPER_Z && bytes[end + 1] === QUOTE)
			return true;
	}
	const text = textAt(bytes, from);
	if (text === undefined || !isInstant(text)) return false;
	if (isPlainInstant(text))
		lastSecond = Buffer.from(`"${text.slice(0, text.indexOf(".") + 1)}`);
	return true;
}

/** All events of one stream carry the same name and the same `_meta`. */
const NAMES = new Repeated("", (bytes, at) => textAt(bytes, at) ?? "");
type Params = Record<string, unknown>;
const NO_PARAMS: Params = {};
const PARAMS = new Repeated<Params>(NO_PARAMS, (bytes, at, end) => {
	const _meta: unknown = JSON.parse(bytes.toString("utf8", at, end));
	return isRecord(_meta) ? { _meta } : undefined;
});
