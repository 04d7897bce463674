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
