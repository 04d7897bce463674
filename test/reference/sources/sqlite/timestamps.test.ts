import { describe, expect, it } from "vitest";
import {
	readTimestamp,
	type TimestampFormat,
} from "../../../../src/reference/sources/sqlite/timestamps.ts";

const NOON = "2026-10-01T12:00:00.000Z";

describe("the time of a row", () => {
	it.each<[string, number | bigint | string, TimestampFormat]>([
		["ISO text in UTC", "2026-10-01T12:00:00Z", "auto"],
		["ISO text with a zone", "2026-10-01T14:00:00+02:00", "auto"],
		["what CURRENT_TIMESTAMP writes", "2026-10-01 12:00:00", "auto"],
		["the same to the minute", "2026-10-01 12:00", "auto"],
		["seconds", 1_790_856_000n, "auto"],
		["seconds with a fraction", 1_790_856_000.0, "auto"],
		["milliseconds", 1_790_856_000_000n, "auto"],
		["seconds as text", "1790856000", "auto"],
		["seconds, said so", 1_790_856_000n, "seconds"],
		["milliseconds, said so", 1_790_856_000_000n, "milliseconds"],
		["Apple's seconds", 812_548_800n, "apple"],
		["Apple's nanoseconds", 812_548_800_000_000_000n, "apple"],
	])("is read from %s", (_what, value, format) => {
		const at = readTimestamp(value, format) ?? 0;
		expect(new Date(at).toISOString()).toBe(NOON);
	});

	it.each<[string, number | bigint | string | null]>([
		["NULL", null],
		["words", "yesterday"],
		["a date that is none", "2026-02-31T99:00:00Z"],
		["a date with words behind it", "2026-10-01 12:00:00; DROP"],
		["a negative number", -5n],
		["infinity", Number.POSITIVE_INFINITY],
		["a number of the year 12000", 316_516_204_800_000n],
		["an empty text", ""],
	])("is unknown where it says %s", (_what, value) => {
		expect(readTimestamp(value, "auto")).toBeUndefined();
	});
});
