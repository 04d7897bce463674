import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { onAbort } from "../../src/network/on-abort.ts";

it("calls all who wait, once, with one listener for all of them", () => {
	const ending = new AbortController();
	let calls = 0;
	for (let n = 0; n < 1_000; n++) onAbort(ending.signal, () => calls++);
	expect(getEventListeners(ending.signal, "abort")).toHaveLength(1);
	ending.abort();
	expect(calls).toBe(1_000);
});

it("does not call who has called it off, and listens for nobody no longer", () => {
	const ending = new AbortController();
	const called: string[] = [];
	const first = onAbort(ending.signal, () => called.push("first"));
	onAbort(ending.signal, () => called.push("second"));
	first();
	first();
	ending.abort();
	expect(called).toEqual(["second"]);
	const quiet = new AbortController();
	onAbort(quiet.signal, () => called.push("never"))();
	expect(getEventListeners(quiet.signal, "abort")).toHaveLength(0);
	onAbort(quiet.signal, () => called.push("again"));
	quiet.abort();
	expect(called).toEqual(["second", "again"]);
});
