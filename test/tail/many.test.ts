import { describe, expect, it } from "vitest";
import { fault, prepareTail, runTail, tell } from "./run-tail.ts";
import {
	type Act,
	active,
	answer,
	event,
	type Script,
} from "./scripted-session.ts";

const names = (count: number) => [...Array(count).keys()].map((n) => `s${n}`);
const LONG_MS = 600_000;

describe("of many subscriptions", () => {
	it("one that floods does not keep the others waiting", async () => {
		const flood: Act[] = [[active("c")]];
		for (let n = 0; n < 300; n++)
			flood.push([...Array(10)].map((_, at) => event(`f${n}.${at}`, `f${n}`)));
		const quiet = names(100);
		const streams: Script["streams"] = { flood: [flood] };
		for (const name of quiet)
			streams[name] = [[[active("c")], [event(name, name)], "silence"]];
		const run = await runTail(
			{ streams },
			{ names: ["flood", ...quiet], count: 3_100 },
		);
		const order = run.items.flatMap((item) =>
			item.kind === "event" ? [item.subscription] : [],
		);
		const before = order.slice(0, order.lastIndexOf("s99"));
		expect(new Set(before).size).toBe(100);
		// A batch of the flood for each turn of all others, at most.
		expect(before.length).toBeLessThan(500);
	});

	it("one that is broken, and one that is silent, end or wait alone", async () => {
		const streams: Script["streams"] = {
			broken: [[fault("forbidden")]],
			silent: [["silence"]],
		};
		for (const name of names(100))
			streams[name] = [[[active("c")], [event(name, name)], "silence"]];
		const run = await runTail(
			{ streams },
			{ names: ["broken", "silent", ...names(100)], count: 100 },
		);
		expect(run.told.filter((text) => text.startsWith("event"))).toHaveLength(
			100,
		);
		expect(run.told).toContain("stopped undefined forbidden");
		expect(run.told.at(-1)).toMatch(/^stopped/);
	});

	it("some open their streams at once, and one that hangs gives way", async () => {
		const run = await runTail(
			{ streams: { "*": [] } },
			{ names: names(120), stopAtMs: 5_001 },
		);
		const at = run.session.asked.map((asked) => asked.at);
		expect(at.filter((ms) => ms === 0)).toHaveLength(50);
		expect(at.filter((ms) => ms <= 5_000)).toHaveLength(100);
	});

	it("all leave a server alone that is busy, whoever it told so", async () => {
		const busy = fault("rate-limited", {
			httpStatus: 429,
			retryAfterMs: 10_000,
		});
		const polls = [busy, ...Array(400).fill(answer("c", []))];
		const run = await runTail(
			{ polls },
			{ via: "poll", names: names(100), stopAtMs: 12_000 },
		);
		const at = run.session.asked.map((asked) => asked.at);
		expect(at.filter((ms) => ms < 10_000)).toHaveLength(50);
		const asked = new Set(run.session.asked.map(({ name }) => name));
		expect(asked.size).toBe(100);
	});

	it("none gives up a server that is busy and serves others", async () => {
		let turn = 0;
		const busy = fault("rate-limited", { httpStatus: 429 });
		const polls = Array.from({ length: 3_000 }, () =>
			++turn % 20 === 0 ? answer("c", []) : busy,
		);
		const run = await runTail(
			{ polls },
			{ via: "poll", names: names(60), stopAtMs: LONG_MS },
		);
		// Far more refusals of each than it would bear by itself.
		expect(run.session.asked.length).toBeGreaterThan(60 * 20);
		expect(run.told.join()).not.toContain("rate-limited");
	});

	it("all share the lists of the catalogue", async () => {
		const run = await runTail(
			{ streams: { "*": [] }, lists: [names(500).map((name) => ({ name }))] },
			{ names: names(500), listEveryMs: 60_000, stopAtMs: 185_000 },
		);
		expect(run.session.lists).toBe(4);
	});

	it("one whose events wait until those of others were shown is not taken for silent", async () => {
		const streams: Script["streams"] = {
			large: [
				[[active("c")], { bytes: 300_000, say: [event("l", "l")] }, "silence"],
			],
			held: [
				[[active("c")], { bytes: 300_000, say: [event("h", "h")] }, "silence"],
			],
		};
		const { tail, clock, session } = prepareTail(
			{ streams },
			{ names: ["large", "held"], count: 2, staleAfterMs: 60_000 },
		);
		const told: string[] = [];
		const takeSlowly = async () => {
			for await (const batch of tail) {
				told.push(...batch.map(tell));
				if (told.at(-1) === "event l")
					await clock.sleep(LONG_MS, new AbortController().signal);
			}
		};
		await clock.run(takeSlowly());
		expect(told.slice(0, 4)).toEqual([
			...["ready c", "ready c", "event l", "event h"],
		]);
		expect(session.asked).toHaveLength(2);
	});

	it("all end when told to, those too whose events wait to be read", async () => {
		const flood: Act = { bytes: 300_000, say: [event("e", "e")] };
		const run = await runTail(
			{
				streams: {
					"*": names(10).map(() => [[active("c")], flood, "silence"]),
				},
			},
			{ names: names(10), count: 1 },
		);
		expect(run.told.filter((text) => text.startsWith("stopped"))).toHaveLength(
			10,
		);
		expect(run.session.open).toBe(0);
	});
});
