import { describe, expect, it } from "vitest";
import { openReaderLimit } from "../../../src/program/process/slow-reader.ts";

/** A limit whose sleeps end when they are told to. */
function open() {
	const wakes: (() => void)[] = [];
	const sleep = (_ms: number, signal?: AbortSignal) =>
		new Promise<void>((resolve, reject) => {
			wakes.push(resolve);
			signal?.addEventListener("abort", () => reject(signal.reason));
		});
	const stop = new AbortController();
	const said: string[] = [];
	const say = (text: string) => said.push(text);
	const limit = openReaderLimit({ stop: stop.signal, sleep }, { say });
	return { wakes, stop, said, limit };
}

const never = new Promise<void>(() => {});
const turn = () => new Promise(setImmediate);

describe("the wait for a slow reader", () => {
	it("has no end before a stop, and a measured one after it, which is told of", async () => {
		const { wakes, stop, said, limit } = open();
		const taken = limit.isTaken(never);
		expect(wakes).toHaveLength(0);
		stop.abort();
		wakes[0]?.();
		await turn();
		expect(said).toEqual([expect.stringMatching(/reader of stdout.*\^C/)]);
		wakes[1]?.();
		expect(await taken).toBe(false);
		expect(said).toHaveLength(1);
	});

	it("is over for what is shown later too, unless that needs no reader", async () => {
		const { wakes, stop, limit } = open();
		stop.abort();
		wakes[0]?.();
		await turn();
		wakes[1]?.();
		await turn();
		expect(limit.over.aborted).toBe(true);
		expect(await limit.isTaken(Promise.resolve())).toBe(true);
		expect(await limit.isTaken(never)).toBe(false);
	});

	it("is not needed where the reader takes it", async () => {
		const { wakes, stop, said, limit } = open();
		stop.abort();
		expect(await limit.isTaken(Promise.resolve())).toBe(true);
		wakes[0]?.();
		await turn();
		limit.end();
		await turn();
		expect(limit.over.aborted).toBe(false);
		expect(said).toEqual([]);
	});

	it("hides no failure", async () => {
		const failure = new Error("the disk is full");
		await expect(open().limit.isTaken(Promise.reject(failure))).rejects.toBe(
			failure,
		);
	});
});
