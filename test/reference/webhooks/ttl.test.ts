import { describe, expect, it } from "vitest";
import { grantTtl } from "../../../src/reference/webhooks/ttl.ts";

const limits = {
	defaultMs: 3_600,
	leastMs: 60,
	mostMs: 10_000,
	mayBeEndless: true,
};

describe("the time that is granted", () => {
	it.each([
		["nothing", undefined, 3_600],
		["a time", 5_000, 5_000],
		["too short a time", 1, 60],
		["nothing at all, as a number", 0, 60],
		["a time in the past", -5_000, 60],
		["too long a time", 1e300, 10_000],
		["a fraction", 99.9, 99],
		["an infinite number", Number.POSITIVE_INFINITY, 10_000],
		["no number", Number.NaN, 3_600],
		["text", "5000", 3_600],
		["an object", {}, 3_600],
		["no end", null, null],
	])("for %s is clamped, never refused", (_, asked, granted) => {
		expect(grantTtl(asked, limits)).toBe(granted);
	});

	it("has an end where nothing is kept over a restart", () => {
		expect(grantTtl(null, { ...limits, mayBeEndless: false })).toBe(10_000);
	});
});
