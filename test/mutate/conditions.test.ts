import { describe, expect, it } from "vitest";
import { findConditions } from "./conditions.ts";
import { instrument } from "./instrument.ts";

const textsIn = (text: string) => findConditions(text).map((one) => one.text);

describe("a condition is", () => {
	it.each([
		["an if", "if (a) b();", ["a"]],
		["a ternary", "const x = a ? 1 : 2;", ["a"]],
		["what a word is left out by", "x(a && { b });", ["a"]],
		["a predicate", "list.filter((one) => one.kind);", ["one.kind"]],
		["an answer", "return a === b;", ["a === b"]],
		["a question", "const isIt = list.includes(a);", ["list.includes(a)"]],
		[
			"each part, too",
			"if (a && !(b || c)) d();",
			["a && !(b || c)", "a", "b || c", "b", "c"],
		],
	])("%s", (_what, text, conditions) => {
		expect(textsIn(text)).toEqual(conditions);
	});

	it.each([
		["a loop", "while (a) b();"],
		["a choice of words", "const x = a ? 'one reason' : 'two';"],
		["an insertion", `const x = \`is \${a ? 1 : 2}\`;`],
		["a value", "const x = a ?? b;"],
	])("not %s", (_what, text) => {
		expect(textsIn(text)).toEqual([]);
	});
});

describe("an instrumented text", () => {
	it("reads each condition by its place, on its line", () => {
		expect(instrument("if (a &&\n\tb) c();", "x.ts", "read")).toBe(
			'if (read("x.ts:1:5+7", read("x.ts:1:5+1", a) &&\n\tread("x.ts:2:2+1", b))) c();',
		);
	});
});
