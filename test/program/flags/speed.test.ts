import { expect, it } from "vitest";
import { parseSpeed } from "../../../src/program/flags/speed.ts";

it.each([
	["max", undefined],
	["1x", 1],
	["10x", 10],
	["0.5x", 0.5],
])("%s is a speed", (text, factor) => {
	expect(parseSpeed(text)).toBe(factor);
});

it.each(["", "10", "x", "0x", "-1x", "fast"])("%j is none", (text) => {
	expect(() => parseSpeed(text)).toThrow(
		expect.objectContaining({ code: "wrong-use" }),
	);
});
