import { describe, expect, it } from "vitest";
import { fault, type RunOptions, runTail } from "./run-tail.ts";
import {
	type Act,
	active,
	event,
	finalFrame,
	heartbeat,
	recoverable,
	terminated,
} from "./scripted-session.ts";

const stream = (streams: Act[][], options: RunOptions = {}) =>
	runTail({ streams: { tick: streams } }, options);

type Run = Awaited<ReturnType<typeof stream>>;
const cursors = (run: Run) =>
	run.session.asked.map(({ cursor }) => cursor ?? null);
const times = (run: Run) => run.session.asked.map(({ at }) => at);

const seconds = (n: number) => ({ waitMs: n * 1_000 });
const cut = fault("connection-failed");
const refused = () => fault("arguments-refused");

describe("following by stream", () => {
	it("is ready when the server says active, and yields what comes", async () => {
		const run = await stream(
			[[[active("c1")], [event("e1", "c2"), event("e2", "c3")], "silence"]],
			{ count: 2 },
		);
		expect(run.told).toEqual([
			"ready c1",
			"event e1",
			"event e2",
			"stopped c3",
		]);
		expect(run.session.open).toBe(0);
	});

	it("takes events before active, and notes it", async () => {
		const run = await stream([[[event("e1", "c2"), active("c2")]]], {
			stopAtMs: 10,
		});
		expect(run.told.slice(0, 2)).toEqual(["event e1", "ready c2"]);
		expect(run.notes.join()).toContain("before notifications/events/active");
	});

	it("sends cursor and oldest age", async () => {
		const run = await stream([], { cursor: "c0", maxAgeMs: 60, stopAtMs: 1 });
		expect(run.session.asked[0]?.params).toMatchObject({
			cursor: "c0",
			maxAgeMs: 60,
		});
	});

	it("goes on after an error that the server survives", async () => {
		const run = await stream(
			[[[active("c1"), recoverable(-32603, "hm")], [event("e1", "c2")]]],
			{ count: 1 },
		);
		expect(run.told[1]).toBe("error InternalError");
		expect(run.told[2]).toBe("event e1");
	});

	it.each([
		["terminated", -32023, "NotFound"],
		["forbidden", -32024, "Forbidden"],
		["forbidden", -32012, "Forbidden"],
	])(
		"ends as %s when the server ends the subscription with %i",
		async (code, number, name) => {
			const run = await stream([
				[[active("c1")], [event("e1", "c2"), terminated(number, "over")]],
			]);
			expect(run.told.slice(-2)).toEqual([
				`terminated ${name}`,
				`stopped c2 ${code}`,
			]);
			expect(run.session.asked).toHaveLength(1);
		},
	);

	it("yields heartbeats only on request", async () => {
		const script = () => [
			[[active("c1")], [heartbeat("c2")], [event("e1")]] as Act[],
		];
		const quiet = await stream(script(), { count: 1 });
		const told = await stream(script(), { count: 1, heartbeats: true });
		expect(quiet.told).not.toContain("heartbeat c2");
		expect(told.told).toContain("heartbeat c2");
	});
});

describe("a stream that falls silent", () => {
	it("is dead after a minute without a sign, and is opened again from the last cursor", async () => {
		const run = await stream(
			[
				[[active("c1")], [event("e1", "c2")], [heartbeat("c3")], "silence"],
				[[active("c3")], [event("e2", "c4")]],
			],
			{ count: 2, random: () => 0 },
		);
		expect(cursors(run)).toEqual([null, "c3"]);
		expect(times(run)).toEqual([0, 60_100]);
		expect(run.told).toContain("ready again c3");
		const reconnecting = run.items.find((i) => i.kind === "reconnecting");
		expect(reconnecting).toMatchObject({ why: "nothing was heard for 60 s" });
	});

	it.each([
		["an event", event("e1", "c2")],
		["a heartbeat", heartbeat("c2")],
		["an error", recoverable(-32603, "")],
		["another active", active("c2")],
	])("is alive as long as %s comes", async (_, sign) => {
		const alive = [...Array(5)].flatMap(() => [seconds(50), [sign]]);
		const run = await stream([[[active("c1")], ...alive, "silence"]], {
			stopAtMs: 300_000,
		});
		expect(run.session.asked).toHaveLength(1);
	});

	it("is dead where active does not come, whatever else does", async () => {
		const beats = [...Array(9)].flatMap(() => [seconds(10), [heartbeat("c1")]]);
		const run = await stream([beats, ["silence"]], { stopAtMs: 70_000 });
		expect(times(run)[1]).toBeGreaterThanOrEqual(60_000);
		expect(times(run)[1]).toBeLessThan(61_000);
		expect(cursors(run)).toEqual([null, "c1"]);
	});

	it("gives up after five tries where it has never been active", async () => {
		const run = await stream(Array(9).fill(["silence"]));
		expect(run.session.asked).toHaveLength(5);
		expect(run.told.at(-1)).toBe("stopped undefined timed-out");
		expect(run.session.open).toBe(0);
	});

	it("is given as long as the user says", async () => {
		const run = await stream([[[active("c1")], "silence"], ["silence"]], {
			staleAfterMs: 5_000,
			stopAtMs: 6_000,
			random: () => 0,
		});
		expect(times(run)).toEqual([0, 5_100]);
	});
});

describe("a stream that breaks", () => {
	it.each([
		["is cut", [cut]],
		["ends in order", []],
		["ends with a final frame", [[finalFrame()]]],
	] as [string, Act[]][])(
		"is opened again from the last cursor when it %s",
		async (_, end) => {
			const run = await stream(
				[
					[[active("c1")], [event("e1", "c2")], ...end],
					[[active("c2")], [event("e2", "c3")]],
				],
				{ count: 2 },
			);
			expect(cursors(run)).toEqual([null, "c2"]);
			expect(times(run)[1]).toBeLessThan(500);
			expect(run.told).not.toContain("gap");
			expect(run.told.at(-1)).toBe("stopped c3");
		},
	);

	it("is opened more and more slowly when it dies without a sign of life", async () => {
		const run = await stream(
			[
				[[active("c1")], [event("e1", "c2")], cut],
				...Array(7).fill([cut]),
				[[active("c2")], [event("e2", "c3")]],
			],
			{ count: 2, random: () => 0.5 },
		);
		const delays = run.items.flatMap((item) =>
			item.kind === "reconnecting" ? [item.delayMs] : [],
		);
		expect(delays).toEqual([
			225, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
		]);
	});

	it("is opened more and more slowly when it is active and no more", async () => {
		const flash: Act[] = [[active("c1")], cut];
		const run = await stream(Array(4).fill(flash), { stopAtMs: 3_000 });
		expect(times(run)).toEqual([0, 500, 1_500]);
	});

	it("never waits less than a tenth of a second", async () => {
		const busy = (n: number): Act[] => [[active("c")], [event(`${n}`, `${n}`)]];
		const run = await stream([busy(1), busy(2), busy(3)], {
			count: 3,
			random: () => 0,
		});
		expect(times(run)).toEqual([0, 100, 200]);
	});

	it("is left alone as long as the server asks", async () => {
		const busy = fault("rate-limited", { retryAfterMs: 45_000 });
		const run = await stream([[busy], [[active("c1")]]], { stopAtMs: 45_001 });
		expect(times(run)).toEqual([0, 45_000]);
	});

	it("ends at once for a refusal that no retry can heal", async () => {
		const run = await stream([[fault("event-unknown")]]);
		expect(run.told).toEqual(["stopped undefined event-unknown"]);
	});

	it("ends when it is not let in again", async () => {
		const run = await stream([[[active("c1")], cut], [fault("unauthorized")]]);
		expect(run.told.at(-1)).toBe("stopped c1 unauthorized");
	});

	it("gives up where a server begins anew each time and breaks off at the same place", async () => {
		const again: Act[] = [
			[active("c0")],
			[event("e1", "c1"), event("e2", "c2")],
			fault("too-large"),
		];
		const run = await stream(Array(9).fill(again));
		expect(run.session.asked.length).toBe(3);
		expect(run.told.at(-1)).toBe("stopped c2 too-large");
	});

	it("gives up after three unreadable messages in a row at the same place", async () => {
		const broken: Act[] = [[active("c1")], fault("wrong-shape")];
		const run = await stream(Array(9).fill(broken));
		expect(run.session.asked).toHaveLength(3);
		expect(run.told.at(-1)).toBe("stopped c1 wrong-shape");
	});

	it("bears unreadable messages as long as it gets on", async () => {
		const broken = (n: number): Act[] => [
			[active(`c${n}`)],
			[event(`e${n}`, `c${n + 1}`)],
			fault("not-json"),
		];
		const run = await stream(
			[...Array(8)].map((_, n) => broken(n)),
			{
				count: 8,
			},
		);
		expect(run.told.at(-1)).toBe("stopped c8");
	});
});

describe("gaps of a stream", () => {
	it("tells of a gap at the opening and in mid-stream, and stays connected", async () => {
		const run = await stream(
			[[[active("c5", true)], [active("c8", true)], [event("e9", "c9")]]],
			{ cursor: "c1", count: 1 },
		);
		expect(run.told).toEqual([
			"ready c5",
			"gap truncated c5",
			"gap truncated c8",
			"event e9",
			"stopped c9",
		]);
	});

	it("tries null once for a cursor that is refused, and tells the gap", async () => {
		const run = await stream(
			[[refused()], [[active("c5")], [event("e6", "c6")]]],
			{ cursor: "bad", count: 1 },
		);
		expect(cursors(run)).toEqual(["bad", null]);
		expect(times(run)).toEqual([0, 0]);
		expect(run.told.slice(0, 2)).toEqual([
			"ready c5",
			"gap cursor-rejected c5",
		]);
	});

	it("passes on the first refusal where null is refused too", async () => {
		const first = refused();
		const run = await stream([[first], [refused()]], { cursor: "bad" });
		expect(run.items).toMatchObject([{ kind: "stopped", fault: first }]);
	});

	it("goes on trying null where the connection fails in between", async () => {
		const run = await stream([[refused()], [cut], [[active("c5")]]], {
			cursor: "bad",
			stopAtMs: 1_000,
		});
		expect(cursors(run)).toEqual(["bad", null, null]);
		expect(run.told).toContain("gap cursor-rejected c5");
	});

	it("does not let a stray null wipe the last real cursor", async () => {
		const run = await stream(
			[
				[[active("c1")], [event("e1", null), heartbeat(null)], cut],
				[[active(null)], [event("e2", "c2")]],
			],
			{ count: 2 },
		);
		expect(cursors(run)).toEqual([null, "c1"]);
		expect(run.told).toContain("ready again c1");
	});

	it("tells that events may be lost when a type without cursors reconnects", async () => {
		const run = await stream(
			[[[active(null)], [event("e1")], cut], [[active(null)]]],
			{ stopAtMs: 300 },
		);
		expect(cursors(run)).toEqual([null, null]);
		expect(run.told).toContain("gap no-cursor undefined");
	});

	it("ignores 'truncated' of a type without cursors, but notes it", async () => {
		const run = await stream([[[active(null, true)], "silence"]], {
			stopAtMs: 10,
		});
		expect(run.told).toEqual(["ready undefined", "stopped undefined"]);
		expect(run.notes.join()).toContain("truncated");
	});
});
