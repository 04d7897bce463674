import { expect, it } from "vitest";
import { mergeArguments } from "../../src/arguments/own-keys.ts";

it.each([
	[{ a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
	[{ f: { a: 1, b: 1 } }, { f: { b: 2 } }, { f: { a: 1, b: 2 } }],
	[{ l: [1, 2] }, { l: [3] }, { l: [3] }],
	[{ f: { a: 1 } }, { f: null }, { f: null }],
	[{ f: 1 }, { f: { a: 1 } }, { f: { a: 1 } }],
])("%j with %j on top", (base, overrides, merged) => {
	const before = JSON.stringify(base);
	expect(mergeArguments(base, overrides)).toStrictEqual(merged);
	expect(JSON.stringify(base)).toBe(before);
});

it("keeps __proto__ a key like any other", () => {
	const hostile = JSON.parse(
		'{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
	);
	const merged = mergeArguments(
		hostile,
		JSON.parse('{"__proto__": {"more": 2}}'),
	);
	expect(JSON.stringify(merged)).toBe(
		'{"__proto__":{"polluted":1,"more":2},"constructor":{"prototype":{"polluted":1}}}',
	);
	expect("polluted" in {}).toBe(false);
});
