import { expect, it } from "vitest";
import { rememberLast } from "../../src/receiver/index.ts";

it("the memory of duplicates keeps the newest, with their answers", () => {
	const seen = rememberLast(2);
	for (const [key, status] of [
		["a", 200],
		["b", 204],
		["a", 202],
		["c", 204],
	] as const)
		seen.add(key, status);
	expect(["a", "b", "c"].map((key) => seen.statusOf(key))).toEqual([
		202,
		undefined,
		204,
	]);
});

it("the memory of duplicates may be as small as none", () => {
	const seen = rememberLast(0);
	seen.add("a", 204);
	expect(seen.statusOf("a")).toBeUndefined();
});
