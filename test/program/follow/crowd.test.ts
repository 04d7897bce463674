import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { openCrowd } from "../../../src/program/follow/crowd.ts";
import type { Item } from "../../../src/tail/index.ts";
import { fault } from "../../tail/run-tail.ts";

const about = (n: number) => ({
	...{ subscription: `s${n}`, via: "push" as const, receivedAt: 0 },
});
const ready = (n: number): Item => ({
	...about(n),
	...{ kind: "ready", cursor: "c", first: true },
});
const stopped = (n: number, more = {}): Item => ({
	...about(n),
	...{ kind: "stopped", cursor: "c", fault: undefined, ...more },
});
const gap = (n: number): Item => ({
	...about(n),
	...{ kind: "gap", reason: "truncated", cursor: "c" },
});

function open({ isTTY = true, subscriptions = 1_000 } = {}) {
	const said: string[] = [];
	const timers: (() => void)[] = [];
	const crowd = openCrowd({
		subscriptions,
		output: { form: "events", say: (text) => said.push(text) },
		world: {
			stderr: Object.assign(new PassThrough(), { isTTY }),
			setTimer(act) {
				timers.push(act);
				return () => timers.splice(timers.indexOf(act), 1);
			},
		},
	});
	return { crowd, said, timers };
}

const many = (of: (n: number) => Item, count = 1_000) =>
	Array.from({ length: count }, (_, n) => of(n));

describe("what a thousand subscriptions are told of alike", () => {
	it("is told once on a terminal, after a moment", () => {
		const { crowd, said, timers } = open();
		expect(crowd.sift([...many(ready, 997), gap(3)])).toEqual([gap(3)]);
		expect(said).toEqual([]);
		timers[0]?.();
		expect(said).toEqual(["997 of 1000: ready, by push"]);
		crowd.sift([ready(998)]);
		crowd.close();
		expect(said[1]).toBe("s998: ready, by push");
		expect(timers).toEqual([]);
	});

	it.each([
		[false, /stands in --output records/],
		[true, /position is saved/],
	])(
		"says where the last cursors are, where they are kept: %s",
		(isKept, words) => {
			const { crowd, said } = open();
			crowd.sift(many((n) => stopped(n, { isKept })));
			crowd.close();
			expect(said).toEqual([expect.stringMatching(words)]);
		},
	);

	it("leaves what ended one of them where it is", () => {
		const broken = stopped(7, { fault: fault("forbidden") });
		expect(open().crowd.sift([stopped(6), broken])).toEqual([broken]);
	});

	it.each([
		["into a file", { isTTY: false }],
		["of a few", { subscriptions: 3 }],
	])("is told of each %s", (_, more) => {
		const { crowd, said, timers } = open(more);
		const batch = many(ready, 3);
		expect(crowd.sift(batch)).toBe(batch);
		crowd.close();
		expect([said, timers]).toEqual([[], []]);
	});
});
