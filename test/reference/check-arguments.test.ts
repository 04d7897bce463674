// What counts as the arguments of a request, before any schema is asked.
import { describe, expect, it } from "vitest";
import { readArguments } from "../../src/reference/check-arguments.ts";

const nested = (depth: number) =>
	JSON.parse(`{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`);

describe("the arguments of a request", () => {
	it.each([undefined, null])("are none where they are %s", (absent) => {
		expect(readArguments(absent)).toEqual({});
	});

	it.each([[[]], ["{}"], [7], [true]])("are no %j", (value) => {
		expect(() => readArguments(value)).toThrow("arguments must be an object");
	});

	it("may be nested as deep as a schema can ask for", () => {
		expect(readArguments(nested(63))).toEqual(nested(63));
	});

	it.each([64, 5_000, 500_000])(
		"are refused when nested %i deep, and nothing breaks",
		(depth) => {
			expect(() => readArguments(nested(depth))).toThrow("more than 64 deep");
		},
	);
});
