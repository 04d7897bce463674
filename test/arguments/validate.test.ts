import { describe, expect, it } from "vitest";
import {
	findProblems,
	validateArguments,
} from "../../src/arguments/validate.ts";
import { faultOf } from "./fault-of.ts";

const dice = {
	type: "object",
	properties: {
		sides: { type: "integer", minimum: 1, maximum: 6 },
		colour: { enum: ["red", "green"] },
		domain: { type: "string" },
		from: { type: "string", format: "email" },
		tags: { type: "array", items: { type: "string" }, uniqueItems: true },
		filter: {
			type: "object",
			properties: { since: { type: "string" } },
			required: ["since"],
		},
	},
	anyOf: [{ required: ["domain"] }, { required: ["from"] }],
	additionalProperties: false,
};

describe("problems are told in words", () => {
	it.each<[unknown, unknown, string]>([
		[dice, {}, "give at least one of: domain, from"],
		[dice, { domain: "x", sides: 9 }, "sides is 9, allowed: integer 1 to 6"],
		[
			dice,
			{ domain: "x", sides: "six" },
			'sides is "six", allowed: integer 1 to 6',
		],
		[
			dice,
			{ domain: "x", colour: "mauve" },
			'colour is "mauve", allowed: one of red, green',
		],
		[dice, { from: "nobody" }, 'from is "nobody", allowed: string (email)'],
		[dice, { domain: "x", tags: ["a", 1] }, "tags[1] is 1, allowed: string"],
		[dice, { domain: "x", tags: ["a", "a"] }, "tags holds an item twice"],
		[dice, { domain: "x", filter: {} }, "filter.since is missing"],
		[
			dice,
			{ domain: "x", colur: 1 },
			"colur is not known (did you mean colour?)",
		],
		[
			dice,
			{ domain: "x", q: 1 },
			"q is not known (allowed: sides, colour, domain, from, tags, filter)",
		],
		[{ required: ["a"] }, {}, "a is missing"],
		[
			{ oneOf: [{ required: ["a"] }, { required: ["b", "c"] }] },
			{},
			"give exactly one of: a, b with c",
		],
		[
			{ oneOf: [{ required: ["a"] }, { required: ["b"] }] },
			{ a: 1, b: 1 },
			"give only one of: a, b",
		],
		[
			{ not: { required: ["a", "b"] } },
			{ a: 1, b: 1 },
			"a and b cannot be given together",
		],
		[
			{ properties: { a: { not: { type: "null" } } } },
			{ a: null },
			"a is null, not allowed: null",
		],
		[
			{ dependentRequired: { a: ["b"] } },
			{ a: 1 },
			"b is missing: it is needed with a",
		],
		[{ properties: { a: false } }, { a: 1 }, "a is not allowed"],
		[false, {}, "nothing is allowed"],
		[{ minProperties: 1 }, {}, "at least 1 keys must be given"],
		[
			{ propertyNames: { pattern: "^x" } },
			{ a: 1 },
			"the key a is not allowed, keys must be: anything matching ^x",
		],
		[
			{ properties: { a: { contains: { type: "string" } } } },
			{ a: [1] },
			"a must hold at least 1 of: string",
		],
		[
			{ properties: { a: {} }, unevaluatedProperties: false },
			{ b: 1 },
			"b is not known (allowed: a)",
		],
		[
			{ properties: { a: { anyOf: [{ type: "string" }, { type: "array" }] } } },
			{ a: 1 },
			"a is 1, allowed: string or array",
		],
		[
			{ patternProperties: { "[0-9]{2,}": { type: "string" } } },
			{ a31: 1 },
			"a31 is 1, allowed: string",
		],
		[
			JSON.parse('{"if": {"required": ["a"]}, "then": {"required": ["b"]}}'),
			{ a: 1 },
			"b is missing",
		],
		[
			{
				$schema: "http://json-schema.org/draft-07/schema#",
				dependencies: { a: ["b"] },
			},
			{ a: 1 },
			"b is missing: it is needed with a",
		],
	])("%j given %j", async (schema, value, words) => {
		expect(await findProblems(value, schema)).toStrictEqual([words]);
	});

	it("tells what keeps each alternative from fitting", async () => {
		const schema = {
			oneOf: [
				{
					properties: { kind: { const: "file" }, path: {} },
					required: ["kind", "path"],
				},
				{ properties: { kind: { const: "url" } }, required: ["kind"] },
			],
		};
		const [told] = await findProblems({ kind: "file" }, schema);
		expect(told).toBe(
			'the whole object fits none of the alternatives: path is missing, or: kind is "file", allowed: exactly url',
		);
	});

	it("throws one fault with all of them and an example that fits", async () => {
		const fault = await faultOf(() =>
			validateArguments({ sides: 9, colur: 1 }, dice),
		);
		expect(fault.code).toBe("arguments-invalid");
		expect(fault.exitStatus).toBe(2);
		expect(fault.what).toMatch(/3 problems/);
		expect(fault.why).toMatch(
			/sides is 9.*; give at least one of.*|give at least one of.*; sides is 9/,
		);
		expect(fault.next).toBe("for example: -a domain=example");
	});

	it("lets through what fits, and anything where there is no schema", async () => {
		await validateArguments(
			{ domain: "x", sides: 6, filter: { since: "y" } },
			dice,
		);
		await validateArguments({ any: [1, null] }, undefined);
		await validateArguments({ any: [1, null] }, true);
	});

	it("counts what is beyond twenty problems", async () => {
		const keys = Array.from({ length: 25 }, (_, i) => `k${i}`);
		const fault = await faultOf(() =>
			validateArguments({}, { required: keys }),
		);
		expect(fault.why).toMatch(/k19 is missing; and 5 more$/);
	});
});

// Statements of JSON Schema Core and Validation 2020-12 and of draft-07, each as a value that fits and one that does not.
const draft7 = { $schema: "http://json-schema.org/draft-07/schema#" };
const tree = {
	$id: "https://example.com/tree",
	properties: { nodes: { items: { $ref: "node" } } },
	$defs: {
		node: {
			$id: "node",
			properties: { value: { type: "number" }, sub: { $ref: "tree" } },
		},
	},
};
describe("the specification's own statements hold", () => {
	it.each<[string, unknown, unknown, unknown]>([
		["1.0 is an integer", { type: "integer" }, 1.0, 1.5],
		["numbers are compared by value in const", { const: 1 }, 1.0, "1"],
		[
			"const compares objects whatever their order",
			{ const: { a: 1, b: 2 } },
			{ b: 2, a: 1 },
			{ a: 1 },
		],
		["false is not 0", { enum: [0] }, 0, false],
		["keywords ignore values of other types", { minLength: 2 }, 7, "x"],
		["length counts characters, not code units", { maxLength: 1 }, "😀", "ab"],
		["patterns are not anchored", { pattern: "b" }, "abc", "ac"],
		["multipleOf takes small fractions", { multipleOf: 0.01 }, 19.99, 0.005],
		[
			"items stand after prefixItems",
			{ prefixItems: [{}], items: { type: "null" } },
			[1, null],
			[1, 1],
		],
		[
			"minContains 0 asks for nothing",
			{ contains: { const: 1 }, minContains: 0, maxContains: 1 },
			[],
			[1, 1],
		],
		[
			"$ref stands beside other keywords in 2020-12",
			{ $ref: "#/$defs/a", maxItems: 1, $defs: { a: { type: "array" } } },
			[1],
			[1, 2],
		],
		[
			"$ref ignores its siblings in draft-07",
			{
				...draft7,
				definitions: { a: { type: "array" } },
				properties: { x: { $ref: "#/definitions/a", maxItems: 1 } },
			},
			{ x: [1, 2] },
			{ x: 1 },
		],
		[
			"draft-07 knows no prefixItems, and lists items",
			{ ...draft7, prefixItems: [false], items: [{ type: "null" }] },
			[null],
			[1],
		],
		[
			"pointers are unescaped",
			{ $defs: { "a/b~c%": { type: "null" } }, $ref: "#/$defs/a~1b~0c%25" },
			null,
			1,
		],
		[
			"a property may be called $ref",
			{ properties: { $ref: { type: "string" } } },
			{ $ref: "x" },
			{ $ref: 1 },
		],
		[
			"a $ref inside enum is a value",
			{ enum: [{ $ref: "#/nowhere" }] },
			{ $ref: "#/nowhere" },
			"x",
		],
		[
			"ids are resolved against ids",
			tree,
			{ nodes: [{ value: 1, sub: { nodes: [] } }] },
			{ nodes: [{ sub: { nodes: [{ value: "x" }] } }] },
		],
		[
			"anchors name a schema",
			{ $ref: "#n", $defs: { a: { $anchor: "n", type: "null" } } },
			null,
			1,
		],
		[
			"a lone $dynamicAnchor is an anchor",
			{
				$dynamicRef: "#n",
				$defs: { a: { $dynamicAnchor: "n", type: "null" } },
			},
			null,
			1,
		],
		[
			"the root is a tree of itself",
			{ properties: { a: { $ref: "#" } }, additionalProperties: false },
			{ a: { a: {} } },
			{ a: { b: 1 } },
		],
		[
			"unevaluatedProperties sees the branch that fits",
			{
				anyOf: [
					{ properties: { a: { const: 1 } }, required: ["a"] },
					{ properties: { b: {} }, required: ["b"] },
				],
				unevaluatedProperties: false,
			},
			{ a: 1 },
			{ a: 1, c: 1 },
		],
		[
			"unevaluatedProperties does not see its cousins",
			{ allOf: [{ properties: { a: {} } }, { unevaluatedProperties: false }] },
			{},
			{ a: 1 },
		],
		[
			"unevaluatedItems sees contains",
			{ contains: { type: "string" }, unevaluatedItems: false },
			["x"],
			["x", 1],
		],
		[
			"an unknown format is only told",
			{ format: "hasOwnProperty", type: "string" },
			"x",
			1,
		],
		[
			"a key called __proto__ is one",
			{ properties: JSON.parse('{"__proto__": {"type": "null"}}') },
			JSON.parse('{"__proto__": null}'),
			JSON.parse('{"__proto__": 1}'),
		],
		[
			"a key called constructor is missing unless given",
			{ required: ["constructor"] },
			JSON.parse('{"constructor": 1}'),
			{},
		],
	])("%s", async (_, schema, fitting, unfit) => {
		expect(await findProblems(fitting, schema)).toStrictEqual([]);
		expect(await findProblems(unfit, schema)).not.toStrictEqual([]);
	});
});
