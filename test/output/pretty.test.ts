import { describe, expect, it } from "vitest";
import { PLAIN } from "../../src/output/colors.ts";
import { prettyEvent } from "../../src/output/pretty.ts";
import { startOwnTime } from "../helpers/own-time.ts";
import { eventFrom } from "./items.ts";

function show(data: string, width = 60, fields = ""): string[] {
	const json = `{"eventId":"e1","name":"n","timestamp":"2026-11-03T14:03:07Z"${fields},"data":${data}}`;
	const block = prettyEvent(eventFrom(json), { width, palette: PLAIN });
	expect(block.endsWith("\n")).toBe(true);
	return block.slice(0, -1).split("\n");
}

const body = (data: string, width?: number) => show(data, width).slice(1);

it.each([
	[
		"number text",
		'{"a":1.0,"b":-0,"c":1e400}',
		["a: 1.0", "b: -0", "c: 1e400"],
	],
	["twenty digits", '{"a":12345678901234567890}', ["a: 12345678901234567890"]],
	["literals", '{"a":true,"b":null}', ["a: true", "b: null"]],
	[
		"strings",
		'{"a":"x y","b":"1","c":"","d":"true"}',
		["a: x y", 'b: "1"', 'c: ""', 'd: "true"'],
	],
	[
		"escapes as written",
		'{"a":"\\u0041\\n\\"","b":"a: b"}',
		['a: "\\u0041\\n\\""', 'b: "a: b"'],
	],
	["odd keys", '{"a b":1,"":2,"ключ":3}', ['"a b": 1', '"": 2', "ключ: 3"]],
	["a repeated key", '{"a":1,"a":2}', ["a: 2"]],
	["a short object", '{"a":{"b":[1.0]}}', ['a: {"b":[1.0]}']],
	["an empty object", "{}", ["{}"]],
	["an array as data", "[1,2]", ["[1,2]"]],
	["a text as data", '"x"', ["x"]],
	[
		"a control as it is",
		'{"a\u202e":"b\u009b\u007f"}',
		['"a\\u202e": "b\\u009b\\u007f"'],
	],
])("shows %s", (_, data, lines) => {
	expect(body(data)).toEqual(lines.map((line) => `  ${line}`));
});

it("begins a line with what does not fit beside the time any more", () => {
	const name = "order.created.by.somebody.somewhere";
	const json = `{"eventId":"evt_0123456789","name":"${name}","timestamp":"","data":1}`;
	const event = { ...eventFrom(json), subscription: name };
	const block = prettyEvent(event, { width: 30, palette: PLAIN });
	expect(block.split("\n").slice(1)).toEqual([
		"order.created.by.somebody.som…",
		"evt_0123456789",
		"  1",
		"",
	]);
});

it("breaks up what does not fit on one line", () => {
	expect(
		body(
			'{"order":{"id":17,"lines":[{"sku":"abc"},{"sku":"a very long name"}]}}',
			30,
		),
	).toEqual([
		"  order:",
		"    id: 17",
		"    lines:",
		'      - {"sku":"abc"}',
		"      -",
		"        sku: a very long name",
	]);
});

it("folds a long text over three lines at most", () => {
	const lines = body(`{"message":"${"word ".repeat(200)}end"}`, 40);
	expect(lines).toEqual([
		"  message: word word word word word word",
		"           word word word word word word",
		"           word word word word word wor…",
	]);
});

describe("the first line", () => {
	const first = (json: string, subscription?: string) =>
		prettyEvent(eventFrom(json, subscription), {
			width: 80,
			palette: PLAIN,
		}).split("\n", 1)[0];

	it.each([
		[
			'{"eventId":"e","name":"n","timestamp":"2026-11-03T16:03:07+02:00"}',
			"14:03:07 n e",
		],
		[
			'{"eventId":"e","name":"n","timestamp":"2025-01-02T03:04:05Z"}',
			"2025-01-02 03:04:05 n e",
		],
		['{"eventId":"e","name":"n","timestamp":"soon"}', "14:03:09 n e"],
		[
			'{"eventId":"e\\u001b[2J","name":"n\\u202e"}',
			"14:03:09 n\\u202e e\\u001b[2J",
		],
		[
			`{"eventId":"${"0123456789".repeat(5)}","name":"n"}`,
			"14:03:09 n 01234567890123456789012345678901234…",
		],
	])("of %s is %s", (json, line) => {
		expect(first(json)).toBe(line);
	});

	it("names the subscription where that says more than the name", () => {
		const json = '{"eventId":"e","name":"n"}';
		expect(first(json, 'n {"a":1}')).toBe('14:03:09 n e (n {"a":1})');
	});
});

it.each([
	["arrays in arrays", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
	["objects in objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
	["a million elements", `{"a":[${"0,".repeat(1_000_000)}0]}`],
	[
		"many members",
		`{${Array.from({ length: 50_000 }, (_, at) => `"k${at}":${at}`).join()}}`,
	],
	["a long text", `{"a":"${"日本".repeat(500_000)}"}`],
	["a long text of escapes", `{"a":"${"\\n".repeat(500_000)}"}`],
	["a long key", `{"${"k".repeat(1_000_000)}":1}`],
	["a long number", `{"a":${"1".repeat(1_000_000)}}`],
	["a flood of marks", `{"a":"e${"\u0301".repeat(100_000)}"}`],
])("stays small and quick with %s", (_, data) => {
	const ownTimeMs = startOwnTime();
	const lines = show(data, 60);
	expect(ownTimeMs()).toBeLessThan(1_000);
	expect(lines.length).toBeLessThanOrEqual(21);
	for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
});
