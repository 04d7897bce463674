import { describe, expect, it } from "vitest";
import {
	parseCursor,
	writeCursor,
} from "../../../../src/reference/sources/sqlite/place.ts";

describe("a cursor of a database", () => {
	it.each(["0", "1", "-1", "9223372036854775807", "-9223372036854775808"])(
		"comes back exactly with key %s",
		(key) => {
			const v2 = `v2.64768-2148091-1796061128120167175.${key}`;
			expect(writeCursor(parseCursor(v2, "v2"), "v2")).toBe(v2);
			const v1 = `v1.64768-2148091.${key}`;
			expect(writeCursor(parseCursor(v1, "v1"), "v1")).toBe(v1);
		},
	);

	it.each([
		["nothing", ""],
		["another form", "v1.1-2.3"],
		["a form to come", "v3.1-2-3.4"],
		["no birth", "v2.1-2.3"],
		["no key", "v2.1-2-3."],
		["a word for a key", "v2.1-2-3.last"],
		["a key with a leading zero", "v2.1-2-3.007"],
		["minus nought", "v2.1-2-3.-0"],
		["a key beyond 64 bits", "v2.1-2-3.9223372036854775808"],
		["a key beyond 64 bits, below", "v2.1-2-3.-9223372036854775809"],
		["a key of a thousand digits", `v2.1-2-3.${"9".repeat(1_000)}`],
		["something behind it", "v2.1-2-3.4\n"],
	])("is refused as InvalidParams: %s", (_what, cursor) => {
		expect(() => parseCursor(cursor, "v2")).toThrow(
			expect.objectContaining({ error: "InvalidParams" }),
		);
	});
});
