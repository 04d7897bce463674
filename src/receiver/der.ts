// Writes DER (ITU-T X.690), as much of it as a certificate needs: Node reads certificates and makes none.

const TAGS = {
	boolean: 0x01,
	integer: 0x02,
	bitString: 0x03,
	octetString: 0x04,
	oid: 0x06,
	utf8String: 0x0c,
	utcTime: 0x17,
	generalizedTime: 0x18,
	sequence: 0x30,
	set: 0x31,
} as const;

const CONTEXT = 0x80;
const CONSTRUCTED = 0x20;

function tagged(tag: number, contents: readonly Buffer[]): Buffer {
	const body = Buffer.concat(contents);
	return Buffer.concat([Buffer.from([tag, ...lengthBytes(body.length)]), body]);
}

function lengthBytes(length: number): number[] {
	if (length < 0x80) return [length];
	const bytes = bigEndian(length);
	return [0x80 | bytes.length, ...bytes];
}

function bigEndian(value: number): number[] {
	const bytes: number[] = [];
	for (let rest = value; rest > 0; rest = Math.floor(rest / 256))
		bytes.unshift(rest % 256);
	return bytes;
}

export const sequence = (...parts: Buffer[]) => tagged(TAGS.sequence, parts);
export const set = (...parts: Buffer[]) => tagged(TAGS.set, parts);
export const boolean = (value: boolean) =>
	tagged(TAGS.boolean, [Buffer.from([value ? 0xff : 0])]);
export const utf8String = (text: string) =>
	tagged(TAGS.utf8String, [Buffer.from(text)]);
export const octetString = (bytes: Buffer) => tagged(TAGS.octetString, [bytes]);

/** A number that is not negative, as big-endian bytes. */
export function integer(bytes: Buffer): Buffer {
	const first = bytes.findIndex((byte) => byte !== 0);
	const digits = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
	// The first bit is the sign.
	const isHigh = (digits[0] ?? 0) >= 0x80;
	return tagged(TAGS.integer, isHigh ? [Buffer.from([0]), digits] : [digits]);
}

/** Bits in whole bytes, but for the last `unusedBits`. */
export const bitString = (bytes: Buffer, unusedBits = 0) =>
	tagged(TAGS.bitString, [Buffer.from([unusedBits]), bytes]);

/** An object identifier in its dotted form. */
export function oid(dotted: string): Buffer {
	const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
	const arcs = [first * 40 + second, ...rest];
	return tagged(TAGS.oid, [Buffer.from(arcs.flatMap(base128))]);
}

function base128(arc: number): number[] {
	const digits = [arc % 128];
	for (
		let rest = Math.floor(arc / 128);
		rest > 0;
		rest = Math.floor(rest / 128)
	)
		digits.unshift(0x80 | (rest % 128));
	return digits;
}

/** A moment, to the second, in the form that RFC 5280 4.1.2.5 has for its year. */
export function time(epochMs: number): Buffer {
	const text = `${new Date(epochMs).toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
	return text < "2050"
		? tagged(TAGS.utcTime, [Buffer.from(text.slice(2))])
		: tagged(TAGS.generalizedTime, [Buffer.from(text)]);
}

/** A member told by its number in place of its type; `isPrimitive` where it holds bytes and no other members. */
export const context = (
	number: number,
	content: Buffer,
	{ isPrimitive = false } = {},
) => tagged(CONTEXT | (isPrimitive ? 0 : CONSTRUCTED) | number, [content]);
