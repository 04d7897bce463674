import fc from "fast-check";
import { expect, it } from "vitest";
import { Seen } from "../../src/tail/seen.ts";

it("knows an id again, and counts the repetition", () => {
	const seen = new Seen(10);
	expect([seen.isNew("a"), seen.isNew("b"), seen.isNew("a")]).toEqual([
		true,
		true,
		false,
	]);
	expect(seen.repeated).toBe(1);
});

it("forgets the oldest id when the window is full", () => {
	const seen = new Seen(2);
	for (const id of ["a", "b", "c"]) seen.isNew(id);
	expect(seen.isNew("b")).toBe(false);
	expect(seen.isNew("a")).toBe(true);
	expect(seen.isNew("c")).toBe(false);
	expect(seen.isNew("b")).toBe(true);
});

it("takes everything for new when the window is off", () => {
	const seen = new Seen(0);
	expect([seen.isNew("a"), seen.isNew("a")]).toEqual([true, true]);
});

it("tells long ids apart without keeping them", () => {
	const seen = new Seen(100);
	const long = "x".repeat(1_000_000);
	expect(seen.isNew(`${long}1`)).toBe(true);
	expect(seen.isNew(`${long}2`)).toBe(true);
	expect(seen.isNew(`${long}1`)).toBe(false);
});

it("tells lone surrogates apart", () => {
	const seen = new Seen(10);
	const long = "x".repeat(100);
	expect(seen.isNew(`${long}\ud800`)).toBe(true);
	expect(seen.isNew(`${long}\ud801`)).toBe(true);
});

it("holds a bounded number of ids, however many come", () => {
	const seen = new Seen(1_000);
	for (let n = 0; n < 50_000; n++) seen.isNew(`e${n}`);
	let kept = 0;
	for (let n = 0; n < 50_000; n++) if (!seen.isNew(`e${49_999 - n}`)) kept++;
	expect(kept).toBe(1_000);
});

it("knows what a list of the last ids knows, whatever comes and however large the window is", () => {
	const ids = fc.array(
		fc.nat(150).map((n) => `id-${n}`),
		{ maxLength: 400 },
	);
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 130 }), ids, (capacity, ids) => {
			const seen = new Seen(capacity);
			const last: string[] = [];
			for (const id of ids) {
				expect(seen.has(id)).toBe(last.includes(id));
				expect(seen.isNew(id)).toBe(!last.includes(id));
				if (!last.includes(id)) last.push(id);
				if (last.length > capacity) last.shift();
			}
		}),
		{ seed: 3415, numRuns: 200 },
	);
});

it("tells ids apart whose hashes are the same", () => {
	const seen = new Seen(10);
	// By FNV-1a of 32 bits these two are one.
	expect([seen.isNew("costarring"), seen.isNew("liquid")]).toEqual([
		true,
		true,
	]);
	expect([seen.isNew("costarring"), seen.isNew("liquid")]).toEqual([
		false,
		false,
	]);
});
