import fc from "fast-check";
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

	it("is one where its form is right and Date.parse knows it, whatever its digits", () => {
		const FORM =
			/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)$/;
		const two = fc
			.integer({ min: 0, max: 62 })
			.map((n) => `${n}`.padStart(2, "0"));
		const end = fc.constantFrom(
			"Z",
			"z",
			"+02:00",
			".5Z",
			".123Z",
			".Z",
			":1Z",
			"Z ",
			".1a2Z",
			"",
		);
		const mark = fc.constantFrom(":", ":", ":", "-", "");
		const texts = fc
			.tuple(two, two, two, two, two, mark, end)
			.map(
				([mm, dd, h, m, s, mark, end]) =>
					`2026-${mm}-${dd}T${h}:${m}${mark}${s}${end}`,
			);
		fc.assert(
			fc.property(texts, (text) => {
				const isRight = FORM.test(text) && !Number.isNaN(Date.parse(text));
				expect(isInstant(text)).toBe(isRight);
			}),
			{ seed: 3415, numRuns: 5_000 },
		);
	});
});
