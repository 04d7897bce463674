import { describe, expect, it } from "vitest";
import {
	durationText,
	parseDuration,
	parseSize,
} from "../../../src/program/flags/duration.ts";

describe("a duration", () => {
	it.each([
		["250ms", 250],
		["10s", 10_000],
		["1.5s", 1_500],
		["5m", 300_000],
		["2h", 7_200_000],
		["1d", 86_400_000],
	])("%s is %i ms", (text, ms) => {
		expect(parseDuration(text, "for")).toBe(ms);
	});

	it.each([
		"10",
		"s",
		"-1s",
		"1 s",
		"1w",
		"1e3s",
		"",
		"NaNs",
		`${"9".repeat(400)}d`,
	])("is not %j: status 2, and what is allowed", (text) => {
		expect(() => parseDuration(text, "for")).toThrow(
			expect.objectContaining({
				exitStatus: 2,
				what: expect.stringContaining("--for"),
				next: "--for 10s",
			}),
		);
	});
});

it.each(["250ms", "10s", "90s", "5m", "2h", "1d", "0ms"])(
	"%s is written as it was read",
	(text) => {
		expect(durationText(parseDuration(text, "for"))).toBe(text);
	},
);

describe("a size", () => {
	it.each([
		["512b", 512],
		["64kb", 65_536],
		["16MB", 16_777_216],
	])("%s is %i bytes", (text, bytes) => {
		expect(parseSize(text, "max-message")).toBe(bytes);
	});

	it("is not a bare number", () => {
		expect(() => parseSize("16", "max-message")).toThrow(
			expect.objectContaining({ exitStatus: 2 }),
		);
	});
});
