import { expect, it } from "vitest";
import { indentJson } from "../../src/output/indent-json.ts";

it("lays JSON out with every token as it was written", () => {
	const text =
		'{"n":1.50,"big":12345678901234567890,"s":"a\\"b{,\\u00e9","e":{},"l":[1e3, [ ],null]}';
	expect(indentJson(text)).toBe(
		[
			"{",
			'  "n": 1.50,',
			'  "big": 12345678901234567890,',
			'  "s": "a\\"b{,\\u00e9",',
			'  "e": {},',
			'  "l": [',
			"    1e3,",
			"    [],",
			"    null",
			"  ]",
			"}",
		].join("\n"),
	);
});

it.each(["1", '"a"', "null", "[]", " {} "])("leaves %j on its line", (text) => {
	expect(indentJson(text)).toBe(text.trim());
});

it("is not made huge by a stranger's brackets", () => {
	const deep = "[".repeat(50_000) + "]".repeat(50_000);
	expect(indentJson(deep).length).toBeLessThan(deep.length * 50);
});
