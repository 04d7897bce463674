// Walks over JSON without building anything of it: from key to key, and from element to element. What stands in between
// is scanned by whoever walks (scanner/lay-out.ts). What a walk does not accept is left for JSON.parse to judge.

/** What a scan returns where it does not vouch for the bytes. */
export const REFUSED = -1;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_U = 0x75;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const HEX_DIGITS = 4;

const bytesOf = (text: string) => Buffer.from(text, "latin1");

/** 1 for a byte that stands for itself in a string: neither quote, backslash nor control character. */
export const IS_ORDINARY = Uint8Array.from({ length: 256 }, (_, byte) =>
	byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);
const IS_SPACE = tableOf(" \t\n\r");
const IS_ESCAPE = tableOf('"\\/bfnrt');
const IS_HEX = tableOf("0123456789abcdefABCDEF");

function tableOf(members: string): Uint8Array {
	const table = new Uint8Array(256);
	for (const byte of bytesOf(members)) table[byte] = 1;
	return table;
}

/** The place of the first byte from `from` on that is no white space. */
export function scanSpace(bytes: Buffer, from: number): number {
	let at = from;
	// Most often there is none.
	while (IS_SPACE[bytes[at] as number] === 1) at++;
	return at;
}

/** The place behind the closing quote of the string whose opening quote is at `from`, or REFUSED. */
export function scanString(bytes: Buffer, from: number): number {
	let at = from + 1;
	for (;;) {
		// Behind the end there is no byte, which is not ordinary either.
		while (IS_ORDINARY[bytes[at] as number] === 1) at++;
		if (bytes[at] === QUOTE) return at + 1;
		if (bytes[at] !== BACKSLASH) return REFUSED;
		at = scanEscape(bytes, at + 1);
		if (at === REFUSED) return REFUSED;
	}
}

/** Scans one member's value; its key begins, behind its quote, at `keyStart`. Returns the place behind it, or REFUSED. */
export type ScanMember = (keyStart: number, valueStart: number) => number;

/** The place behind the object whose opening brace is at `from`, each member scanned by `scanMember`; or REFUSED. */
export function scanMembers(
	bytes: Buffer,
	from: number,
	scanMember: ScanMember,
): number {
	if (bytes[from] !== OPEN_BRACE) return REFUSED;
	let at = scanSpace(bytes, from + 1);
	if (bytes[at] === CLOSE_BRACE) return at + 1;
	for (;;) {
		const valueStart = scanKey(bytes, at);
		if (valueStart === REFUSED) return REFUSED;
		at = scanMember(at + 1, valueStart);
		if (at === REFUSED) return REFUSED;
		at = scanSpace(bytes, at);
		if (bytes[at] === CLOSE_BRACE) return at + 1;
		if (bytes[at] !== COMMA) return REFUSED;
		at = scanSpace(bytes, at + 1);
	}
}

/** The same for the elements of an array. */
export function scanElements(
	bytes: Buffer,
	from: number,
	scanElement: (start: number) => number,
): number {
	if (bytes[from] !== OPEN_BRACKET) return REFUSED;
	let at = scanSpace(bytes, from + 1);
	if (bytes[at] === CLOSE_BRACKET) return at + 1;
	for (;;) {
		at = scanElement(at);
		if (at === REFUSED) return REFUSED;
		at = scanSpace(bytes, at);
		if (bytes[at] === CLOSE_BRACKET) return at + 1;
		if (bytes[at] !== COMMA) return REFUSED;
		at = scanSpace(bytes, at + 1);
	}
}

/** Whether the bytes of `text` stand at `from`. */
export function isAt(bytes: Buffer, from: number, text: Buffer): boolean {
	for (let at = 0; at < text.length; at++)
		if (bytes[from + at] !== text[at]) return false;
	return true;
}

/** A key as it is looked for by `isAt`: with its closing quote it is the beginning of no other. */
export const keyBytes = (key: string): Buffer => bytesOf(`${key}"`);

/** The place of the value whose key begins, with its quote, at `from`; or REFUSED. */
export function scanKey(bytes: Buffer, from: number): number {
	if (bytes[from] !== QUOTE) return REFUSED;
	const end = scanString(bytes, from);
	return end === REFUSED ? REFUSED : scanColon(bytes, end);
}

/** The place of the value whose key ends before `from`; or REFUSED. */
export function scanColon(bytes: Buffer, from: number): number {
	const colon = scanSpace(bytes, from);
	return bytes[colon] === COLON ? scanSpace(bytes, colon + 1) : REFUSED;
}

/** Whether a key has an escape before its value: then it may be another one in disguise. */
export function hasEscape(bytes: Buffer, start: number, end: number): boolean {
	for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
	return false;
}

/** `from` is behind the backslash. */
function scanEscape(bytes: Buffer, from: number): number {
	const byte = bytes[from] ?? 0;
	if (IS_ESCAPE[byte] === 1) return from + 1;
	if (byte !== LOWER_U) return REFUSED;
	for (let at = from + 1; at <= from + HEX_DIGITS; at++)
		if (IS_HEX[bytes[at] ?? 0] !== 1) return REFUSED;
	return from + 1 + HEX_DIGITS;
}

/** At least one digit. */
export function scanDigits(bytes: Buffer, from: number): number {
	let at = from;
	while (isDigit(bytes[at])) at++;
	return at === from ? REFUSED : at;
}

const isDigit = (byte: number | undefined) =>
	byte !== undefined && byte >= ZERO && byte <= NINE;
