import { expect, it } from "vitest";
import { parseMoment } from "../../../src/program/flags/moment.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");

it.each([
	["2026-11-30T10:00:00Z", "2026-11-30T10:00:00.000Z"],
	["2026-11-30T10:00:00+02:00", "2026-11-30T08:00:00.000Z"],
	["2026-11-29", "2026-11-29T00:00:00.000Z"],
	["1700000000", "2023-11-14T22:13:20.000Z"],
	["2h", "2026-11-30T10:00:00.000Z"],
	["1d", "2026-11-29T12:00:00.000Z"],
])("%s is the moment %s", (text, moment) => {
	expect(new Date(parseMoment(text, "since", NOW)).toISOString()).toBe(moment);
});

it.each(["yesterday", "2026-13-01", "2h ago", "10:00", "1700000000000", ""])(
	"%j is no moment",
	(text) => {
		expect(() => parseMoment(text, "since", NOW)).toThrow(
			expect.objectContaining({ code: "wrong-use" }),
		);
	},
);
