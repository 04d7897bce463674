import { describe, expect, it } from "vitest";
import type { FollowMemory } from "../../src/tail/index.ts";
import { prepareTail, type RunOptions, runTail, tell } from "./run-tail.ts";
import { type Answer, answer } from "./scripted-session.ts";

const ids = (from: number, until: number) =>
	Array.from({ length: until - from + 1 }, (_, at) => `e${from + at}`);
const told = (events: string[]) => events.map((id) => `event ${id}`);
/** More than is shown at once, several times over. */
const LARGE = ids(1, 1_000);
const MORE = { hasMore: true };

/** Polls and takes one batch after the other, until `look` is content with what was told. */
async function takeUntil(
	look: (told: string[]) => boolean,
	polls: Answer[],
	options: RunOptions = {},
) {
	const { tail, clock, session, stop } = prepareTail(
		{ polls },
		{ via: "poll", cursor: "c0", ...options },
	);
	const batches: string[][] = [];
	const collect = async () => {
		for await (const batch of tail) {
			batches.push(batch.map(tell));
			if (look(batches.flat())) stop.abort();
		}
	};
	await clock.run(collect());
	return { batches, told: batches.flat(), session };
}

const never = () => false;

describe("a large answer", () => {
	it("is shown in parts, each event once and in order", async () => {
		const run = await takeUntil(never, [answer("c1", LARGE)], { once: true });
		expect(run.told).toEqual(["ready c1", ...told(LARGE), "stopped c1"]);
		const sizes = run.batches.map(({ length }) => length);
		expect(Math.max(...sizes)).toBeLessThan(200);
	});

	it("is shown to its end where a stop comes in the middle of it, and no other is asked for", async () => {
		const polls = [answer("c1", LARGE, MORE), answer("c2", ids(2_000, 2_001))];
		const run = await takeUntil((lines) => lines.length > 1, polls);
		expect(run.told).toEqual(["ready c1", ...told(LARGE), "stopped c1"]);
		expect(run.session.asked).toHaveLength(1);
	});

	it.each([
		["in the middle", 500, "stopped c0"],
		["at the end of a part", 127, "stopped c0"],
		["at its end", 1_000, "stopped c1"],
	])("is cut by a count that is reached %s", async (_, count, last) => {
		const polls = [answer("c1", LARGE)];
		const run = await takeUntil(never, polls, { count });
		const shown = told(LARGE.slice(0, count));
		expect(run.told).toEqual(["ready c1", ...shown, last]);
	});

	it("is at its end where only repeated events follow the last that is wanted", async () => {
		const page = [...ids(1, 300), ...ids(1, 300)];
		const run = await takeUntil(never, [answer("c1", page)], { count: 300 });
		expect(run.told.at(-1)).toBe("stopped c1");
	});

	it("is shown to its end, but not beyond the count, after a stop", async () => {
		const run = await takeUntil(
			(lines) => lines.length > 1,
			[answer("c1", LARGE)],
			{ count: 500 },
		);
		expect(run.told.slice(-2)).toEqual(["event e500", "stopped c0"]);
	});

	it("that was asked for without a cursor, and cannot be had again, is accepted as a whole", async () => {
		const run = await takeUntil(never, [answer("c1", LARGE)], {
			cursor: undefined,
			once: true,
		});
		expect(run.batches[0]).toEqual(["ready c1", ...told(LARGE)]);
	});

	it("lets other subscriptions have their turn between its parts", async () => {
		const polls = [answer("c1", LARGE), answer("d1", ["f1"])];
		const run = await runTail(
			{ polls },
			{ via: "poll", cursor: "c0", names: ["a", "b"], once: true },
		);
		expect(run.told.indexOf("event f1")).toBeLessThan(500);
	});
});

describe("the position of a large answer", () => {
	const openMemory = () => {
		const log: string[] = [];
		const memory: FollowMemory = {
			earlier: { cursor: "c0", savedAt: 0 },
			seen: [],
			save: async (cursor) => void log.push(`save ${cursor}`),
			addSeen: (ids) => void log.push(`seen to ${ids.at(-1)}`),
			lost: new AbortController().signal,
		};
		return { memory, log };
	};
	const start = (memory: FollowMemory) => {
		const { tail, clock } = prepareTail(
			{ polls: [answer("c1", LARGE)] },
			{ via: "poll", memory },
		);
		const items = tail[Symbol.asyncIterator]();
		return { items, next: () => clock.run(items.next()) };
	};

	it("is saved only once all of it was accepted; until then the ids are that were shown", async () => {
		const { memory, log } = openMemory();
		const { items, next } = start(memory);
		for (let shown = 0; shown < 1_001; ) {
			expect(log).not.toContain("save c1");
			const { value } = await next();
			shown += value?.length ?? 0;
		}
		expect(log.filter((line) => line.startsWith("seen")).length).toBe(7);
		expect(log).not.toContain("save c1");
		const asksAgain = items.next();
		await new Promise(setImmediate);
		await items.return?.();
		await asksAgain;
		expect(log.at(-1)).toBe("save c1");
	});

	it("stays before it where the consumer leaves in the middle", async () => {
		const { memory, log } = openMemory();
		const { items, next } = start(memory);
		await next();
		await next();
		await items.return?.();
		expect(log.filter((line) => line.startsWith("seen"))).toEqual([
			"seen to e127",
		]);
		expect(log.at(-1)).toBe("save c0");
	});
});
