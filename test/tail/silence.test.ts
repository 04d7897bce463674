import { describe, expect, it } from "vitest";
import { fault, runTail } from "./run-tail.ts";
import {
	type Act,
	active,
	answer,
	event,
	heartbeat,
} from "./scripted-session.ts";

const MINUTE = 60_000;

describe("a server that says nothing", () => {
	it("is asked again where a poll is not answered for --stale-after", async () => {
		// After its answers a script leaves a poll hanging.
		const run = await runTail(
			{ polls: [answer("c1", [], { nextPollMs: 1_000 })] },
			{ via: "poll", staleAfterMs: 7_000, stopAtMs: 20_000 },
		);
		expect(run.told.slice(0, 2)).toEqual(["ready c1", "reconnecting in 1000"]);
		expect(run.items[1]).toMatchObject({ fault: { code: "timed-out" } });
		expect(run.session.asked.map(({ at }) => at)).toEqual([
			0, 1_000, 9_000, 17_000,
		]);
		expect(run.session.open).toBe(0);
	});

	it.each(["poll" as const, "push" as const])(
		"is given up, by %s, after --give-up-after, with status 6",
		async (via) => {
			const cut: Act[] = [fault("connection-failed")];
			const run = await runTail(
				{
					polls: [answer("c1"), ...Array(99).fill(fault("connection-failed"))],
					streams: {
						tick: [[[active("c1")]], ...Array.from({ length: 99 }, () => cut)],
					},
				},
				{ via, giveUpAfterMs: 5 * MINUTE },
			);
			const last = run.items.at(-1);
			expect(last).toMatchObject({
				kind: "stopped",
				fault: { code: "nothing-heard", exitStatus: 6 },
			});
			const elapsed = run.clock.now();
			expect(elapsed).toBeGreaterThanOrEqual(5 * MINUTE);
			expect(elapsed).toBeLessThan(5 * MINUTE + 10_000);
		},
	);

	it("is given up in the middle of a silence that --stale-after would bear", async () => {
		const run = await runTail(
			{ streams: { tick: [[[active("c1")], "silence"]] } },
			{ staleAfterMs: 10 * MINUTE, giveUpAfterMs: MINUTE },
		);
		expect(run.told).toEqual(["ready c1", "stopped c1 nothing-heard"]);
		expect(run.clock.now()).toBe(MINUTE);
	});

	it.each<[string, Act[]]>(
		[
			["a heartbeat", [heartbeat("c1")]],
			["an event", [event("e1", "c1")]],
		].map(([what, frames]) => [String(what), [frames as Act]]),
	)("is not given up where %s comes in time", async (_what, frames) => {
		const beats = Array.from({ length: 10 }, (): Act[] => [
			{ waitMs: 50_000 },
			...frames,
		]).flat();
		const run = await runTail(
			{ streams: { tick: [[[active("c1")], ...beats]] } },
			{ giveUpAfterMs: MINUTE },
		);
		expect(run.clock.now()).toBeGreaterThan(500_000);
	});

	it("is not given up where it asked for a long wait between two polls", async () => {
		const slow = () => answer("c1", [], { nextPollMs: 10 * MINUTE });
		const run = await runTail(
			{ polls: Array.from({ length: 9 }, slow) },
			{ via: "poll", giveUpAfterMs: MINUTE, stopAtMs: 45 * MINUTE },
		);
		expect(run.told.at(-1)).toBe("stopped c1");
	});
});

it("tells from time to time how long ago something came", async () => {
	const run = await runTail(
		{
			streams: {
				tick: [
					[
						[active("c0"), event("e1", "c1")],
						{ waitMs: 25_000 },
						[heartbeat("c1")],
						"silence",
					],
				],
			},
		},
		{ statusEveryMs: 20_000, stopAtMs: 45_000 },
	);
	expect(run.told.filter((line) => line.startsWith("status"))).toEqual([
		"status 20000 20000",
		"status 40000 15000",
	]);
});

describe("the pace of polls", () => {
	it("is no slower than --interval-ceiling", async () => {
		const slow = () => answer("c1", [], { nextPollMs: 10 * MINUTE });
		const run = await runTail(
			{ polls: Array.from({ length: 9 }, slow) },
			{ via: "poll", intervalCeilingMs: 2_000, stopAtMs: 5_000 },
		);
		expect(run.session.asked.map(({ at }) => at)).toEqual([0, 2_000, 4_000]);
	});

	it("has a wait after --max-pages answers in a row", async () => {
		const more = (n: number) => answer(`c${n}`, [`e${n}`], { hasMore: true });
		const run = await runTail(
			{ polls: [1, 2, 3, 4, 5].map(more) },
			{ via: "poll", maxPages: 2, stopAtMs: 2_500, cursor: "c0" },
		);
		expect(run.session.asked.map(({ at }) => at)).toEqual([
			0, 0, 1_000, 1_000, 2_000, 2_000,
		]);
	});
});
