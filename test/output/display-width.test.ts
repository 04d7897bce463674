import { describe, expect, it } from "vitest";
import {
	clip,
	displayWidth,
	pad,
	wrap,
	wrapAtMost,
} from "../../src/output/display-width.ts";

describe("displayWidth", () => {
	it.each([
		["", 0],
		["abc", 3],
		["cafe\u0301", 4],
		["日本語", 6],
		["한국어", 6],
		["\u1112\u1161\u11ab", 2],
		["ｆｕｌｌ", 8],
		["ﾊﾝ", 2],
		["👍", 2],
		["👍🏽", 2],
		["👩‍👩‍👧‍👦", 2],
		["❤️", 2],
		["🇩🇪", 2],
		["…", 1],
		["नमस्ते", 4],
	])("counts %s as %i columns", (text, width) => {
		expect(displayWidth(text)).toBe(width);
	});
});

describe("clip", () => {
	it.each([
		["abcdef", 6, "abcdef"],
		["abcdefg", 6, "abcde…"],
		["日本語日本語", 6, "日本…"],
		["ab\\u001bcdef", 6, "ab…"],
		["\\u{e0041}xyz", 5, "…"],
		["a👩‍👩‍👧‍👦bc", 3, "a…"],
	])("cuts %s to %i columns as %s", (text, width, clipped) => {
		expect(clip(text, width)).toBe(clipped);
	});
});

describe("wrap", () => {
	it.each([
		["one two three", 7, ["one two", "three"]],
		["abcdefghij", 4, ["abcd", "efgh", "ij"]],
		["a abcdefgh b", 4, ["a", "abcd", "efgh", "b"]],
		["日本語", 2, ["日", "本", "語"]],
		["", 5, [""]],
		["日", 1, ["日"]],
	])("folds %j at %i columns", (text, width, lines) => {
		expect(wrap(text, width)).toEqual(lines);
	});

	it("says by … that there is more", () => {
		expect(wrapAtMost("one two three four", 7, 2)).toEqual([
			"one two",
			"three…",
		]);
		expect(wrapAtMost("x".repeat(1_000_000), 5, 1)).toEqual(["xxxx…"]);
	});
});

it("pads by columns, not by characters", () => {
	expect(pad("日本", 6)).toBe("日本  ");
	expect(pad("toolong", 3)).toBe("toolong");
});
