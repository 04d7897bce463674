// Checks JSON without building anything of it: says where a value ends, or that it will not vouch for it. It accepts
// nothing that JSON.parse refuses; what it does not accept is left for JSON.parse to judge.

/** What a scan returns where it does not vouch for the bytes. */
export const REFUSED = -1;

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Deeper nesting is left to JSON.parse. */
const DEEPEST = 100;
/** For each level that is open: 1 for an object, 0 for an array. A scan never waits, so that one will do for all. */
const IS_OBJECT = new Uint8Array(DEEPEST);
const HEX_DIGITS = 4;

const bytesOf = (text: string) => Buffer.from(text, "latin1");
const [TRUE, FALSE, NULL] = [
	bytesOf("true"),
	bytesOf("false"),
	bytesOf("null"),
];

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

/** How many bytes of white space were scanned so far, beside blanks: where there are none, there is no line end. */
export let breaks = 0;

/** The place of the first byte from `from` on that is no white space. */
export function scanSpace(bytes: Buffer, from: number): number {
	let at = from;
	// Most often there is none.
	while ((bytes[at] as number) <= SPACE) {
		const byte = bytes[at] as number;
		if (IS_SPACE[byte] !== 1) break;
		if (byte !== SPACE) breaks++;
		at++;
	}
	return at;
}

/**
 * The place behind the value that begins at `from`, or REFUSED. One loop, whatever the nesting: a call, or a closure, for
 * each level would cost as much as the bytes.
 */
export function scanValue(bytes: Buffer, from: number): number {
	let at = from;
	let depth = 0;
	for (;;) {
		const opening = bytes[at];
		if (opening === QUOTE) at = scanString(bytes, at);
		else if (opening === OPEN_BRACE || opening === OPEN_BRACKET) {
			const isObject = opening === OPEN_BRACE;
			at = scanSpace(bytes, at + 1);
			if (bytes[at] === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) at++;
			else {
				if (depth === DEEPEST) return REFUSED;
				IS_OBJECT[depth++] = isObject ? 1 : 0;
				if (isObject) at = scanKey(bytes, at);
				if (at === REFUSED) return REFUSED;
				continue;
			}
		} else at = scanScalar(bytes, at);
		if (at === REFUSED) return REFUSED;
		// Behind a value: as many ends as stand here, then the next member or element.
		for (;;) {
			if (depth === 0) return at;
			at = scanSpace(bytes, at);
			const isObject = IS_OBJECT[depth - 1] === 1;
			if (bytes[at] === COMMA) {
				at = scanSpace(bytes, at + 1);
				if (isObject) at = scanKey(bytes, at);
				if (at === REFUSED) return REFUSED;
				break;
			}
			if (bytes[at] !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET))
				return REFUSED;
			depth--;
			at++;
		}
	}
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

/** Scans one member's value; its key begins, behind its quote, at `keyStart`. Returns as scanValue does. */
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

function scanScalar(bytes: Buffer, from: number): number {
	switch (bytes[from]) {
		case LOWER_T:
			return scanLiteral(bytes, from, TRUE);
		case LOWER_F:
			return scanLiteral(bytes, from, FALSE);
		case LOWER_N:
			return scanLiteral(bytes, from, NULL);
	}
	return scanNumber(bytes, from);
}

const scanLiteral = (bytes: Buffer, from: number, literal: Buffer) =>
	isAt(bytes, from, literal) ? from + literal.length : REFUSED;

/** `from` is behind the backslash. */
function scanEscape(bytes: Buffer, from: number): number {
	const byte = bytes[from] ?? 0;
	if (IS_ESCAPE[byte] === 1) return from + 1;
	if (byte !== LOWER_U) return REFUSED;
	for (let at = from + 1; at <= from + HEX_DIGITS; at++)
		if (IS_HEX[bytes[at] ?? 0] !== 1) return REFUSED;
	return from + 1 + HEX_DIGITS;
}

/** RFC 8259, 6: an integer without leading zeros, then perhaps a fraction, then perhaps an exponent. */
function scanNumber(bytes: Buffer, from: number): number {
	let at = bytes[from] === MINUS ? from + 1 : from;
	if (bytes[at] === ZERO) at++;
	else at = scanDigits(bytes, at);
	if (at === REFUSED) return REFUSED;
	if (bytes[at] === POINT) at = scanDigits(bytes, at + 1);
	if (at === REFUSED) return REFUSED;
	if (bytes[at] !== LOWER_E && bytes[at] !== UPPER_E) return at;
	const isSigned = bytes[at + 1] === PLUS || bytes[at + 1] === MINUS;
	return scanDigits(bytes, isSigned ? at + 2 : at + 1);
}

/** At least one digit. */
export function scanDigits(bytes: Buffer, from: number): number {
	let at = from;
	while (isDigit(bytes[at])) at++;
	return at === from ? REFUSED : at;
}

const isDigit = (byte: number | undefined) =>
	byte !== undefined && byte >= ZERO && byte <= NINE;
