import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { openAbort, pause, SILENT, within } from "../../src/tail/wait.ts";
import { VirtualClock } from "./virtual-clock.ts";

const never = () => new Promise<never>(() => {});

it("hands on what comes in time, and keeps no timer", async () => {
	const clock = new VirtualClock();
	expect(await within(Promise.resolve(1), 1_000, clock)).toBe(1);
	expect(clock.waits).toBe(0);
});

it("tells silence apart from an answer", async () => {
	const clock = new VirtualClock();
	expect(await clock.run(within(never(), 1_000, clock))).toBe(SILENT);
	expect(clock.now()).toBe(1_000);
});

it("does not mind work that fails after its time", async () => {
	const clock = new VirtualClock();
	let fail: (error: Error) => void = () => {};
	const work = new Promise<never>((_, reject) => {
		fail = reject;
	});
	expect(await clock.run(within(work, 10, clock))).toBe(SILENT);
	fail(new Error("too late"));
	await new Promise(setImmediate);
});

it.each([
	["rejects", () => Promise.reject(new Error("aborted"))],
	["resolves", () => Promise.resolve()],
])("ends a pause at an abort, where the sleep then %s", async (_, settle) => {
	const stop = new AbortController();
	const sleep = () => {
		stop.abort();
		return settle();
	};
	await pause(1_000, { sleep, signal: stop.signal });
	expect(stop.signal.aborted).toBe(true);
});

it("passes on a sleep that fails by itself", async () => {
	const sleep = () => Promise.reject(new Error("no clock"));
	const { signal } = new AbortController();
	await expect(pause(1, { sleep, signal })).rejects.toThrow("no clock");
});

it("stops with its parent, and is untied from it when closed", () => {
	const parent = new AbortController();
	const tied = openAbort(parent.signal);
	const untied = openAbort(parent.signal);
	untied.close();
	expect(getEventListeners(parent.signal, "abort")).toHaveLength(1);
	parent.abort(new Error("stop"));
	expect(tied.signal.reason).toBe(parent.signal.reason);
	expect(untied.signal.aborted).toBe(false);
	expect(openAbort(parent.signal).signal.aborted).toBe(true);
});
