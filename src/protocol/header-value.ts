// The Base64 sentinel form in which `Mcp-Name` carries what no plain header value can (base.md, Value encoding).

const SENTINEL = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;
const LOOKS_LIKE_SENTINEL = /^=\?base64\?.*\?=$/;
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** A value as it may stand in a header: itself where it is visible ASCII, else the sentinel form. */
export function encodeHeaderValue(value: string): string {
	if (PLAIN.test(value) && !LOOKS_LIKE_SENTINEL.test(value)) return value;
	return `=?base64?${Buffer.from(value, "utf8").toString("base64")}?=`;
}

/** The reverse; undefined where the sentinel holds no UTF-8. */
export function decodeHeaderValue(value: string): string | undefined {
	const base64 = SENTINEL.exec(value)?.[1];
	if (base64 === undefined) return value;
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
			Buffer.from(base64, "base64"),
		);
	} catch {
		return undefined;
	}
}
