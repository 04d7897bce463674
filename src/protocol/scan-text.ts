// Strings of JSON, read without JSON.parse: as text, or as the bytes that the text has in UTF-8.
import { IS_ORDINARY, REFUSED, scanString } from "./json-scan.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ASCII_END = 0x80;

/** A string, and the place behind its closing quote. */
export interface ScannedText {
	text: string;
	end: number;
}

/** The string whose opening quote is at `from`, in bytes that are UTF-8; undefined where no whole string stands there. */
export function scanText(bytes: Buffer, from: number): ScannedText | undefined {
	if (bytes[from] !== QUOTE) return undefined;
	let at = from + 1;
	let allBits = 0;
	for (; IS_ORDINARY[bytes[at] as number] === 1; at++)
		allBits |= bytes[at] as number;
	if (bytes[at] === QUOTE) {
		// What is ASCII is the same in Latin-1, which needs no decoding.
		const encoding = allBits < ASCII_END ? "latin1" : "utf8";
		return { text: bytes.toString(encoding, from + 1, at), end: at + 1 };
	}
	const end = scanString(bytes, from);
	if (end === REFUSED) return undefined;
	return { text: JSON.parse(bytes.toString("utf8", from, end)), end };
}

/** What the letter behind a backslash stands for; 0 for `u` and for what is no escape. */
const ESCAPED = new Uint8Array(256);
const LETTERS = '"\\/bfnrt';
const MEANINGS = '"\\/\b\f\n\r\t';
for (let at = 0; at < LETTERS.length; at++)
	ESCAPED[LETTERS.charCodeAt(at)] = MEANINGS.charCodeAt(at);

/** The content of a string in UTF-8, and the place behind its closing quote. */
export interface ScannedContent {
	content: Buffer;
	end: number;
}

/**
 * The same as bytes: a text of many kilobytes need not become a string of JavaScript to be hashed or sent. Undefined
 * for escapes by number, too.
 */
export function scanContent(
	bytes: Buffer,
	from: number,
): ScannedContent | undefined {
	if (bytes[from] !== QUOTE) return undefined;
	// No escape is shorter than what it stands for.
	const content = Buffer.allocUnsafe(bytes.length - from);
	let length = 0;
	for (let at = from + 1; at < bytes.length; at++) {
		const byte = bytes[at] as number;
		if (byte > BACKSLASH || IS_ORDINARY[byte] === 1) content[length++] = byte;
		else if (byte === QUOTE)
			return { content: content.subarray(0, length), end: at + 1 };
		else {
			const escaped = ESCAPED[bytes[at + 1] ?? 0] as number;
			if (byte !== BACKSLASH || escaped === 0) return undefined;
			content[length++] = escaped;
			at++;
		}
	}
	return undefined;
}
