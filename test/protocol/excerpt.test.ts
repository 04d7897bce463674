import { expect, it } from "vitest";
import { excerpt } from "../../src/protocol/index.ts";

const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));

it.each([
	[undefined, "nothing"],
	[null, "null"],
	[{ a: "bcdef" }, '{"a":"bcd'],
	[deep, "something nested too deeply to be shown"],
])("shows the beginning of a value", (value, shown) => {
	expect(excerpt(value, shown?.length ?? 0)).toBe(shown);
});
