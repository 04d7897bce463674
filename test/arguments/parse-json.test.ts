import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonError } from "../../src/arguments/json-position.ts";
import { parseArgumentsJson } from "../../src/arguments/parse-json.ts";
import { faultOf } from "./fault-of.ts";

describe("--args", () => {
	it("is one JSON object", () => {
		const text =
			' {"a": [1, 0.5, "1e999"], "__proto__": {"b": null}, "n": 1e3} ';
		expect(parseArgumentsJson(text, "--args")).toStrictEqual(JSON.parse(text));
	});

	it.each([
		["", /--args is empty/],
		["[1]", /--args holds no JSON object/],
		["null", /holds no JSON object/],
		['{"a": }', /--args is not JSON at line 1, column 7/],
		['{"a": 1', /not JSON at line 1, column 8/],
		["{\n  a: 1}", /not JSON at line 2, column 3/],
		['{"a": 1} x', /line 1, column 10/],
		['{"a": 01}', /line 1, column 8/],
		[
			'{"a": 12345678901234567890}',
			/the number 12345678901234567890 at line 1, column 7, which cannot be sent unchanged/,
		],
		['{"a": 1e400}', /1e400/],
		['{"a": -0}', /-0/],
	])("%s is refused with its place", async (text, words) => {
		const fault = await faultOf(() => parseArgumentsJson(text, "--args"));
		expect(fault.code).toBe("wrong-use");
		expect(fault.what).toMatch(words);
	});

	it("finds an error before the end in no JSON text, and in none that only ends too early", () => {
		const cutJson = fc.tuple(fc.json(), fc.nat());
		fc.assert(
			fc.property(cutJson, ([json, at]) => {
				expect(findJsonError(json)).toBe(json.length);
				// Cut where a structure is open, so that no token is torn.
				const text = `[${json},`.slice(0, at % 2 ? undefined : -1);
				expect(findJsonError(text)).toBe(text.length);
				expect(findJsonError(`${json}}`)).toBe(json.length);
			}),
			{ seed: 3415 },
		);
	});
});
