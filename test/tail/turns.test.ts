import { describe, expect, it } from "vitest";
import { type Turn, Turns } from "../../src/tail/turns.ts";
import { fault } from "./run-tail.ts";
import { VirtualClock } from "./virtual-clock.ts";

const AT_ONCE = 50;
const never = new AbortController().signal;
const busy = fault("rate-limited", { httpStatus: 429 });

function open() {
	const clock = new VirtualClock();
	const turns = new Turns(clock);
	/** Asks for one more turn; tells when it was had. */
	const got: number[] = [];
	const held: Turn[] = [];
	const ask = async (name: number, signal = never) => {
		const turn = await turns.take(signal);
		if (!turn) return;
		got.push(name);
		held.push(turn);
	};
	const askMany = (count: number) =>
		Promise.all(Array.from({ length: count }, (_, name) => ask(name)));
	return { clock, turns, got, held, ask, askMany };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("the turns of many", () => {
	it("are had by some at once, by the others in the order in which they came", async () => {
		const { got, held, askMany } = open();
		const all = askMany(120);
		await settle();
		expect(got).toHaveLength(AT_ONCE);
		while (held.length > 0) {
			held.shift()?.end();
			await settle();
		}
		await all;
		expect(got).toEqual([...Array(120).keys()]);
	});

	it("end once, however often it is said", async () => {
		const { got, held, askMany } = open();
		void askMany(AT_ONCE + 2);
		await settle();
		held[0]?.end();
		held[0]?.end();
		await settle();
		expect(got).toHaveLength(AT_ONCE + 1);
	});

	it("pass on where an answer takes long, without a word of whoever waits for it", async () => {
		const { clock, got, askMany } = open();
		await clock.run(askMany(AT_ONCE + 10));
		expect(got).toHaveLength(AT_ONCE + 10);
		expect(clock.now()).toBe(5_000);
	});

	it("are waited for in vain where the waiting is given up, and cost nobody else a turn", async () => {
		const { clock, got, held, ask, askMany } = open();
		void askMany(AT_ONCE);
		const leave = new AbortController();
		const left = ask(1_000, leave.signal);
		const next = ask(1_001);
		await settle();
		leave.abort();
		await left;
		held[0]?.end();
		await next;
		expect(got.slice(AT_ONCE)).toEqual([1_001]);
		expect(clock.waits).toBe(0);
	});
});

describe("a server that is busy", () => {
	it.each([
		["for as long as it says", { retryAfterMs: 7_000 }, 7_000],
		["for a moment where it does not say", {}, 1_000],
		["for a minute at most", { retryAfterMs: 3_600_000 }, 60_000],
		["503", { httpStatus: 503, retryAfterMs: 3_000 }, 3_000],
		["503 without a time, which is of one alone", { httpStatus: 503 }, 0],
		["an error of one subscription", { httpStatus: 200 }, 0],
	])("is left alone by all: %s", async (_, more, expected) => {
		const { clock, turns, askMany } = open();
		turns.heed(fault("rate-limited", { httpStatus: 429, ...more }));
		await clock.run(askMany(AT_ONCE));
		expect(clock.now()).toBe(expected);
	});

	it("is asked again for ever only while it serves others", async () => {
		const { clock, turns } = open();
		expect(turns.isCrowded(busy)).toBe(false);
		turns.served();
		expect(turns.isCrowded(busy)).toBe(true);
		expect(turns.isCrowded(fault("connection-refused"))).toBe(false);
		await clock.run(clock.sleep(60_000, never));
		expect(turns.isCrowded(busy)).toBe(false);
	});
});
