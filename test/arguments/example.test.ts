import { describe, expect, it } from "vitest";
import { exampleArguments } from "../../src/arguments/example.ts";
import { findProblems } from "../../src/arguments/validate.ts";

const one = (schema: unknown) => ({
	properties: { k: schema },
	required: ["k"],
});

describe("example arguments hold the least that a schema demands, and fit it", () => {
	it.each<[unknown, unknown]>([
		[one({ type: "string" }), { k: "example" }],
		[one({ type: "string", maxLength: 3 }), { k: "exa" }],
		[one({ type: "string", minLength: 9 }), { k: "exampleex" }],
		[one({ type: "string", format: "email" }), { k: "user@example.com" }],
		[
			one({ type: "string", format: "date-time" }),
			{ k: "2026-01-31T12:00:00Z" },
		],
		[one({ type: "string", pattern: "^x", examples: ["xy"] }), { k: "xy" }],
		[one({ type: "integer", default: 7 }), { k: 7 }],
		[one({ type: "integer", minimum: 5 }), { k: 5 }],
		[
			one({ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }),
			{ k: 0.5 },
		],
		[one({ type: "integer", minimum: 11, multipleOf: 10 }), { k: 20 }],
		[one({ enum: ["red", "green"] }), { k: "red" }],
		[one({ const: null }), { k: null }],
		[
			one({ type: "array", items: { type: "integer" }, minItems: 2 }),
			{ k: [1, 1] },
		],
		[one({ type: "array" }), { k: ["example"] }],
		[one({ type: ["null", "boolean"] }), { k: true }],
		[
			one({ anyOf: [{ type: "string", maxLength: 2 }, { type: "integer" }] }),
			{ k: "ex" },
		],
		[one(one({ type: "integer" })), { k: { k: 1 } }],
		[one(true), { k: "example" }],
		[
			{ ...one({ $ref: "#/$defs/n" }), $defs: { n: { type: "integer" } } },
			{ k: 1 },
		],
		[
			{
				properties: { a: {}, b: { type: "integer" } },
				anyOf: [{ required: ["b"] }, { required: ["a"] }],
			},
			{ b: 1 },
		],
		[
			{
				oneOf: [
					{ properties: { kind: { const: "f" } }, required: ["kind"] },
					{},
				],
				additionalProperties: true,
			},
			undefined,
		],
		[{ properties: { optional: { type: "string" } } }, {}],
		[undefined, {}],
		[true, {}],
	])("%j", async (schema, example) => {
		const made = exampleArguments(schema);
		if (example === undefined) return expect(made).toBeDefined();
		expect(made).toStrictEqual(example);
		expect(await findProblems(made, schema)).toStrictEqual([]);
	});

	it.each<[string, unknown]>([
		["a pattern", one({ type: "string", pattern: "^[a-f]{7}$" })],
		["nothing allowed", one(false)],
		["no schema at all", false],
		[
			"a demand without end",
			{ properties: { k: { $ref: "#" } }, required: ["k"] },
		],
		["bounds that cross", one({ type: "integer", minimum: 5, maximum: 4 })],
		["many items", one({ type: "array", minItems: 1_000 })],
	])("there is none for %s", (_, schema) => {
		expect(exampleArguments(schema)).toBeUndefined();
	});
});
