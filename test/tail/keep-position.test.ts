import { describe, expect, it } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import type { FollowMemory, Item } from "../../src/tail/index.ts";
import { fault, prepareTail, runTail, tell } from "./run-tail.ts";
import { active, answer, event, heartbeat } from "./scripted-session.ts";

/** A memory that says what it was told, with what an earlier run left. */
function openMemory(earlier?: string | null, seen: string[] = []) {
	const log: string[] = [];
	const times: (number | undefined)[] = [];
	const lost = new AbortController();
	const failing = { isFull: false };
	const memory: FollowMemory = {
		earlier:
			earlier === undefined
				? undefined
				: { cursor: earlier ?? undefined, savedAt: 0 },
		seen,
		async save(cursor, atMs) {
			if (failing.isFull) throw fault("file-failed");
			times.push(atMs);
			log.push(`save ${cursor}`);
		},
		addSeen: (ids) => log.push(`seen ${ids.join(" ")}`),
		lost: lost.signal,
	};
	return { memory, log, lost, failing, times };
}

const range = (from: number, until: number) =>
	Array.from({ length: until - from + 1 }, (_, at) => from + at);
const events = (from: number, until: number) =>
	range(from, until).map((n) => event(`e${n}`, `c${n}`));

describe("a position that is kept", () => {
	it("begins before anybody is told that events flow", async () => {
		const { memory, log } = openMemory();
		const { tail, clock } = prepareTail(
			{ streams: { tick: [[[active("c0")], events(1, 2), "silence"]] } },
			{ memory },
		);
		const items = tail[Symbol.asyncIterator]();
		await clock.run(items.next());
		expect(log).toEqual(["save c0"]);
		await clock.run(items.next());
		expect(log).toEqual(["save c0"]);
		await items.return?.();
		// The batch was never taken: neither its cursor nor its ids are.
		expect(log).toEqual(["save c0", "save c0"]);
	});

	it("is saved after its events were taken, not more often than a disk can", async () => {
		const { memory, log } = openMemory();
		const acts = range(1, 200).flatMap((n) => [events(n, n), { waitMs: 10 }]);
		await runTail(
			{ streams: { tick: [[[active("c0")], ...acts, "silence"]] } },
			{ memory, count: 200 },
		);
		const saves = log.filter((line) => line.startsWith("save"));
		expect(saves.at(-1)).toBe("save c200");
		expect(saves.length).toBeGreaterThan(4);
		expect(saves.length).toBeLessThan(15);
		expect(log.filter((line) => line.startsWith("seen"))).toHaveLength(200);
	});

	it("moves in quiet times too", async () => {
		const { memory, log } = openMemory("c5");
		const acts = [[active("c5")], [heartbeat("c7")], "silence" as const];
		await runTail({ streams: { tick: [acts] } }, { memory, stopAtMs: 1_000 });
		expect(log).toContain("save c7");
	});

	it("is one of the last sign of life, however long the server was silent before the end", async () => {
		const { memory, times } = openMemory("c5");
		const acts = [[active("c5")], { waitMs: 700 }, [heartbeat("c7")]];
		await runTail(
			{ streams: { tick: [[...acts, "silence"]] } },
			{ memory, stopAtMs: 50_000 },
		);
		expect(times.at(-1)).toBe(700);
	});

	it("goes on from the last run, without what that has shown", async () => {
		const { memory } = openMemory("c2", ["e3"]);
		const run = await runTail(
			{ streams: { tick: [[[active("c2"), ...events(3, 4)], "silence"]] } },
			{ memory, count: 1 },
		);
		expect(run.session.asked[0]?.cursor).toBe("c2");
		expect(run.told).toEqual(["ready c2", "event e4", "stopped c4"]);
	});

	it("is not what --cursor says", async () => {
		const { memory } = openMemory("c2");
		const run = await runTail(
			{ polls: [answer("c1")] },
			{ memory, via: "poll", cursor: "c0", stopAtMs: 10 },
		);
		expect(run.session.asked[0]?.cursor).toBe("c0");
	});
});

describe("what a restart may have lost is told", () => {
	it.each([
		["poll" as const, { polls: [fault("arguments-refused"), answer("c9")] }],
		[
			"push" as const,
			{
				streams: {
					tick: [
						[fault("arguments-refused")],
						[[active("c9")], "silence" as const],
					],
				},
			},
		],
	])("by %s, where the server rejects the cursor", async (via, script) => {
		const { memory } = openMemory("lost");
		const run = await runTail(script, { memory, via, stopAtMs: 50_000 });
		expect(run.told.slice(0, 2)).toEqual([
			"ready c9",
			"gap cursor-rejected c9",
		]);
		expect(run.items[1]).toMatchObject({ since: 0 });
	});

	it.each(["poll" as const, "push" as const])(
		"by %s, where the server has never given a cursor",
		async (via) => {
			const { memory } = openMemory(null);
			const run = await runTail(
				{
					polls: [answer(null)],
					streams: { tick: [[[active(null)], "silence"]] },
				},
				{ memory, via, stopAtMs: 1 },
			);
			expect(run.told.slice(0, 2)).toEqual([
				"ready undefined",
				"gap no-cursor undefined",
			]);
		},
	);
});

describe("a position that cannot be kept", () => {
	it("is told once, tried again, and told when it is saved again", async () => {
		const { memory, failing, log } = openMemory("c0");
		const { tail, clock, warnings, stop } = prepareTail(
			{
				streams: {
					tick: [[[active("c0")], events(1, 1), { waitMs: 60_000 }, "silence"]],
				},
			},
			{ memory },
		);
		failing.isFull = true;
		clock.at(20_000, () => {
			failing.isFull = false;
		});
		clock.at(40_000, () => stop.abort());
		const told: string[] = [];
		const collect = async () => {
			for await (const batch of tail) told.push(...batch.map(tell));
		};
		await clock.run(collect());
		expect(warnings).toHaveLength(2);
		expect(warnings[0]).toContain("--resume repeats");
		expect(warnings[1]).toContain("saved again");
		expect(log).toContain("save c1");
		expect(told).toContain("event e1");
	});

	it.each([
		["is", false],
		["is not, the disk being full", true],
	])("says at its end that it %s kept", async (_what, isFull) => {
		const { memory, failing } = openMemory("c0");
		const { tail, clock, stop } = prepareTail(
			{ streams: { tick: [[[active("c0")], events(1, 1), "silence"]] } },
			{ memory },
		);
		failing.isFull = isFull;
		clock.at(1_000, () => stop.abort());
		const items: Item[] = [];
		const collect = async () => {
			for await (const batch of tail) items.push(...batch);
		};
		await clock.run(collect());
		expect(items.at(-1)).toMatchObject({ kind: "stopped", isKept: !isFull });
	});

	it("ends the subscription where another process took it over, and no other", async () => {
		const { memory, lost, log } = openMemory("c0");
		const streams = { "*": [[[active("c0")], "silence" as const]] };
		streams["*"].push([[active("c0")], "silence" as const]);
		const { tail, clock, stop } = prepareTail(
			{ streams },
			{ memory, names: ["tick", "tock"] },
		);
		clock.at(100, () => lost.abort(new Fault("taken-over", { what: "it" })));
		clock.at(200, () => stop.abort());
		const told: string[] = [];
		const collect = async () => {
			for await (const batch of tail) told.push(...batch.map(tell));
		};
		await clock.run(collect());
		expect(told.slice(-2)).toEqual(["stopped c0 taken-over", "stopped c0"]);
		// As it was before: not in the end.
		expect(log).toEqual(["save c0"]);
	});
});
