import { describe, expect, it } from "vitest";
import { makeWrongArguments } from "../../../src/grade/poll/wrong-arguments.ts";

async function madeFrom(
	inputSchema: unknown,
	good: Record<string, unknown> = {},
) {
	const type = { inputSchema };
	const wrong = await makeWrongArguments({ type, arguments: good });
	return wrong.map(({ told, value }) => [told, value]);
}

const object = (properties: object, more: object = {}) => ({
	type: "object",
	properties,
	additionalProperties: true,
	...more,
});

describe("arguments that a schema refuses are made by", () => {
	it("another type, of the first property that has one", async () => {
		const schema = object({ any: {}, n: { type: "integer" } });
		expect(await madeFrom(schema, { n: 1 })).toEqual([
			["n is of another type", { n: ["no", "scalar"] }],
		]);
	});

	it("a number in place of a text", async () => {
		expect(await madeFrom(object({ s: { type: "string" } }))).toEqual([
			["s is of another type", { s: 7 }],
		]);
	});

	it("a text in place of a list, once", async () => {
		const schema = object({
			s: { type: "string" },
			list: { type: "array" },
		});
		expect(await madeFrom(schema, { s: "a" })).toEqual([
			["s is of another type", { s: 7 }],
			["list is a text in place of a list", { s: "a", list: "no list" }],
		]);
	});

	it("a value that is none of an enum", async () => {
		const schema = object({ mode: { enum: ["a", "b"] } });
		expect(await madeFrom(schema, { mode: "a" })).toEqual([
			["mode is none of its enum", { mode: "conformance-nowhere" }],
			["mode is of another type", { mode: ["no", "scalar"] }],
		]);
	});

	it("leaving out what is required, and keeping the rest", async () => {
		const schema = object({}, { required: ["a", "b"] });
		expect(await madeFrom(schema, { a: 1, b: 2 })).toEqual([
			["a is missing", { b: 2 }],
		]);
		expect(await madeFrom(schema)).toContainEqual([
			"what is required is missing",
			{},
		]);
	});

	it("a property too many", async () => {
		const schema = object({}, { additionalProperties: false });
		expect(await madeFrom(schema)).toEqual([
			[
				"conformance-nowhere is a property that the schema does not allow",
				{ "conformance-nowhere": true },
			],
		]);
	});

	it("no more than five ways", async () => {
		const names = ["a", "b", "c", "d", "e", "f", "g"];
		const schema = object(
			Object.fromEntries(names.map((name) => [name, { type: "string" }])),
		);
		expect(await madeFrom(schema)).toHaveLength(5);
	});
});

describe("no arguments are made up", () => {
	it.each([
		["takes everything", object({ any: {} })],
		["is none", undefined],
		["has no properties", { type: "object", properties: "none" }],
		["has properties that are no schemas", object({ any: true })],
		["cannot be used", { $ref: "https://schemas.example/a" }],
	])("where the schema %s", async (_what, schema) => {
		expect(await madeFrom(schema)).toEqual([]);
	});
});
