import { describe, expect, it } from "vitest";
import { fault, type RunOptions, runTail } from "./run-tail.ts";
import { type Answer, answer } from "./scripted-session.ts";

const poll = (polls: Answer[], options: RunOptions = {}) =>
	runTail({ polls }, { via: "poll", ...options });

/** When the polls were sent, in virtual time. */
const times = (run: Awaited<ReturnType<typeof poll>>) =>
	run.session.asked.map(({ at }) => at);
const cursors = (run: Awaited<ReturnType<typeof poll>>) =>
	run.session.asked.map(({ cursor }) => cursor ?? null);

const MORE = { hasMore: true };
const refused = (reason?: object) =>
	fault("arguments-refused", {
		wire: { name: "InvalidParams", code: -32602, message: "no", ...reason },
	});

describe("following by poll", () => {
	it("starts from now, and goes on from the cursor that came", async () => {
		const run = await poll([answer("c1"), answer("c2", ["e1"])], { count: 1 });
		expect(cursors(run)).toEqual([null, "c1"]);
		expect(run.told).toEqual(["ready c1", "event e1", "stopped c2"]);
	});

	it("goes on from the cursor that the user gives", async () => {
		const run = await poll([answer("c2", ["e1"])], { cursor: "c1", count: 1 });
		expect(cursors(run)).toEqual(["c1"]);
	});

	it("sends the empty cursor as it is", async () => {
		const run = await poll([answer(""), answer("c2", ["e1"])], { count: 1 });
		expect(cursors(run)).toEqual([null, ""]);
	});

	it("asks again at once while the server has more", async () => {
		const run = await poll(
			[
				answer("c1", ["e1"], MORE),
				answer("c2", [], MORE),
				answer("c3", ["e2"]),
			],
			{ cursor: "c0", count: 2 },
		);
		expect(times(run)).toEqual([0, 0, 0]);
		expect(cursors(run)).toEqual(["c0", "c1", "c2"]);
	});

	it("waits the floor where 'more' brings neither an event nor a new cursor", async () => {
		const run = await poll(
			[answer("c1", [], MORE), answer("c1", [], MORE), answer("c1", ["e"])],
			{ count: 1 },
		);
		expect(times(run)).toEqual([0, 0, 1_000]);
	});

	it("does not take repeated events for progress", async () => {
		const again = answer("c1", ["e1"], MORE);
		const run = await poll([again, again, again], { stopAtMs: 1_500 });
		expect(times(run)).toEqual([0, 0, 1_000]);
		expect(run.told).toEqual(["ready c1", "event e1", "stopped c1"]);
	});

	it.each([
		["as long as the server says", { nextPollMs: 7_000 }, 7_000],
		["the floor for less", { nextPollMs: 10 }, 1_000],
		["the floor for zero", { nextPollMs: 0 }, 1_000],
		["the floor for a missing wait", { nextPollMs: undefined }, 1_000],
		["the floor for a text", { nextPollMs: "soon" }, 1_000],
		["the floor for a negative wait", { nextPollMs: -1 }, 1_000],
		["a day at most", { nextPollMs: 1e300 }, 86_400_000],
	])("waits %s", async (_, wait, expected) => {
		const run = await poll([answer("c1", [], wait), answer("c2", ["e1"])], {
			count: 1,
		});
		expect(times(run)).toEqual([0, expected]);
	});

	it("takes the user's floor in place of a second", async () => {
		const run = await poll(
			[answer("c1", [], { nextPollMs: 1_000 }), answer("c2", ["e1"])],
			{ count: 1, intervalFloorMs: 30_000 },
		);
		expect(times(run)).toEqual([0, 30_000]);
	});

	it("polls until there is no more when asked to poll once", async () => {
		const run = await poll(
			[answer("c1", ["e1"], MORE), answer("c2", ["e2"]), answer("c3", ["e3"])],
			{ cursor: "c0", once: true },
		);
		expect(run.told).toEqual([
			"ready c1",
			"event e1",
			"event e2",
			"stopped c2",
		]);
		expect(run.notes).toEqual([]);
	});

	it("says that polling once without a cursor brings nothing, and where to go on", async () => {
		const run = await poll([answer("c1")], { once: true });
		expect(run.told).toEqual(["ready c1", "stopped c1"]);
		expect(run.notes[0]).toContain("brings no events");
	});

	it("hands on the oldest age and the batch size that the user wants", async () => {
		const run = await poll([answer("c1")], {
			once: true,
			cursor: "c0",
			maxAgeMs: 5_000,
			maxEvents: 20,
		});
		const params = run.session.asked[0]?.params;
		expect(params).toMatchObject({ maxAgeMs: 5_000, maxEvents: 20 });
	});

	it.each([
		["are still wanted", { count: 3, maxEvents: 20 }, [3, 1]],
		["the user allows", { count: 3, maxEvents: 2 }, [2, 1]],
		["a server will surely give", { count: 1_000 }, [undefined, undefined]],
	])("asks for no more events than %s", async (_, wishes, expected) => {
		const run = await poll(
			[answer("c1", ["e1", "e2"], MORE), answer("c2", ["e3"])],
			{ cursor: "c0", stopAtMs: 1, ...wishes },
		);
		const asked = run.session.asked.map(({ params }) => params.maxEvents);
		expect(asked).toEqual(expected);
	});

	it("drops events that it has had", async () => {
		const run = await poll(
			[answer("c1", ["e1", "e2"]), answer("c2", ["e2", "e3"])],
			{ cursor: "c0", count: 3 },
		);
		expect(run.told.filter((line) => line.startsWith("event"))).toEqual([
			"event e1",
			"event e2",
			"event e3",
		]);
		expect(run.notes).toEqual(["tick: 1 repeated events were dropped"]);
	});
});

describe("a poll that fails", () => {
	it("is tried again after longer and longer waits, and says so", async () => {
		const down = fault("server-failing");
		const run = await poll(
			[answer("c1"), down, down, down, answer("c2", ["e1"])],
			{ count: 1, random: () => 0.75 },
		);
		expect(times(run)).toEqual([0, 5_000, 6_000, 7_500, 10_500]);
		expect(run.told).toEqual([
			"ready c1",
			"reconnecting in 1000",
			"reconnecting in 1500",
			"reconnecting in 3000",
			"ready again c2",
			"event e1",
			"stopped c2",
		]);
	});

	it("waits as long as the server asks", async () => {
		const busy = fault("rate-limited", { retryAfterMs: 90_000 });
		const run = await poll([busy, answer("c1")], { once: true });
		expect(times(run)).toEqual([0, 90_000]);
	});

	it("ends after five tries where it has never worked", async () => {
		const run = await poll(Array(9).fill(fault("connection-refused")));
		expect(run.session.asked).toHaveLength(5);
		expect(run.told.at(-1)).toBe("stopped undefined connection-refused");
	});

	it("never ends where it has worked", async () => {
		const down = Array(40).fill(fault("connection-refused"));
		const run = await poll([answer("c1"), ...down, answer("c2", ["e1"])], {
			count: 1,
		});
		expect(run.told.at(-1)).toBe("stopped c2");
	});

	it("ends after five tries when asked to poll once, even after it worked", async () => {
		const down = Array(9).fill(fault("timed-out"));
		const run = await poll([answer("c1", ["e1"], MORE), ...down], {
			once: true,
			cursor: "c0",
		});
		expect(run.told.at(-1)).toBe("stopped c1 timed-out");
		expect(run.session.asked).toHaveLength(6);
	});

	it.each(["forbidden", "unauthorized", "tls-failed"] as const)(
		"ends at once for %s",
		async (code) => {
			const run = await poll([answer("c1"), fault(code)]);
			expect(run.told).toEqual(["ready c1", `stopped c1 ${code}`]);
		},
	);
});

it("is over, as if it was terminated, where the server no longer has the event", async () => {
	const polls = [answer("c1"), fault("event-unknown")];
	const run = await runTail({ polls, lists: [[]] }, { via: "poll" });
	expect(run.told).toEqual(["ready c1", "stopped c1 terminated"]);
	expect(run.session.lists).toBe(3);
});

describe("a poll that is answered by what cannot be read", () => {
	it("is tried again where it has worked: one web page of a proxy says nothing of the next answer", async () => {
		const page = fault("not-json");
		const run = await poll([answer("c1"), page, page, answer("c2", ["e1"])], {
			count: 1,
		});
		expect(run.told.at(-1)).toBe("stopped c2");
	});

	it("ends after three in a row", async () => {
		const run = await poll([answer("c1"), ...Array(9).fill(fault("not-json"))]);
		expect(run.session.asked).toHaveLength(4);
		expect(run.told.at(-1)).toBe("stopped c1 not-json");
	});

	it("ends at once where it never worked", async () => {
		const run = await poll([fault("wrong-shape")]);
		expect(run.told).toEqual(["stopped undefined wrong-shape"]);
	});
});

describe("gaps of a poll", () => {
	it("tells of events that were skipped, with the fresh cursor", async () => {
		const run = await poll([answer("c9", ["e9"], { truncated: true })], {
			cursor: "c1",
			count: 1,
		});
		expect(run.told).toEqual([
			"ready c9",
			"gap truncated c9",
			"event e9",
			"stopped c9",
		]);
	});

	it("tries null once for a cursor that is refused, and tells the gap", async () => {
		const run = await poll([refused(), answer("c5"), answer("c6", ["e6"])], {
			cursor: "bad",
			count: 1,
		});
		expect(cursors(run)).toEqual(["bad", null, "c5"]);
		expect(run.told.slice(0, 2)).toEqual([
			"ready c5",
			"gap cursor-rejected c5",
		]);
	});

	it("starts anew where the schema has changed since the cursor", async () => {
		const changed = fault("mode-not-offered", {
			wire: {
				name: "Unsupported",
				code: -32026,
				message: "",
				data: { feature: "payloadSchema", reason: "schema_changed" },
			},
		});
		const run = await poll([changed, answer("c5")], {
			cursor: "old",
			once: true,
		});
		expect(run.told[1]).toBe("gap cursor-rejected c5");
	});

	it("passes on the first refusal where null is refused too", async () => {
		const first = refused();
		const run = await poll([first, refused()], { cursor: "bad" });
		expect(run.told).toEqual(["stopped bad arguments-refused"]);
		expect(run.items[0]).toHaveProperty("fault", first);
	});

	it("does not blame a cursor that was never sent", async () => {
		const run = await poll([refused()]);
		expect(run.session.asked).toHaveLength(1);
		expect(run.told).toEqual(["stopped undefined arguments-refused"]);
	});

	it("keeps the last real cursor where a null strays in", async () => {
		const run = await poll([answer("c1"), answer(null), answer("c2", ["e1"])], {
			count: 1,
		});
		expect(cursors(run)).toEqual([null, "c1", "c1"]);
	});

	it("tells once that a type without cursors loses what comes between polls", async () => {
		const none = answer(null, [], { truncated: true });
		const run = await poll([none, none, none], { stopAtMs: 12_000 });
		expect(cursors(run)).toEqual([null, null, null]);
		expect(run.told).toEqual([
			"ready undefined",
			"gap no-cursor undefined",
			"stopped undefined",
		]);
		expect(run.notes[0]).toContain("truncated");
	});

	it("polls with null where the server has no cursor for the user's", async () => {
		const run = await poll([answer(null), answer(null)], {
			cursor: "mine",
			stopAtMs: 6_000,
		});
		expect(cursors(run)).toEqual(["mine", null]);
		expect(run.told[1]).toBe("gap no-cursor undefined");
	});
});
