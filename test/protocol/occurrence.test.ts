import { describe, expect, it } from "vitest";
import { isInstant } from "../../src/protocol/occurrence.ts";

describe("an instant", () => {
	it.each([
		"2026-11-30T12:00:00Z",
		"2026-11-30T12:00:00.123456+02:00",
		"2026-02-28T00:00Z",
	])("is %s", (text) => {
		expect(isInstant(text)).toBe(true);
	});

	it.each([
		"2026-11-30",
		"2026-11-30T12:00:00",
		"2026-13-01T00:00:00Z",
		"now",
		"",
		"1700000000",
	])("is not %j", (text) => {
		expect(isInstant(text)).toBe(false);
	});
});
