import { describe, expect, it } from "vitest";
import { findNarrowing } from "../../../src/grade/discovery/narrowing.ts";

const base = {
	type: "object",
	properties: { a: { type: "string" }, b: { enum: [1, 2] } },
	required: ["a"],
};
const withProperty = (name: string, schema: unknown) => ({
	...base,
	properties: { ...base.properties, [name]: schema },
});

describe("a schema only grows by", () => {
	it.each([
		["nothing", base],
		["an optional field", withProperty("c", { type: "string" })],
		["a longer enum", withProperty("b", { enum: [1, 2, 3] })],
		["one more type", withProperty("a", { type: ["string", "null"] })],
		["less that is required", { ...base, required: [] }],
		["an enum that is lifted", withProperty("b", {})],
	])("%s", (_what, after) => {
		expect(findNarrowing(base, after, "inputSchema")).toBeUndefined();
	});
});

describe("a schema is narrower by", () => {
	it.each([
		[
			"a field that is dropped",
			{ ...base, properties: { a: { type: "string" } } },
			"inputSchema.b was dropped",
		],
		[
			"another type",
			withProperty("a", { type: "number" }),
			'the type of inputSchema.a went from "string" to "number"',
		],
		[
			"a shorter enum",
			withProperty("b", { enum: [1] }),
			"the enum of inputSchema.b lost 2",
		],
		[
			"a new enum",
			withProperty("a", { type: "string", enum: ["x"] }),
			"inputSchema.a got an enum",
		],
		[
			"more that is required",
			{ ...base, required: ["a", "b"] },
			'inputSchema requires "b" now',
		],
		["its end", undefined, "inputSchema is no schema any more"],
	])("%s", (_what, after, told) => {
		expect(findNarrowing(base, after, "inputSchema")).toBe(told);
	});
});
