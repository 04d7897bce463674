import { expect, it } from "vitest";
import { HourlyLimit } from "../../src/handlers/index.ts";

const HOUR_MS = 3_600_000;

it("lets so many begin in any hour, those of an earlier run among them", () => {
	const limit = new HourlyLimit(3, [1_000]);
	for (const nowMs of [2_000, 3_000]) {
		expect(limit.waitMs(nowMs)).toBe(0);
		limit.begin(nowMs);
	}
	expect(limit.waitMs(4_000)).toBe(HOUR_MS - 3_000);
	expect(limit.waitMs(HOUR_MS + 1_000)).toBe(0);
	limit.begin(HOUR_MS + 1_000);
	expect(limit.waitMs(HOUR_MS + 1_500)).toBe(500);
});

it("makes nobody wait for longer than an hour after the clock was set back", () => {
	const limit = new HourlyLimit(1, [10 * HOUR_MS]);
	expect(limit.waitMs(0)).toBe(HOUR_MS);
});
