import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/faults/index.ts";
import { parseSubscriptions } from "../../../src/program/follow/subscription-lines.ts";

const parse = (text: string, canReceive = false) =>
	parseSubscriptions(text, { file: "subs.txt", canReceive });

function faultOf(text: string): Fault {
	try {
		parse(text);
	} catch (error) {
		if (error instanceof Fault) return error;
		throw error;
	}
	throw new Error("nothing is wrong with it");
}

describe("a line of --from", () => {
	it.each([
		["a.b", { name: "a.b", pairs: [], json: [] }],
		["  a.b\t", { name: "a.b" }],
		["a -a k=v -a 'l=m n'", { pairs: ["k=v", "l=m n"] }],
		[
			"-ak=v a --arg=l=m --arg n=o",
			{ name: "a", pairs: ["k=v", "l=m", "n=o"] },
		],
		[`a --args '{"k": 1.0}'`, { json: ['{"k": 1.0}'] }],
		["a --via poll --cursor=c=1", { via: "poll", cursor: "c=1" }],
		['{"event": "a"}', { name: "a", json: [], via: undefined }],
		['{"event": "a b", "arguments": {"k": [1]}}', { json: ['{"k":[1]}'] }],
		[
			'{"event": "a", "via": "push", "cursor": ""}',
			{ via: "push", cursor: "" },
		],
	])("%s is one subscription", (line, expected) => {
		expect(parse(`${line}\n`)).toEqual([expect.objectContaining(expected)]);
	});

	it("is known by its number, whatever stands between", () => {
		const text = '\uFEFF# of shop\r\na\r\n\r\n   # more\r\n{"event":"b"}';
		const lines = parse(text).map(({ name, line }) => [name, line]);
		expect(lines).toEqual([
			["a", 2],
			["b", 5],
		]);
	});

	it.each([
		["a b", /"a" and "b": one event a line/],
		["-a k=v", /no event is named/],
		["''", /the event has no name/],
		["a -a", /-a has no value/],
		["a 'b", /a quote is not closed/],
		["a --resume x", /--resume is none of -a, --args, --via and --cursor/],
		["a --via stream", /"stream" is none of webhook, push, poll/],
		["a --args -", /a line cannot read stdin/],
		["a --via webhook", /webhook needs --public-url or --tunnel/],
		['{"event": "a"', /it is no JSON: /],
		['{"event": 7}', /event must be the name/],
		['{"arguments": {}}', /event must be the name/],
		['{"event": "a", "arguments": []}', /arguments must be an object/],
		['{"event": "a", "cursor": 3}', /cursor must be a string/],
		['{"event": "a", "via": ["poll"]}', /\["poll"\] is none of webhook/],
		['{"event": "a", "args": {}}', /"args" is none of event, arguments/],
	])("%s is told with its number", (line, problem) => {
		const { code, why } = faultOf(`good\n\n${line}\ngood`);
		expect(code).toBe("wrong-use");
		expect(why).toMatch(/^line 3: /);
		expect(why).toMatch(problem);
	});

	it("is told together with all others that are bad", () => {
		const { what, why, exitStatus } = faultOf("a b\ngood\n{\nx 'y\n");
		expect(what).toBe("3 lines of subs.txt cannot be followed (--from)");
		expect(why).toMatch(/^line 1: .*; line 3: .*; line 4: /);
		expect(exitStatus).toBe(2);
	});

	it("is counted where there are many that are bad", () => {
		const { why } = faultOf("a b\n".repeat(1_000));
		expect(why).toMatch(/line 20: [^;]*; and 980 more$/);
	});

	it("must be there", () => {
		expect(faultOf("# nothing\n\n").why).toMatch(/nothing is named/);
	});

	it("may ask for webhooks where they can be received", () => {
		expect(parse("a --via webhook", true)).toMatchObject([{ via: "webhook" }]);
	});
});
