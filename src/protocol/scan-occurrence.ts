// One event occurrence, read without JSON.parse. What is not plainly right is left to `readOccurrence`, which explains.
import type { GrowingBytes } from "./growing-bytes.ts";
import { isAt, REFUSED, scanDigits } from "./json-scan.ts";
import { oneLine } from "./json-text.ts";
import { isRecord } from "./message.ts";
import { isInstant, isPlainInstant, type Occurrence } from "./occurrence.ts";
import { scanText } from "./scan-text.ts";
import { type Laid, scannerOf } from "./scanner/lay-out.ts";
import { FOUND, type Scanner } from "./scanner/scanner.ts";

const OPEN_BRACE = 0x7b;
const QUOTE = 0x22;
const UPPER_Z = 0x5a;
const NULL = Buffer.from("null");

/** An occurrence as `readOccurrence` reads it where it finds nothing odd; undefined for any other. */
export function scanOccurrence(
	laid: Laid,
	from: number,
): ScannedOccurrence | undefined {
	const scanner = scannerOf(laid);
	return scanner && takeFound(scanner, laid, scanner.scanOccurrence(from));
}

/** The same for that of the message between two places, which begins as the last one that was kept. */
export function scanAlike(
	laid: Laid,
	start: number,
	messageEnd: number,
): ScannedOccurrence | undefined {
	const scanner = scannerOf(laid);
	if (!scanner) return undefined;
	return takeFound(scanner, laid, scanner.scanEvent(start, messageEnd));
}

/** The same for that in the frame at a place. */
export function scanFramed(
	laid: Laid,
	start: number,
): ScannedOccurrence | undefined {
	const scanner = scannerOf(laid);
	return scanner && takeFound(scanner, laid, scanner.scanFrame(start));
}

/** `end` is what the scan has returned. */
function takeFound(
	scanner: Scanner,
	{ bytes }: Laid,
	end: number,
): ScannedOccurrence | undefined {
	if (end === REFUSED) return undefined;
	const start = scanner.placeOf(FOUND.start);
	const occurrence = new ScannedOccurrence(bytes, start, end);
	return occurrence.take(scanner) ? occurrence : undefined;
}

/** Appends the text of an occurrence as it was received. */
export function appendRaw(occurrence: Occurrence, to: GrowingBytes): void {
	if (occurrence instanceof ScannedOccurrence) occurrence.appendRaw(to);
	else to.append(occurrence.raw);
}

type Params = Record<string, unknown>;
const NO_PARAMS: Params = {};

/** All events of one stream carry the same name and the same `_meta`: the scanner tells when they do not. */
let lastName = "";
let lastParams: Params | undefined;

/**
 * An occurrence by its bytes, which are cut out, and its texts, which are read, only for whoever asks: of most events
 * nobody wants more than the id, and a text or a view for each member costs as much as the scan.
 */
export class ScannedOccurrence implements Occurrence {
	eventId = "";
	name = "";
	/** The params of its notification without its own members: `_meta`, if there is one. */
	params = NO_PARAMS;
	/** Its place in `source`, and the place behind it. */
	readonly start: number;
	readonly end: number;
	readonly #bytes: Buffer;
	#isOnOneLine = false;
	#timestampAt = -1;
	#cursorAt = -1;

	constructor(bytes: Buffer, start: number, end: number) {
		this.#bytes = bytes;
		this.start = start;
		this.end = end;
	}

	/** What it stands in, perhaps among others. */
	get source(): Buffer {
		return this.#bytes;
	}

	/** Appends `raw`, without a view of it where the bytes can be taken as they stand. */
	appendRaw(to: GrowingBytes): void {
		if (this.#isOnOneLine) to.append(this.#bytes, this.start, this.end);
		else to.append(this.raw);
	}

	get raw(): Buffer {
		if (this.#isOnOneLine) return this.#bytes.subarray(this.start, this.end);
		return oneLine(this.#bytes, { start: this.start, end: this.end });
	}

	get timestamp(): string {
		return textAt(this.#bytes, this.#timestampAt) ?? "";
	}

	get cursor(): string | undefined {
		return textAt(this.#bytes, this.#cursorAt);
	}

	/** Takes what the scanner has just found of it; false where it is no occurrence, or an odd one. */
	take(scanner: Scanner): boolean {
		const bytes = this.#bytes;
		const { found } = scanner;
		const name = scanner.placeOf(FOUND.name);
		const meta = scanner.placeOf(FOUND.meta);
		if (found[FOUND.isNameNew] === 1) lastName = textAt(bytes, name) ?? "";
		if (found[FOUND.isMetaNew] === 1)
			lastParams = readParams(bytes, meta, scanner.placeOf(FOUND.metaEnd));
		const params = meta < 0 ? NO_PARAMS : lastParams;
		if (name < 0 || lastName === "" || !params) return false;
		this.name = lastName;
		this.params = params;
		this.eventId = textAt(bytes, scanner.placeOf(FOUND.eventId)) ?? "";
		this.#timestampAt = scanner.placeOf(FOUND.timestamp);
		this.#cursorAt = scanner.placeOf(FOUND.cursor);
		this.#isOnOneLine = found[FOUND.breaks] === 0;
		return (
			this.eventId !== "" &&
			bytes[scanner.placeOf(FOUND.data)] === OPEN_BRACE &&
			isInstantAt(bytes, this.#timestampAt) &&
			isCursorAt(bytes, this.#cursorAt)
		);
	}
}

function readParams(
	bytes: Buffer,
	at: number,
	end: number,
): Params | undefined {
	const _meta: unknown = JSON.parse(bytes.toString("utf8", at, end));
	return isRecord(_meta) ? { _meta } : undefined;
}

const isCursorAt = (bytes: Buffer, at: number) =>
	at < 0 || bytes[at] === QUOTE || isAt(bytes, at, NULL);

/** The string at a place; undefined where no string stands there. */
const textAt = (bytes: Buffer, at: number): string | undefined =>
	at < 0 ? undefined : scanText(bytes, at)?.text;

/** Events come in bursts: up to the point of its second, with its quote, the last instant that was judged. */
let lastSecond = Buffer.from(" ");

/** Whether an instant stands there. Reading a date is dear: within the same second only the fraction is looked at. */
function isInstantAt(bytes: Buffer, from: number): boolean {
	if (isAt(bytes, from, lastSecond)) {
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
