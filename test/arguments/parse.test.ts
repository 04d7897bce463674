import { describe, expect, it } from "vitest";
import { parseArguments } from "../../src/arguments/parse.ts";
import { startOwnTime } from "../helpers/own-time.ts";
import { faultOf } from "./fault-of.ts";

const properties = (map: Record<string, unknown>) => ({
	type: "object",
	properties: map,
});
const nested = properties({
	"a.b": { type: "integer" },
	a: properties({ c: { type: "integer" } }),
	"x.y": properties({ "z.w": { type: "boolean" } }),
});

describe("a value is typed by the schema of its key", () => {
	it.each<[string, unknown, string, unknown]>([
		["a string keeps digits", { type: "string" }, "007", "007"],
		["a string keeps true", { type: "string" }, "true", "true"],
		["a string may be empty", { type: "string" }, "", ""],
		["a string keeps further =", { type: "string" }, "a=b=c", "a=b=c"],
		["an integer", { type: "integer" }, "-12", -12],
		[
			"the largest safe integer",
			{ type: "integer" },
			"9007199254740991",
			9007199254740991,
		],
		["a number", { type: "number" }, "0.25", 0.25],
		["false", { type: "boolean" }, "false", false],
		["null", { type: "null" }, "null", null],
		[
			"a number before a string in a union",
			{ type: ["string", "integer"] },
			"5",
			5,
		],
		[
			"a string where the number does not fit",
			{ type: ["string", "integer"] },
			"5x",
			"5x",
		],
		["null before a string", { type: ["string", "null"] }, "null", null],
		[
			"the branches of anyOf",
			{ anyOf: [{ type: "integer" }, { type: "null" }] },
			"null",
			null,
		],
		[
			"the branches of oneOf",
			{ oneOf: [{ type: "boolean" }, { type: "string" }] },
			"yes",
			"yes",
		],
		[
			"allOf narrows",
			{ allOf: [{ type: ["integer", "string"] }, { type: "string" }] },
			"5",
			"5",
		],
		[
			"number and integer meet",
			{ type: "number", allOf: [{ type: "integer" }] },
			"5",
			5,
		],
		["an enum of strings", { enum: ["1", "2"] }, "1", "1"],
		["an enum of numbers", { enum: [1, 2] }, "2", 2],
		["an enum with both prefers the number", { enum: ["1", 1] }, "1", 1],
		[
			"an enum value that is not listed stays its type",
			{ enum: ["red"] },
			"5",
			"5",
		],
		["a const", { const: false }, "false", false],
		[
			"an array of one",
			{ type: "array", items: { type: "integer" } },
			"1",
			[1],
		],
		[
			"a scalar before an array of one",
			{ type: ["integer", "array"], items: {} },
			"1",
			1,
		],
		[
			"an array of one where no scalar fits",
			{ type: ["integer", "array"] },
			"x",
			["x"],
		],
		["an object as JSON", { type: "object" }, '{"b":1}', { b: 1 }],
		["an empty object", { type: "object" }, "{}", {}],
		["no type: a number", {}, "1.5", 1.5],
		["no type: true", true, "true", true],
		[
			"no type: what a number would change stays text",
			{},
			"12345678901234567890",
			"12345678901234567890",
		],
		["no type: an exponent stays text", {}, "1e3", "1e3"],
		["no type: text", {}, "0x10", "0x10"],
	])("%s", (_, schema, text, value) => {
		const parsed = parseArguments([`k=${text}`], properties({ k: schema }));
		expect(parsed).toStrictEqual({ k: value });
	});
});

describe("a value that cannot be what the schema says is refused with the reason", () => {
	it.each([
		["integer", "six", /k is "six", allowed: integer$/],
		["integer", "1.0", /without a fraction/],
		["integer", "1e3", /exponent/],
		["number", "1e3", /exponent/],
		["integer", "-0", /negative zero/],
		["number", "-0.0", /negative zero/],
		["integer", "9007199254740992", /lose digits/],
		["number", "0.12345678901234567890", /more digits/],
		["integer", "+5", /not a number as JSON/],
		["integer", "", /k is "", allowed: integer/],
		["number", "NaN", /k is "NaN", allowed: number/],
		["boolean", "True", /k is "True", allowed: true or false/],
		["null", "none", /allowed: null/],
		["object", "[1]", /allowed: object/],
		["object", '{"a":', /not valid JSON/],
	])("%s: %s", async (type, text, words) => {
		const schema = properties({ k: { type } });
		const fault = await faultOf(() => parseArguments([`k=${text}`], schema));
		expect(fault.code).toBe("arguments-invalid");
		expect(fault.what).toMatch(words);
	});
});

describe("keys", () => {
	it.each<[string, string[], unknown]>([
		[
			"a dotted path makes an object",
			["a.c=1", "n.m.o=x"],
			{ a: { c: 1 }, n: { m: { o: "x" } } },
		],
		["a property with a dot wins as it is", ["a.b=1"], { "a.b": 1 }],
		[
			"the longest start that the schema knows is a key",
			["x.y.z.w=true"],
			{ "x.y": { "z.w": true } },
		],
		["an unknown key is guessed", ["q=1", "r=x"], { q: 1, r: "x" }],
		[
			"an unknown key that is repeated is an array",
			["q=1", "q=x"],
			{ q: [1, "x"] },
		],
	])("%s", (_, pairs, value) => {
		expect(parseArguments(pairs, nested)).toStrictEqual(value);
	});

	it("repeats for the items of an array, each typed by its place", () => {
		const pair = {
			type: "array",
			prefixItems: [{ type: "string" }],
			items: { type: "integer" },
		};
		const old = {
			type: "array",
			items: [{ type: "string" }],
			additionalItems: { type: "integer" },
		};
		for (const schema of [pair, old])
			expect(
				parseArguments(["k=1", "k=2"], properties({ k: schema })),
			).toStrictEqual({ k: ["1", 2] });
	});

	it("follows references, patterns and additionalProperties to the type", () => {
		const schema = {
			$defs: { count: { type: "string" } },
			properties: { n: { $ref: "#/$defs/count" } },
			patternProperties: { "^p-": { type: "string" } },
			additionalProperties: { type: "integer" },
		};
		const parsed = parseArguments(["n=1", "p-x=2", "other=3"], schema);
		expect(parsed).toStrictEqual({ n: "1", "p-x": "2", other: 3 });
	});

	it("finds a property that only a branch of the schema has", () => {
		const schema = { oneOf: [{ properties: { id: { type: "string" } } }, {}] };
		expect(parseArguments(["id=5"], schema)).toStrictEqual({ id: "5" });
	});

	it.each(["__proto__", "constructor", "prototype", "toString"])(
		"%s is a key like any other",
		(key) => {
			const parsed = parseArguments([`${key}.polluted=yes`, `a.${key}=1`]);
			expect(Object.keys(parsed)).toStrictEqual([key, "a"]);
			expect(JSON.stringify(parsed)).toBe(
				`{"${key}":{"polluted":"yes"},"a":{"${key}":1}}`,
			);
			expect("polluted" in {}).toBe(false);
			expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
		},
	);
});

describe("what is wrong in form", () => {
	it.each([
		[["sides"], /"sides" has no =/, /^-a sides=value$/],
		[["=x"], /no key before/, /^-a key=x$/],
		[["a..b=1"], /empty part/, /mcp-events describe/],
		[
			["m=1", "m.b=2"],
			/m is given both as a value and in parts \(m\.b\)/,
			/mcp-events describe/,
		],
		[["m.b=2", "m=1"], /both as a value and in parts/, /mcp-events describe/],
	])("%j", async (pairs, words, next) => {
		const fault = await faultOf(() => parseArguments(pairs));
		expect(fault.code).toBe("wrong-use");
		expect(fault.what).toMatch(words);
		expect(fault.next).toMatch(next);
	});

	it("refuses to repeat a key that is no array, and parts of an array", async () => {
		const schema = properties({ n: { type: "integer" }, l: { type: "array" } });
		const fault = await faultOf(() =>
			parseArguments(["n=1", "n=2", "l.a=1"], schema),
		);
		expect(fault.why).toMatch(
			/n is given 2 times, but it is no array; l is an array: give each item/,
		);
	});

	it("tells all problems of one input together, with a repaired pair", async () => {
		const schema = properties({
			n: { type: "integer", minimum: 3 },
			b: { type: "boolean" },
		});
		const fault = await faultOf(() =>
			parseArguments(["n=x", "b=1", "oops"], schema),
		);
		expect(fault.code).toBe("wrong-use");
		expect(fault.what).toMatch(/3 problems/);
		expect(fault.why).toMatch(
			/oops.*n is "x", allowed: integer of at least 3; b is "1", allowed: true or false/,
		);
		const unfit = await faultOf(() => parseArguments(["n=x"], schema));
		expect(unfit.next).toBe("-a n=3");
	});
});

describe("a hostile schema costs a bounded time", () => {
	const manyBranches: Record<string, unknown> = {};
	manyBranches.anyOf = Array.from({ length: 200 }, () => ({
		$ref: "#",
		anyOf: [{ $ref: "#" }],
	}));
	it.each<[string, unknown]>([
		["a schema that is itself", { $ref: "#" }],
		["branches that lead back", manyBranches],
		[
			"a pattern that never ends",
			{ patternProperties: { "^(a+)+$": { type: "integer" } } },
		],
		[
			"shapes that are all wrong",
			{ type: 5, properties: [], anyOf: {}, $ref: 7, enum: "x", required: 1 },
		],
	])("%s", (_, schema) => {
		const ownTimeMs = startOwnTime();
		const key = `${"a".repeat(40)}!`;
		expect(parseArguments([`${key}=1`], schema)).toStrictEqual({ [key]: 1 });
		expect(ownTimeMs()).toBeLessThan(3_000);
	});
});

it.each([
	["a value of another type", ["n=x"], { n: "x" }],
	["a literal of another type", ["s=1", "n=true"], { s: "1", n: true }],
	["a repeated key that is no array", ["n=1", "n=x"], { n: [1, "x"] }],
	["keys below what is an array", ["l.a=1"], { l: { a: 1 } }],
])("takes %s where nothing is to be validated", (_, pairs, expected) => {
	const schema = properties({
		n: { type: "integer" },
		s: { type: "string" },
		l: { type: "array", items: { type: "integer" } },
	});
	const lenient = { isLenient: true };
	expect(parseArguments(pairs, schema, lenient)).toEqual(expected);
});
