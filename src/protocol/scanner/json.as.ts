// AssemblyScript, not TypeScript (see scanner.as.ts): where a value of JSON ends. It accepts nothing that JSON.parse
// refuses, and says -1 where it does not vouch for the bytes: then JSON.parse judges.

export const REFUSED: i32 = -1;
/** For each level that is open: its bracket. */
const LEVELS: i32 = 1024;
/** What is nested deeper is left to JSON.parse. */
const DEEPEST: i32 = 100;

/** How many bytes of white space were passed, beside blanks: where there are none, there is no line end. */
export let breaks: i32 = 0;

export function byteAt(at: i32): i32 {
	return load<u8>(at);
}

export function scanSpace(from: i32): i32 {
	let at: i32 = from;
	for (let byte = byteAt(at); byte <= 0x20; byte = byteAt(++at)) {
		if (byte === 0x20) continue;
		if (byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
		breaks++;
	}
	return at;
}

/** Sixteen bytes at a time, up to the first that does not stand for itself. */
export function scanString(from: i32): i32 {
	let at: i32 = from + 1;
	while (true) {
		const bytes = v128.load(at);
		const isSpecial = v128.or(
			v128.or(
				i8x16.eq(bytes, i8x16.splat(0x22)),
				i8x16.eq(bytes, i8x16.splat(0x5c)),
			),
			i8x16.lt_u(bytes, i8x16.splat(0x20)),
		);
		const special = i8x16.bitmask(isSpecial);
		if (special === 0) {
			at += 16;
			continue;
		}
		at += ctz(special);
		if (byteAt(at) === 0x22) return at + 1;
		if (byteAt(at) !== 0x5c) break;
		at = scanEscape(at + 1);
		if (at === REFUSED) break;
	}
	return REFUSED;
}

/** `from` is behind the backslash. */
function scanEscape(from: i32): i32 {
	switch (byteAt(from)) {
		case 0x22:
		case 0x5c:
		case 0x2f:
		case 0x62:
		case 0x66:
		case 0x6e:
		case 0x72:
		case 0x74:
			return from + 1;
		case 0x75:
			break;
		default:
			return REFUSED;
	}
	for (let at = from + 1; at <= from + 4; at++) {
		const letter = byteAt(at) | 0x20;
		if (!isDigit(at) && (letter < 0x61 || letter > 0x66)) return REFUSED;
	}
	return from + 5;
}

function isDigit(at: i32): bool {
	return byteAt(at) >= 0x30 && byteAt(at) <= 0x39;
}

/** At least one. */
function scanDigits(from: i32): i32 {
	let at: i32 = from;
	while (isDigit(at)) at++;
	return at === from ? REFUSED : at;
}

/** RFC 8259, 6: an integer without leading zeros, then perhaps a fraction, then perhaps an exponent. */
function scanNumber(from: i32): i32 {
	let at: i32 = byteAt(from) === 0x2d ? from + 1 : from;
	if (byteAt(at) === 0x30) at++;
	else at = scanDigits(at);
	if (at === REFUSED) return REFUSED;
	if (byteAt(at) === 0x2e) at = scanDigits(at + 1);
	if (at === REFUSED || (byteAt(at) | 0x20) !== 0x65) return at;
	const isSigned = byteAt(at + 1) === 0x2b || byteAt(at + 1) === 0x2d;
	return scanDigits(isSigned ? at + 2 : at + 1);
}

function scanScalar(at: i32): i32 {
	switch (byteAt(at)) {
		case 0x74: // true
			return load<u32>(at) === 0x65757274 ? at + 4 : REFUSED;
		case 0x66: // f, alse
			return load<u32>(at + 1) === 0x65736c61 ? at + 5 : REFUSED;
		case 0x6e: // null
			return load<u32>(at) === 0x6c6c756e ? at + 4 : REFUSED;
	}
	return scanNumber(at);
}

/** The place of the value whose key ends before `from`. */
export function scanColon(from: i32): i32 {
	const colon = scanSpace(from);
	return byteAt(colon) === 0x3a ? scanSpace(colon + 1) : REFUSED;
}

function scanKey(from: i32): i32 {
	if (byteAt(from) !== 0x22) return REFUSED;
	const end = scanString(from);
	return end === REFUSED ? REFUSED : scanColon(end);
}

/** The place behind the value that begins at `from`, or REFUSED. */
export function scanValue(from: i32): i32 {
	let at: i32 = from;
	let depth: i32 = 0;
	while (true) {
		const opening = byteAt(at);
		if (opening === 0x22) at = scanString(at);
		else if (opening === 0x7b || opening === 0x5b) {
			at = scanSpace(at + 1);
			// In ASCII a closing bracket stands two behind its opening one.
			if (byteAt(at) === opening + 2) at++;
			else {
				if (depth === DEEPEST) return REFUSED;
				store<u8>(LEVELS + depth++, opening);
				if (opening === 0x7b) at = scanKey(at);
				if (at === REFUSED) return REFUSED;
				continue;
			}
		} else at = scanScalar(at);
		if (at === REFUSED) return REFUSED;
		// Behind a value: as many ends as stand here, then the next member or element.
		while (true) {
			if (depth === 0) return at;
			at = scanSpace(at);
			const around: i32 = load<u8>(LEVELS + depth - 1);
			if (byteAt(at) === 0x2c) {
				at = scanSpace(at + 1);
				if (around === 0x7b) at = scanKey(at);
				if (at === REFUSED) return REFUSED;
				break;
			}
			if (byteAt(at) !== around + 2) return REFUSED;
			depth--;
			at++;
		}
	}
}
