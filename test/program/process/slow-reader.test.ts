import { describe, expect, it } from "vitest";
import {
	isTaken,
	openReaderLimit,
} from "../../../src/program/process/slow-reader.ts";

/** A clock whose sleeps end when they are told to. */
function openSleeps() {
	const wakes: (() => void)[] = [];
	const sleep = (_ms: number, signal?: AbortSignal) =>
		new Promise<void>((resolve, reject) => {
			wakes.push(resolve);
			signal?.addEventListener("abort", () => reject(signal.reason));
		});
	return { wakes, sleep };
}

const never = new Promise<void>(() => {});

describe("the wait for a slow reader", () => {
	it("has no end before a stop, and a measured one after it", async () => {
		const { wakes, sleep } = openSleeps();
		const stop = new AbortController();
		const limit = openReaderLimit({ stop: stop.signal, sleep });
		expect(wakes).toHaveLength(0);
		stop.abort();
		const taken = isTaken(never, limit.over);
		wakes[0]?.();
		expect(await taken).toBe(false);
	});

	it("is not needed where the reader takes it", async () => {
		const { sleep } = openSleeps();
		const stop = new AbortController();
		const limit = openReaderLimit({ stop: stop.signal, sleep });
		stop.abort();
		expect(await isTaken(Promise.resolve(), limit.over)).toBe(true);
		limit.end();
		expect(limit.over.aborted).toBe(false);
	});

	it("hides no failure", async () => {
		const failure = new Error("the disk is full");
		const { signal } = new AbortController();
		await expect(isTaken(Promise.reject(failure), signal)).rejects.toBe(
			failure,
		);
	});
});
