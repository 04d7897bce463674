import { describe, expect, it } from "vitest";
import type { FaultCode } from "../../src/faults/index.ts";
import { fault, type RunOptions, runTail } from "./run-tail.ts";
import {
	type Act,
	active,
	answer,
	event,
	finalFrame,
	type Script,
	terminated,
} from "./scripted-session.ts";

/** As `tail` follows a type of both modes. */
const tail = (script: Script, options: RunOptions = {}) =>
	runTail(script, { modes: ["push", "poll"], ...options });

const MINUTE = 60_000;
const streams = (...connections: Act[][]) => ({ tick: connections });
const methods = (run: Awaited<ReturnType<typeof tail>>) =>
	run.session.asked.map(({ method }) => method.slice(7));

describe("where streams do not work, it goes on by poll", () => {
	it.each<FaultCode>([
		"mode-not-offered",
		"http-not-found",
		"http-not-allowed",
		"http-not-acceptable",
		"not-json",
		"empty-body",
		"not-events",
	])("at once, where they are refused as %s", async (code) => {
		const run = await tail(
			{
				streams: streams([fault(code)]),
				polls: [answer("c1", ["e1"])],
			},
			{ cursor: "c0", count: 1 },
		);
		expect(run.told).toEqual([
			`mode scripted ${code}`,
			"ready c1",
			"event e1",
			"stopped c1",
		]);
		expect(run.items[0]).toMatchObject({ kind: "mode", via: "poll" });
		expect(run.session.asked[1]).toMatchObject({ cursor: "c0" });
	});

	it("at once, where the server is at its limit of streams", async () => {
		const wire = { name: "ResourceExhausted", code: -32025, message: "" };
		const run = await tail(
			{
				streams: streams([fault("rate-limited", { wire })]),
				polls: [answer("c1", ["e1"])],
			},
			{ count: 1 },
		);
		expect(run.told[0]).toBe("mode scripted rate-limited");
	});

	it("after three that die at once", async () => {
		const dying = [finalFrame()];
		const run = await tail(
			{
				streams: streams([dying], [dying], [dying]),
				polls: [answer("c1", ["e1"])],
			},
			{ count: 1 },
		);
		expect(methods(run)).toEqual(["stream", "stream", "stream", "poll"]);
	});

	it("after one that never becomes active, as behind a proxy that holds it back", async () => {
		const run = await tail(
			{ streams: streams(["silence"]), polls: [answer("c1", ["e1"])] },
			{ count: 1 },
		);
		expect(methods(run)).toEqual(["stream", "poll"]);
		expect(run.clock.now()).toBe(MINUTE);
	});

	it("with what was seen before, so that the seam shows nothing twice", async () => {
		const run = await tail(
			{
				streams: streams(
					[[active("c0"), event("e1", "c1")]],
					[fault("mode-not-offered")],
				),
				polls: [answer("c2", ["e1", "e2"])],
			},
			{ count: 2 },
		);
		expect(run.told.filter((line) => line.startsWith("event"))).toEqual([
			"event e1",
			"event e2",
		]);
		expect(run.session.asked.at(-1)).toMatchObject({ cursor: "c1" });
		expect(run.told.some((line) => line.startsWith("gap"))).toBe(false);
	});
});

describe("it stays with push", () => {
	it.each<FaultCode>(["connection-refused", "dns-failed"])(
		"where nothing can be reached at all (%s): no other way would work",
		async (code) => {
			const run = await tail(
				{
					streams: streams(
						[[active("c0"), event("e1", "c1")]],
						...Array.from({ length: 6 }, () => [fault(code)]),
						[[active("c1"), event("e2", "c2")]],
					),
				},
				{ count: 2 },
			);
			expect(new Set(methods(run))).toEqual(new Set(["stream"]));
			const news = run.items.filter(
				(item) => item.kind === "reconnecting" && item.isNews,
			);
			// The end of the first stream, then one line for all that could not be opened.
			expect(news).toHaveLength(2);
		},
	);

	it("where each stream brings events before it dies", async () => {
		const cuts = Array.from({ length: 8 }, (_, n) => [
			[active(`c${n}`), event(`e${n + 1}`, `c${n + 1}`)],
		]);
		const run = await tail({ streams: streams(...cuts) }, { count: 8 });
		expect(new Set(methods(run))).toEqual(new Set(["stream"]));
	});

	it.each<FaultCode>(["forbidden", "unauthorized"])(
		"and ends, where it is not let in (%s)",
		async (code) => {
			const run = await tail({ streams: streams([fault(code)]) });
			expect(run.told).toEqual([`stopped undefined ${code}`]);
		},
	);

	it("and ends where it was asked for alone", async () => {
		const run = await runTail({ streams: streams([fault("http-not-found")]) });
		expect(run.told).toEqual(["stopped undefined http-not-found"]);
	});
});

describe("while it polls, it tries streams again", () => {
	const polls = () => Array.from({ length: 99 }, () => answer("c1"));

	it("and goes back once one becomes active, with the same position", async () => {
		const run = await tail(
			{
				streams: streams(
					[fault("http-not-found")],
					[[active("c1"), event("e1", "c2")], "silence"],
				),
				polls: polls(),
			},
			{ count: 1 },
		);
		expect(run.told).toEqual([
			"mode scripted http-not-found",
			"ready c1",
			"mode push works again",
			"ready again c1",
			"event e1",
			"stopped c2",
		]);
		expect(run.clock.now()).toBe(MINUTE);
		expect(run.items.at(-1)).toMatchObject({ via: "push" });
	});

	it("ever more seldom, and says nothing of it where they still do not work", async () => {
		const refused = () => [fault("http-not-found")];
		const run = await tail(
			{
				streams: streams(...Array.from({ length: 9 }, refused)),
				polls: polls(),
			},
			{ stopAtMs: 8 * MINUTE },
		);
		const tries = run.session.asked.filter(({ method }) =>
			method.endsWith("stream"),
		);
		expect(tries.map(({ at }) => at / MINUTE)).toEqual([0, 1, 3, 7]);
		expect(run.told).toEqual([
			"mode scripted http-not-found",
			"ready c1",
			"ready again c1",
			"ready again c1",
			"ready again c1",
			"stopped c1",
		]);
	});

	it("for ten seconds at most, if nothing comes", async () => {
		const run = await tail(
			{
				streams: streams([fault("http-not-found")], ["silence"]),
				polls: polls(),
			},
			{ stopAtMs: 2 * MINUTE },
		);
		const after = run.session.asked.filter(({ at }) => at >= MINUTE);
		expect(after.slice(0, 2).map(({ at }) => at / 1_000)).toEqual([60, 70]);
	});
});

describe("an ending that may be one of the old type only", () => {
	const ended = [active("c1"), terminated(-32023, "gone")];
	const again: Act[] = [[active("c1"), event("e1", "c2")], "silence"];

	it("is listed again, and subscribed to after the last cursor", async () => {
		const run = await tail(
			{ streams: streams([ended], again), lists: [[{ name: "tick" }]] },
			{ count: 1 },
		);
		expect(run.told).toEqual([
			"ready c1",
			"terminated NotFound",
			"reconnecting in 225",
			"ready again c1",
			"event e1",
			"stopped c2",
		]);
		expect(run.session.asked[1]).toMatchObject({ cursor: "c1" });
	});

	it("goes on by what the type offers now", async () => {
		const run = await tail(
			{
				streams: streams([ended]),
				polls: [answer("c2", ["e1"])],
				lists: [[{ name: "tick", delivery: ["poll"] }]],
			},
			{ count: 1 },
		);
		expect(run.told).toContain("mode the server no longer offers push");
		expect(run.told).toContain("event e1");
	});

	it("is the end where the type is listed no more, after some patience", async () => {
		const run = await tail({ streams: streams([ended]), lists: [[]] });
		expect(run.told.at(-1)).toBe("stopped c1 terminated");
		expect(run.session.lists).toBe(3);
	});

	it("is the end where the arguments no longer fit", async () => {
		const run = await tail(
			{ streams: streams([ended]), lists: [[{ name: "tick" }]] },
			{
				async checkArguments() {
					throw fault("arguments-invalid");
				},
			},
		);
		expect(run.told.at(-1)).toBe("stopped c1 arguments-invalid");
	});

	it("is the end where it comes again and again", async () => {
		const run = await tail({
			streams: streams(...Array.from({ length: 20 }, () => [ended])),
			lists: [[{ name: "tick" }]],
		});
		expect(run.told.at(-1)).toBe("stopped c1 terminated");
		expect(methods(run)).toHaveLength(3);
	});

	it("is the end at once where it is Forbidden", async () => {
		const run = await tail({
			streams: streams([[active("c1"), terminated(-32024, "no")]]),
			lists: [[{ name: "tick" }]],
		});
		expect(run.told.at(-1)).toBe("stopped c1 forbidden");
		expect(run.session.lists).toBe(0);
	});
});
