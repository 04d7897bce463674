// Any JSON that came from outside as the `data` of an event, and what its members say of id and time.
import {
	isInstant,
	isRecord,
	memberSpans,
	oneLine,
} from "../../protocol/index.ts";

export interface JsonPayload {
	/** JSON text of an object, on one line. */
	text: string;
	/** The same, parsed; undefined where what came was no object. */
	record: Record<string, unknown> | undefined;
}

/** Numbers above it are milliseconds, below it seconds: 1973 in the one, 5138 in the other. */
const MILLISECONDS_FROM = 100_000_000_000;
/** The end of the year 9999, beyond which ISO 8601 takes another form. */
const LATEST_MS = 253_402_300_799_999;

/** An object as it was written, numbers, keys and escapes untouched; anything else under `value`. */
export function payloadOf(bytes: Buffer, value: unknown): JsonPayload {
	// A carriage return between the tokens would end the line that the event is sent on.
	const json = oneLine(bytes, { start: 0, end: bytes.length }).toString();
	if (isRecord(value)) return { text: json, record: value };
	return { text: `{"value":${json}}`, record: undefined };
}

/** A member as an id: a text, or a number in the digits that were written. */
export function readIdMember(
	{ text, record }: JsonPayload,
	field: string,
): string | undefined {
	const value = record?.[field];
	if (typeof value === "string" && value !== "") return value;
	if (typeof value !== "number") return undefined;
	// A number of twenty digits would lose some when parsed, and two ids become one.
	const bytes = Buffer.from(text);
	const span = memberSpans(bytes).get(field);
	return span && bytes.toString("utf8", span.start, span.end);
}

/** An ISO 8601 instant, or a number of seconds or milliseconds since 1970, in epoch milliseconds; undefined for all else. */
export function readMoment(value: unknown): number | undefined {
	if (typeof value === "string" && isInstant(value)) return Date.parse(value);
	if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
	const at = Math.abs(value) < MILLISECONDS_FROM ? value * 1000 : value;
	return at >= 0 && at <= LATEST_MS ? at : undefined;
}
