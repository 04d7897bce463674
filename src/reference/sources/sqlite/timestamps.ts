// When a row happened, from what its timestamp column holds.
import { isInstant } from "../../../protocol/index.ts";

export const TIMESTAMP_FORMATS = [
	"auto",
	"seconds",
	"milliseconds",
	"apple",
] as const;
/**
 * `auto`: ISO 8601 text (SQLite's own "YYYY-MM-DD HH:MM:SS", in UTC, too), or a number of seconds or milliseconds since
 * 1970, told apart by size. `apple`: seconds or nanoseconds since 2001.
 */
export type TimestampFormat = (typeof TIMESTAMP_FORMATS)[number];

/** Numbers above it are no seconds any more: those would lie in the year 5138. */
const SECONDS_UNTIL = 100_000_000_000;
const APPLE_EPOCH_MS = 978_307_200_000;
/** The end of the year 9999, beyond which ISO 8601 takes another form. */
const LATEST_MS = 253_402_300_799_999;
const SQLITE_TEXT =
	/^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/;

/** Epoch milliseconds; undefined where the value says no time of the years 1970 to 9999. */
export function readTimestamp(
	value: number | bigint | string | null | undefined,
	format: TimestampFormat,
): number | undefined {
	const at =
		typeof value === "string"
			? fromText(value, format)
			: value === null || value === undefined
				? undefined
				: fromNumber(Number(value), format);
	if (at === undefined || !(at >= 0 && at <= LATEST_MS)) return undefined;
	return Math.floor(at);
}

function fromText(text: string, format: TimestampFormat): number | undefined {
	const parts = SQLITE_TEXT.exec(text);
	if (parts) return Date.parse(`${parts[1]}T${parts[2] ?? "00:00"}Z`);
	if (isInstant(text)) return Date.parse(text);
	return /^\d+(\.\d+)?$/.test(text)
		? fromNumber(Number(text), format)
		: undefined;
}

function fromNumber(value: number, format: TimestampFormat): number {
	const isSmall = Math.abs(value) < SECONDS_UNTIL;
	switch (format) {
		case "seconds":
			return value * 1_000;
		case "milliseconds":
			return value;
		case "apple":
			return APPLE_EPOCH_MS + (isSmall ? value * 1_000 : value / 1_000_000);
		case "auto":
			return isSmall ? value * 1_000 : value;
	}
}
