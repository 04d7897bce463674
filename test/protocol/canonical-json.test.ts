import { expect, it } from "vitest";
import { canonicalJson } from "../../src/protocol/canonical-json.ts";

it.each<[unknown, string]>([
	[{ b: 1, a: [true, null, "x"] }, '{"a":[true,null,"x"],"b":1}'],
	[{ 10: 1, 9: 2, a: { d: 1, c: 2 } }, '{"10":1,"9":2,"a":{"c":2,"d":1}}'],
	// The key order of the sorting example in RFC 8785, 3.2.3.
	[
		{ "€": 1, "\r": 2, "\ufb33": 3, 1: 4, "😂": 5, "\u0080": 6, ö: 7 },
		'{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😂":5,"\ufb33":3}',
	],
	[
		[Number("333333333.33333329"), 1e30, 4.5, 0.002, 1e-27],
		"[333333333.3333333,1e+30,4.5,0.002,1e-27]",
	],
	[JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
	[{ a: undefined }, "{}"],
	[-0, "0"],
	[undefined, "null"],
])("%j has one canonical text", (value, text) => {
	expect(canonicalJson(value)).toBe(text);
});
