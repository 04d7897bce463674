// Checks JSON without building anything of it: says where a value ends, or that it will not vouch for it. It accepts
// nothing that JSON.parse refuses; what it does not accept is left for JSON.parse to judge.

/** What a scan returns where it does not vouch for the bytes. */
export const REFUSED = -1;

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
const LOWER_U = 0x75;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Deeper nesting is left to JSON.parse, which needs no stack for it. */
const DEEPEST = 100;
const HEX_DIGITS = 4;

const bytesOf = (text: string) => Buffer.from(text, "latin1");
const LITERALS = ["true", "false", "null"].map(bytesOf);

/** 1 for a byte that stands for itself in a string: neither quote, backslash nor control character. */
const IS_ORDINARY = Uint8Array.from({ length: 256 }, (_, byte) =>
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
	while (at < bytes.length && IS_SPACE[bytes[at] as number] === 1) at++;
	return at;
}

/** The place behind the value that begins at `from`, or REFUSED. */
export function scanValue(bytes: Buffer, from: number, depth = 0): number {
	switch (bytes[from]) {
		case QUOTE:
			return scanString(bytes, from);
		case OPEN_BRACE:
			return depth < DEEPEST ? scanObject(bytes, from, depth + 1) : REFUSED;
		case OPEN_BRACKET:
			return depth < DEEPEST ? scanArray(bytes, from, depth + 1) : REFUSED;
	}
	for (const literal of LITERALS)
		if (isAt(bytes, from, literal)) return from + literal.length;
	return scanNumber(bytes, from);
}

/** The place behind the closing quote of the string whose opening quote is at `from`, or REFUSED. */
export function scanString(bytes: Buffer, from: number): number {
	let at = from + 1;
	while (at < bytes.length) {
		const byte = bytes[at] as number;
		if (IS_ORDINARY[byte] === 1) at++;
		else if (byte === QUOTE) return at + 1;
		else if (byte === BACKSLASH) {
			at = scanEscape(bytes, at + 1);
			if (at === REFUSED) return REFUSED;
		} else return REFUSED;
	}
	return REFUSED;
}

/** Scans one member's value; its key stands, without quotes, between `keyStart` and `keyEnd`. Returns as scanValue does. */
export type ScanMember = (
	keyStart: number,
	keyEnd: number,
	valueStart: number,
) => number;

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
		const keyStart = at + 1;
		at = bytes[at] === QUOTE ? scanString(bytes, at) : REFUSED;
		if (at === REFUSED) return REFUSED;
		const keyEnd = at - 1;
		at = scanSpace(bytes, at);
		if (bytes[at] !== COLON) return REFUSED;
		at = scanMember(keyStart, keyEnd, scanSpace(bytes, at + 1));
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

function scanObject(bytes: Buffer, from: number, depth: number): number {
	return scanMembers(bytes, from, (_start, _end, value) =>
		scanValue(bytes, value, depth),
	);
}

function scanArray(bytes: Buffer, from: number, depth: number): number {
	return scanElements(bytes, from, (start) => scanValue(bytes, start, depth));
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
function scanDigits(bytes: Buffer, from: number): number {
	let at = from;
	while (isDigit(bytes[at])) at++;
	return at === from ? REFUSED : at;
}

const isDigit = (byte: number | undefined) =>
	byte !== undefined && byte >= ZERO && byte <= NINE;
