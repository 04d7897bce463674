import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	cutText,
	visibleJson,
	visibleLine,
	visibleText,
} from "../../src/output/visible-text.ts";
import { dangers, HOSTILE_TEXTS } from "../fixtures/hostile-text.ts";
import { startOwnTime } from "../helpers/own-time.ts";

/** Reads a visible text back by the rule that its docstring states. */
function readBack(visible: string): string {
	return visible.replace(
		/(\\*)u(?:\{([0-9a-f]+)\}|([0-9a-fA-F]{4})|\{)/g,
		(match, slashes: string, long?: string, short?: string) => {
			if (slashes === "") return match;
			const half = "\\".repeat(Math.floor(slashes.length / 2));
			if (slashes.length % 2 === 0) return half + match.slice(slashes.length);
			return (
				half + String.fromCodePoint(Number.parseInt(long ?? short ?? "", 16))
			);
		},
	);
}

const anyText = fc.string({
	unit: fc.oneof(
		fc.constantFrom("\\", "u", "0041", "{", "}", "\x1b", "\u0301", "\u200d"),
		fc.constantFrom("\ud800", "👩", "\ufe0f", "a", "\u202e", "\u{e0041}"),
		fc.string({ unit: "binary", maxLength: 1 }),
	),
});

describe("visibleText", () => {
	it.each(HOSTILE_TEXTS)("shows $name instead of obeying it", ({ text }) => {
		const visible = visibleText(text);
		expect(dangers(visible)).toEqual([]);
		expect(visible).not.toMatch(/[\n\t]/);
		expect(readBack(visible)).toBe(text);
	});

	it.each([
		["\x1b[2J", "\\u001b[2J"],
		["a\u009b2Jb", "a\\u009b2Jb"],
		["\u{e0041}", "\\u{e0041}"],
		["a\tb", "a\\u0009b"],
		["\ud800", "\\ud800"],
		["\\u001b", "\\\\u001b"],
		["\\\\u001b", "\\\\\\\\u001b"],
		["\\\x1b", "\\\\\\u001b"],
		["\\u{41}", "\\\\u{41}"],
	])("writes %j as %s", (text, visible) => {
		expect(visibleText(text)).toBe(visible);
	});

	it.each([
		["plain ASCII ~ {}[]"],
		["C:\\users\\new"],
		["Grüße, Ελλάδα, 日本語, 한국어"],
		["cafe\u0301, nước"],
		["👩‍👩‍👧‍👦 ❤️‍🔥 👍🏽 🏳️‍🌈 1️⃣ 🇩🇪"],
		["می\u200cخواهم क्\u200dष"],
		["हिन्दी ไทย שָׁלוֹם"],
	])("leaves %s as it is", (text) => {
		expect(visibleText(text)).toBe(text);
	});

	it("keeps line feeds only where many lines are asked for", () => {
		const options = { multiline: true };
		expect(visibleText("a\r\nb\n\tc\rd", options)).toBe("a\nb\n    c\\u000dd");
	});

	it("keeps the first marks of a flood and shows the rest", () => {
		const visible = visibleText(`z${"\u0300".repeat(6)}`);
		expect(visible).toBe(`z${"\u0300".repeat(4)}\\u0300\\u0300`);
	});

	it("can be read back, and is harmless, whatever the text", () => {
		fc.assert(
			fc.property(anyText, (text) => {
				const visible = visibleText(text);
				expect(dangers(visible)).toEqual([]);
				expect(readBack(visible)).toBe(text);
			}),
			{ seed: 3415, numRuns: 2_000 },
		);
	});

	it.each([
		["backslashes", "\\".repeat(1_000_000)],
		["marks", "\u0300".repeat(200_000)],
		["joiners", "\u200d".repeat(200_000)],
	])("takes time in proportion to a million %s", (_, text) => {
		const ownTimeMs = startOwnTime();
		visibleText(text);
		expect(ownTimeMs()).toBeLessThan(2_000);
	});
});

describe("visibleLine", () => {
	it("tells how much of a long text it left out", () => {
		expect(visibleLine("x".repeat(5_000), 10)).toBe(
			"xxxxxxxxxx… (4990 more characters)",
		);
	});

	it("never cuts an emoji in half", () => {
		expect(cutText("a👍b", 2)).toBe("a");
	});
});

describe("visibleJson", () => {
	it.each(HOSTILE_TEXTS)("keeps the value of JSON with $name", ({ text }) => {
		const json = Buffer.from(JSON.stringify({ [text]: [text] }));
		const visible = visibleJson(json);
		expect(dangers(visible.toString())).toEqual([]);
		expect(JSON.parse(visible.toString())).toEqual(JSON.parse(json.toString()));
	});

	it("leaves harmless JSON as the very bytes", () => {
		const json = Buffer.from('{\t"a": "\\u001b\\\\u001b", "b": 1.0}');
		expect(visibleJson(json)).toBe(json);
	});
});
