import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import {
	elementSpans,
	memberSpans,
	oneLine,
	parseJsonBytes,
} from "../../src/protocol/json-text.ts";

const bytes = (text: string) => Buffer.from(text, "utf8");

function memberText(text: string, key: string): string | undefined {
	const span = memberSpans(bytes(text)).get(key);
	return span && bytes(text).subarray(span.start, span.end).toString();
}

describe("the parts of a JSON text", () => {
	it.each([
		["a number's own spelling", '{"a":1.0}', "1.0"],
		["a negative zero", '{"a":-0}', "-0"],
		["a number beyond a double", '{"a":1e400}', "1e400"],
		["twenty digits", '{"a":12345678901234567890}', "12345678901234567890"],
		["an escape", '{"a":"\\u0041"}', '"\\u0041"'],
		["a lone surrogate's escape", '{"a":"\\ud800"}', '"\\ud800"'],
		["an escaped quote and backslash", '{"a":"\\\\\\""}', '"\\\\\\""'],
		["brackets in a string", '{"a":"]}{["}', '"]}{["'],
		["white space inside", '{"a" : { "b" : [ 1 ] } }', '{ "b" : [ 1 ] }'],
		["the last of a repeated key", '{"a":1,"a":2}', "2"],
		["a key written with escapes", '{"\\u0061":true}', "true"],
		["text of several bytes a character", '{"é":"x","a":"☕"}', '"☕"'],
		["an empty object", '{"a":{}}', "{}"],
	])("are found as they were written: %s", (_name, text, expected) => {
		expect(memberText(text, "a")).toBe(expected);
	});

	it("are what JSON.parse finds, in any JSON that JSON.stringify can write", () => {
		const json = fc.json({ maxDepth: 4 });
		const spaces = fc.constantFrom(undefined, 1, "\t", " \n");
		fc.assert(
			fc.property(fc.dictionary(fc.string(), json), spaces, (parts, space) => {
				const object = Object.fromEntries(
					Object.entries(parts).map(([key, text]) => [key, JSON.parse(text)]),
				);
				const text = bytes(JSON.stringify(object, null, space));
				const spans = memberSpans(text);
				expect([...spans.keys()].sort()).toEqual(Object.keys(object).sort());
				for (const [key, { start, end }] of spans)
					expect(JSON.parse(text.toString("utf8", start, end))).toEqual(
						object[key],
					);
			}),
			{ seed: 3415, numRuns: 300 },
		);
	});

	it("are an array's elements too", () => {
		const text = bytes(' [ 1.0 , "a,b" , [ 2 ] , {"c":[]} ] ');
		const found = elementSpans(text).map(({ start, end }) =>
			text.toString("utf8", start, end),
		);
		expect(found).toEqual(["1.0", '"a,b"', "[ 2 ]", '{"c":[]}']);
	});

	it("are none where no object or array stands", () => {
		expect(memberSpans(bytes('"a"')).size).toBe(0);
		expect(elementSpans(bytes("{}"))).toEqual([]);
		expect(elementSpans(bytes("[]"))).toEqual([]);
	});

	it("are found in nesting that no stack could hold", () => {
		const deep = "[".repeat(200_000) + "]".repeat(200_000);
		expect(memberText(`{"a":${deep}}`, "a")).toBe(deep);
	});
});

describe("one line", () => {
	const line = (text: string) =>
		oneLine(bytes(text), { start: 0, end: bytes(text).length }).toString();

	it("leaves a text without line ends as it is, white space and all", () => {
		expect(line('{ "a" :\t1.0 }')).toBe('{ "a" :\t1.0 }');
	});

	it.each(["\n", "\r\n", "\r"])(
		"takes the white space of a text with %j",
		(end) => {
			expect(
				line(`{${end}  "a b": [${end}    1.0,${end}    -0${end}  ]${end}}`),
			).toBe('{"a b":[1.0,-0]}');
		},
	);

	it("never changes what the text means", () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const pretty = JSON.stringify(value, null, 2);
				expect(JSON.parse(line(pretty))).toEqual(JSON.parse(pretty));
				expect(line(pretty)).not.toMatch(/[\r\n]/);
			}),
			{ seed: 3415, numRuns: 200 },
		);
	});
});

describe("bytes that are no JSON", () => {
	it.each([
		["a web page", bytes("<html>")],
		["a cut text", bytes('{"a":')],
		["two texts", bytes("{}{}")],
		["nothing", bytes("")],
		["a byte that is no UTF-8", Buffer.from([0x22, 0xff, 0x22])],
		["a surrogate in UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
	])("are a fault: %s", (_name, text) => {
		expect(() => parseJsonBytes(text)).toThrow(Fault);
		expect(() => parseJsonBytes(text)).toThrow(
			expect.objectContaining({ code: "not-json", exitStatus: 5 }),
		);
	});
});
