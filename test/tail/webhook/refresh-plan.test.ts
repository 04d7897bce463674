import { expect, it } from "vitest";
import { refreshDelayMs } from "../../../src/tail/webhook/refresh-plan.ts";

const HOUR = 3_600_000;

it.each([
	["an hour", HOUR, HOUR * 0.5, HOUR * 0.75],
	["two seconds", 2_000, 1_000, 1_500],
	["a moment", 1, 250, 250],
	["a year", 365 * 24 * HOUR, 24 * HOUR, 24 * HOUR],
	["nothing: it is over", 0, 30_000, 30_000],
	["less than nothing", -HOUR, 30_000, 30_000],
	["no end", null, HOUR * 0.5, HOUR * 0.75],
	["something unreadable", undefined, 150_000, 225_000],
])("of a grant of %s falls into its part", (_what, lengthMs, least, most) => {
	const nowMs = 1_000_000;
	const until = typeof lengthMs === "number" ? nowMs + lengthMs : lengthMs;
	expect(refreshDelayMs(until, nowMs, () => 0)).toBe(least);
	expect(refreshDelayMs(until, nowMs, () => 1)).toBe(most);
});
