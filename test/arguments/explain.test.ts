import { describe, expect, it } from "vitest";
import { explainSchema } from "../../src/arguments/explain.ts";
import { startOwnTime } from "../helpers/own-time.ts";

describe("a row for each property", () => {
	it.each<[unknown, string]>([
		[{ type: "integer", minimum: 1, maximum: 6 }, "integer 1 to 6"],
		[{ type: "number", exclusiveMinimum: 0 }, "number above 0"],
		[
			{ type: "integer", minimum: 0, multipleOf: 5 },
			"integer of at least 0, a multiple of 5",
		],
		[{ type: "array", items: { type: "string" } }, "array of string"],
		[
			{ type: "array", items: { enum: ["a", "b"] }, minItems: 1, maxItems: 3 },
			"array of one of a, b, 1 to 3 items",
		],
		[
			{ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] },
			"array of string, then integer",
		],
		[{ enum: ["red", "green", "blue"] }, "one of red, green, blue"],
		[{ enum: [1, "two words", null] }, 'one of 1, "two words", null'],
		[{ const: "x" }, "exactly x"],
		[{ oneOf: [{ const: "a", title: "A" }, { const: "b" }] }, "one of a, b"],
		[{ type: "string", format: "date-time" }, "string (date-time)"],
		[
			{ type: "string", minLength: 1, maxLength: 9 },
			"string of 1 to 9 characters",
		],
		[{ type: "string", pattern: "^x" }, "string matching ^x"],
		[{ type: ["null", "integer"] }, "integer or null"],
		[
			{ anyOf: [{ type: "integer", minimum: 1 }, { type: "boolean" }] },
			"integer of at least 1 or true or false",
		],
		[{ type: "boolean" }, "true or false"],
		[{ type: "object" }, "object"],
		[{ $ref: "#/$defs/n" }, "integer 0 to 9"],
		[{}, "anything"],
		[true, "anything"],
		[false, "nothing"],
		[{ type: "strnig" }, "nothing"],
		[7, "anything"],
	])("%j is told as %s", (schema, words) => {
		const $defs = { n: { type: "integer", minimum: 0, maximum: 9 } };
		const { rows } = explainSchema({ $defs, properties: { k: schema } });
		expect(rows.map((row) => row.type)).toStrictEqual([words]);
	});

	it("tells name, required, default, description and deprecation, nested to four levels", () => {
		const deep = (depth: number): object =>
			depth === 0 ? {} : { properties: { d: deep(depth - 1) } };
		const { rows } = explainSchema({
			required: ["a"],
			properties: {
				a: {
					type: "string",
					description: " two\n lines ",
					default: "x",
					deprecated: true,
				},
				list: {
					type: "array",
					items: { properties: { id: {} }, required: ["id"] },
				},
				deep: deep(6),
			},
		});
		expect(rows[0]).toStrictEqual({
			name: "a",
			type: "string",
			required: true,
			default: '"x"',
			description: "two lines",
			deprecated: true,
		});
		expect(rows.map(({ name }) => name)).toStrictEqual([
			"a",
			"list",
			"list[].id",
			"deep",
			"deep.d",
			"deep.d.d",
			"deep.d.d.d",
		]);
		expect(rows[2]?.required).toBe(true);
	});

	it("cuts a schema that is inside itself", () => {
		const { rows } = explainSchema({
			properties: { child: { $ref: "#" }, name: {} },
		});
		expect(rows.map(({ name }) => name)).toStrictEqual(["child", "name"]);
	});

	it("shows the keys that only a branch has", () => {
		const { rows } = explainSchema({
			oneOf: [{ properties: { a: { type: "integer" } }, required: ["a"] }],
		});
		expect(rows).toMatchObject([
			{ name: "a", type: "integer", required: false },
		]);
	});
});

describe("rules that no row holds", () => {
	const keys = (...names: string[]) => ({ required: names });
	it.each<[unknown, string[]]>([
		[
			{ anyOf: [keys("domain"), keys("from")] },
			["give at least one of: domain, from"],
		],
		[
			{ oneOf: [keys("a"), keys("b", "c")] },
			["give exactly one of: a, b with c"],
		],
		[
			{ allOf: [{ anyOf: [keys("a"), keys("b")] }] },
			["give at least one of: a, b"],
		],
		[{ not: keys("a", "b") }, ["not both a and b"]],
		[{ not: keys("a", "b", "c") }, ["not all together: a, b, c"]],
		[{ not: { anyOf: [keys("a"), keys("b")] } }, ["none of: a, b"]],
		[{ dependentRequired: { a: ["b", "c"] } }, ["a needs b and c too"]],
		[{ additionalProperties: false }, ["other keys are refused"]],
		[{ unevaluatedProperties: false }, ["other keys are refused"]],
		[{ additionalProperties: { type: "integer" } }, ["other keys: integer"]],
		[
			{ patternProperties: { "^x": { type: "null" } } },
			["keys that match ^x: null"],
		],
		[{ minProperties: 2 }, ["give at least 2 keys"]],
		[
			JSON.parse(
				'{"if":{"properties":{"k":{"const":"f"}}},"then":{"required":["p"]}}',
			),
			["where k is f: with p"],
		],
		[
			{
				oneOf: [
					{ properties: { k: { const: "f" }, p: {} }, required: ["k", "p"] },
					{ properties: { k: { const: "u" } } },
				],
			},
			["exactly one must hold: k is f, with p; or k is u"],
		],
		[
			{ properties: { f: { type: "object", anyOf: [keys("a"), keys("b")] } } },
			["in f: give at least one of: a, b"],
		],
		[false, ["nothing is allowed"]],
		[undefined, []],
		[true, []],
	])("%j", (schema, rules) => {
		expect(explainSchema(schema).rules).toStrictEqual(rules);
	});
});

describe("a hostile schema is explained in bounded time", () => {
	const properties = Object.fromEntries(
		Array.from({ length: 100 }, (_, i) => [`p${i}`, { $ref: "#/$defs/n" }]),
	);
	const branches = {
		anyOf: Array.from({ length: 200 }, () => ({
			anyOf: [{ $ref: "#/$defs/n" }, { $ref: "#" }],
		})),
	};
	it.each<[string, unknown, RegExp]>([
		[
			"keys that multiply",
			{ $defs: { n: { properties: { ...properties } } }, properties },
			/only the first 300 keys/,
		],
		[
			"branches that multiply",
			{ $defs: { n: branches }, properties: { a: branches } },
			/^$/,
		],
		[
			"another dialect",
			{ $schema: "urn:x" },
			/dialect that is not supported, "urn:x"/,
		],
		[
			"too much of it",
			{ enum: Array.from({ length: 50_000 }, () => 1) },
			/too large/,
		],
	])("%s", (_, schema, words) => {
		const ownTimeMs = startOwnTime();
		expect(explainSchema(schema).rules.join()).toMatch(words);
		expect(ownTimeMs()).toBeLessThan(2_000);
	});
});

it("says that a schema leads to nowhere, in place of no arguments at all", () => {
	const { rows, rules } = explainSchema({ $ref: "https://a.example/s.json" });
	expect(rows).toEqual([]);
	expect(rules.join()).toMatch(/cannot be used: # has the \$ref "https:/);
});
