import { describe, expect, it } from "vitest";
import { deriveArguments } from "../../../src/grade/traffic/derive-arguments.ts";

const NONE = new Map();

const derive = (inputSchema: unknown, given = NONE) =>
	deriveArguments({ name: "a.b", inputSchema }, given);

const object = (properties: object, more: object = {}) => ({
	type: "object",
	properties,
	required: Object.keys(properties),
	...more,
});

const schemas: [what: string, schema: unknown, value: unknown][] = [
	["no schema", undefined, {}],
	["nothing that is required", { type: "object", properties: { a: {} } }, {}],
	["a default", object({ a: { type: "string", default: "x" } }), { a: "x" }],
	["a const", object({ a: { const: 7 } }), { a: 7 }],
	["an enum", object({ a: { enum: ["p", "q"] } }), { a: "p" }],
	["examples", object({ a: { type: "string", examples: ["e"] } }), { a: "e" }],
	["a minimum", object({ a: { type: "integer", minimum: 5 } }), { a: 5 }],
	[
		"an array of one item",
		object({ a: { type: "array", minItems: 1, items: { const: "i" } } }),
		{ a: ["i"] },
	],
	[
		"a nested object",
		object({ a: object({ b: { const: true } }) }),
		{ a: { b: true } },
	],
	[
		"anyOf of two required arguments",
		{
			type: "object",
			properties: { a: { const: 1 }, b: { const: 2 } },
			anyOf: [{ required: ["a"] }, { required: ["b"] }],
		},
		{ a: 1 },
	],
	[
		"a first alternative that nothing can be made up for",
		{
			type: "object",
			properties: {
				a: { type: "string", pattern: "^q[0-9]{3}$" },
				b: { const: 2 },
			},
			oneOf: [{ required: ["a"] }, { required: ["b"] }],
		},
		{ b: 2 },
	],
];

describe("arguments are derived from", () => {
	it.each(schemas)("%s", async (_what, schema, value) => {
		expect(await derive(schema)).toEqual({ kind: "derived", value });
	});
});

describe("arguments", () => {
	it("that were given are taken as they are", async () => {
		const given = new Map([["a.b", { z: 1 }]]);
		expect(await derive(object({ a: { const: 1 } }), given)).toEqual({
			kind: "derived",
			value: { z: 1 },
		});
	});

	it.each([
		["a pattern", object({ a: { type: "string", pattern: "^q[0-9]{3}$" } })],
		["a reference to the network", { $ref: "https://x.example/s" }],
		["a reference to itself", { $ref: "#" }],
	])("that %s stands in the way of are asked for", async (_what, schema) => {
		const derived = await derive(schema);
		expect(derived.kind).toBe("missing");
	});
});
