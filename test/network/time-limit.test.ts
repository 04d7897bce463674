import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { openLimit } from "../../src/network/time-limit.ts";

const over = new Error("time is over");
const open = (signals: (AbortSignal | undefined)[], timeoutMs?: number) =>
	openLimit({ signals, timeoutMs, onTimeout: () => over });
const never = () => new Promise<never>(() => {});

it("ends with the reason of the signal that aborts", async () => {
	const first = new AbortController();
	const second = new AbortController();
	const limit = open([first.signal, undefined, second.signal]);
	const race = limit.race(never());
	second.abort("because");
	await expect(race).rejects.toBe("because");
	expect(limit.signal.reason).toBe("because");
});

it("is over at once where a signal has aborted already", async () => {
	await expect(open([AbortSignal.abort("early")]).race(never())).rejects.toBe(
		"early",
	);
});

it("ends with its own fault when the time is over", async () => {
	await expect(open([], 1).race(never())).rejects.toBe(over);
});

it("settles as the promise does", async () => {
	const limit = open([], 10_000);
	await expect(limit.race(Promise.resolve(1))).resolves.toBe(1);
	await expect(limit.race(Promise.reject(over))).rejects.toBe(over);
	limit.end();
});

it("leaves nothing behind on the caller's signal", () => {
	const { signal } = new AbortController();
	open([signal]).end();
	expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
