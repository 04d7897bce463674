import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { type Item, tailEvents } from "../../src/tail/index.ts";
import { fault, prepareTail, runTail, tell } from "./run-tail.ts";
import { type Act, active, answer, event } from "./scripted-session.ts";

const one = (acts: Act[]) => ({ streams: { tick: [acts] } });
/** `n` events in one batch, from e1/c1 on. */
const batchOf = (n: number, from = 1) =>
	[...Array(n)].map((_, at) => event(`e${from + at}`, `c${from + at}`));

describe("what is safe to save", () => {
	it("is the cursor of a batch only once the next one is asked for", async () => {
		const { tail, clock, session } = prepareTail(
			one([[active("c0")], batchOf(2), batchOf(2, 3), "silence"]),
		);
		const items = tail[Symbol.asyncIterator]();
		await clock.run(items.next());
		await clock.run(items.next());
		expect(session.reads).toBe(2);
		await clock.run(items.next());
		expect(session.reads).toBe(3);
		await items.return?.();
		expect(session.open).toBe(0);
	});

	it("is told as it was before a batch that the consumer never came back from", async () => {
		const { tail, clock, stop } = prepareTail(
			one([[active("c0")], batchOf(2), batchOf(2, 3), "silence"]),
		);
		const told: string[] = [];
		const collect = async () => {
			for await (const batch of tail) {
				told.push(...batch.map(tell));
				if (told.includes("event e2")) stop.abort();
			}
		};
		await clock.run(collect());
		expect(told.at(-1)).toBe("stopped c2");
	});

	it("is told as it was before a batch that the consumer could not accept", async () => {
		const { clock, session } = prepareTail(
			one([[active("c0")], batchOf(2), batchOf(2, 3), "silence"]),
		);
		const refused = new AbortController();
		const subscription = { label: "tick", name: "tick", arguments: {} };
		const tail = tailEvents(
			session,
			{ subscriptions: [{ subscription, via: "push" }] },
			{
				now: clock.now,
				sleep: clock.sleep,
				random: () => 0.5,
				note: () => {},
				warn: () => {},
				signal: new AbortController().signal,
				refused: refused.signal,
			},
		);
		const told: string[] = [];
		const collect = async () => {
			for await (const batch of tail) {
				told.push(...batch.map(tell));
				if (told.includes("event e4")) refused.abort();
			}
		};
		await clock.run(collect());
		expect(told.slice(-2)).toEqual(["event e4", "stopped c2"]);
		expect(session.open).toBe(0);
	});

	it("is the last event that was wanted, where the count cuts a batch of a stream", async () => {
		const run = await runTail(one([[active("c0"), ...batchOf(5)], "silence"]), {
			count: 3,
		});
		expect(run.told.slice(-2)).toEqual(["event e3", "stopped c3"]);
	});

	it("is the place before the whole answer, where the count cuts a poll", async () => {
		const polls = [answer("c1", ["e1"]), answer("c4", ["e2", "e3", "e4"])];
		const run = await runTail(
			{ polls },
			{ via: "poll", cursor: "c0", count: 3 },
		);
		expect(run.told.slice(-2)).toEqual(["event e3", "stopped c1"]);
	});

	it("is the answer's own cursor, where the count ends with the answer", async () => {
		const polls = [answer("c3", ["e1", "e2"])];
		const run = await runTail(
			{ polls },
			{ via: "poll", cursor: "c0", count: 2 },
		);
		expect(run.told.at(-1)).toBe("stopped c3");
	});
});

describe("several subscriptions", () => {
	const busy = (name: string): Act[] => [
		[active("c")],
		...[...Array(50)].map((_, n) => [event(`${name}${n}`, `${name}${n}`)]),
		"silence",
	];

	it("take turns, each item with its own name", async () => {
		const run = await runTail(
			{ streams: { a: [busy("a")], b: [busy("b")], c: [busy("c")] } },
			{ names: ["a", "b", "c"], count: 90 },
		);
		for (const name of ["a", "b", "c"]) {
			const own = run.items.filter(
				(item) => item.kind === "event" && item.subscription === name,
			);
			expect(own.length).toBeGreaterThanOrEqual(29);
			expect(own.length).toBeLessThanOrEqual(31);
		}
	});

	it("go on when one of them is refused", async () => {
		const run = await runTail(
			{ streams: { bad: [[fault("forbidden")]], good: [busy("g")] } },
			{ names: ["bad", "good"], count: 5 },
		);
		expect(run.told.filter((line) => line.startsWith("event"))).toHaveLength(5);
		expect(run.told).toContain("stopped undefined forbidden");
		expect(run.told.at(-1)).toBe("stopped g4");
	});

	it("each say at the end where to go on", async () => {
		const run = await runTail(
			{ streams: { a: [busy("a")], b: [busy("b")] } },
			{ names: ["a", "b"], stopAtMs: 1_000 },
		);
		const last = run.items.slice(-2);
		expect(last).toMatchObject([
			{ kind: "stopped", subscription: "a", cursor: "a49" },
			{ kind: "stopped", subscription: "b", cursor: "b49" },
		]);
	});

	it("drop repetitions each for itself", async () => {
		const same = (): Act[] => [[active("c")], [event("e1", "c1")], "silence"];
		const run = await runTail(
			{ streams: { a: [same()], b: [same()] } },
			{ names: ["a", "b"], count: 2 },
		);
		expect(run.told.filter((line) => line === "event e1")).toHaveLength(2);
	});

	it("end when all of them have ended", async () => {
		const run = await runTail(
			{ streams: { "*": [[fault("forbidden")], [fault("unauthorized")]] } },
			{ names: ["a", "b"] },
		);
		expect(run.told.toSorted()).toEqual([
			"stopped undefined forbidden",
			"stopped undefined unauthorized",
		]);
	});

	it("may be fifty without a warning of Node", async () => {
		const warnings: unknown[] = [];
		const heed = (warning: unknown) => warnings.push(warning);
		process.on("warning", heed);
		const names = [...Array(50)].map((_, n) => `n${n}`);
		const run = await runTail(
			{ polls: [] },
			{ names, via: "poll", stopAtMs: 5 },
		);
		process.off("warning", heed);
		expect(run.told).toHaveLength(50);
		expect(warnings).toEqual([]);
	});
});

describe("a consumer", () => {
	it("that is slow slows the server, and its time is no silence", async () => {
		const { tail, clock, session } = prepareTail(
			one([[active("c0")], ...[...Array(4)].map((_, n) => batchOf(1, n + 1))]),
			{ count: 4 },
		);
		const collect = async () => {
			for await (const _ of tail) {
				const before = session.reads;
				await clock.sleep(100_000, new AbortController().signal);
				expect(session.reads).toBe(before);
			}
		};
		await clock.run(collect());
		expect(session.asked).toHaveLength(1);
	});

	it.each(["push", "poll"] as const)(
		"that leaves in the middle leaves nothing open by %s",
		async (via) => {
			const polls = [answer("c1", ["e1"]), answer("c2")];
			const { tail, clock, session } = prepareTail(
				{ ...one([[active("c0")], batchOf(2), "silence"]), polls },
				{ via },
			);
			const collect = async () => {
				for await (const batch of tail)
					if (batch.some((item) => item.kind === "event")) break;
			};
			await clock.run(collect());
			expect(session.open).toBe(0);
			expect(clock.waits).toBe(0);
		},
	);

	it.each(["push", "poll"] as const)(
		"that reads to the end leaves nothing open by %s, nor a listener",
		async (via) => {
			const polls = [answer("c1", ["e1"])];
			const { tail, clock, session, stop } = prepareTail(
				{ ...one([[active("c0")], batchOf(2), "silence"]), polls },
				{ via, count: 1 },
			);
			const collect = async () => {
				for await (const _ of tail);
			};
			await clock.run(collect());
			const listeners = getEventListeners(stop.signal, "abort");
			expect([session.open, clock.waits, listeners]).toEqual([0, 0, []]);
		},
	);

	it("that leaves while it waits is not kept waiting", async () => {
		const { tail, clock, session } = prepareTail(one(["silence"]));
		const items = tail[Symbol.asyncIterator]();
		const pending = items.next();
		await items.return?.();
		const { value } = await pending;
		expect((value as Item[]).map(tell)).toEqual(["stopped undefined"]);
		expect([session.open, clock.waits, clock.now()]).toEqual([0, 0, 0]);
	});

	it("that never starts opens nothing", async () => {
		const { tail, session } = prepareTail(one([]));
		await tail[Symbol.asyncIterator]().return?.();
		expect(session.asked).toEqual([]);
	});

	it("gets the last cursors, and nothing else, from a tail that was stopped before", async () => {
		const { tail, stop } = prepareTail(one([[active("c1")]]), { cursor: "c0" });
		stop.abort();
		const told: string[] = [];
		for await (const batch of tail) told.push(...batch.map(tell));
		expect(told).toEqual(["stopped c0"]);
	});

	it("gets no event where none is wanted", async () => {
		const run = await runTail(one([[active("c1")]]), { count: 0 });
		expect(run.told).toEqual(["stopped undefined"]);
	});

	it("gets our own defects as they are", async () => {
		const bug = new TypeError("x is not a function");
		const broken = runTail({ polls: [bug as never] }, { via: "poll" });
		await expect(broken).rejects.toBe(bug);
	});
});

it("tells an oddity once, however often it is seen", async () => {
	const odd = answer("c1", [], { nextPollMs: "soon" });
	const run = await runTail(
		{ polls: [odd, odd, odd] },
		{ via: "poll", stopAtMs: 2_500 },
	);
	const told = run.notes.filter((note) => note.includes("nextPollMs"));
	expect(told).toHaveLength(1);
});

it("passes repetitions on when the window is off", async () => {
	const twice: Act[] = [[active("c")], [event("e1", "c1"), event("e1", "c2")]];
	const run = await runTail(one(twice), { count: 2, dedupWindow: 0 });
	expect(run.told.filter((line) => line === "event e1")).toHaveLength(2);
});
