import { describe, expect, it } from "vitest";
import { ComparedWindow } from "../../../src/grade/modes/window.ts";

const cite = {
	at: 0,
	direction: "received",
	via: "http",
	text: "",
	cutBytes: 0,
} as const;

function openWindow() {
	const clock = { now: 0 };
	const window = new ComparedWindow({
		modes: ["poll", "push"],
		windowMs: 1_000,
		settleMs: 5_000,
		now: () => clock.now,
	});
	const [poll, push] = window.logs;
	if (!poll || !push) throw new Error("two modes are followed");
	const bring = (log: typeof poll, ...ids: unknown[]) => {
		for (const eventId of ids)
			window.take(log, { event: { eventId }, at: clock.now, cite });
	};
	return { window, clock, poll, push, bring };
}

const ids = (count: number) =>
	Array.from({ length: count }, (_, at) => `e${at}`);

describe("a window", () => {
	it("is over when nothing came for as long as it lasts", () => {
		const { window, clock } = openWindow();
		clock.now = 999;
		expect(window.isOver()).toBe(false);
		clock.now = 1_000;
		expect(window.isOver()).toBe(true);
	});

	it("lasts anew from the first event on, and lets nothing in once it has closed", () => {
		const { window, clock, poll, push, bring } = openWindow();
		clock.now = 900;
		bring(poll, "e1");
		clock.now = 1_800;
		expect(window.isOver()).toBe(false);
		clock.now = 1_900;
		expect(window.isOver()).toBe(false);
		bring(poll, "late");
		bring(push, "e1");
		expect([...window.judged]).toEqual(["e1"]);
		expect(window.isOver()).toBe(true);
	});

	it("lasts no longer for a second event", () => {
		const { window, clock, poll, push, bring } = openWindow();
		bring(poll, "e1");
		clock.now = 900;
		bring(poll, "e2");
		bring(push, "e1", "e2");
		expect(window.isOver()).toBe(false);
		clock.now = 1_000;
		expect(window.isOver()).toBe(true);
	});

	it("waits no longer than it may for what a mode does not bring", () => {
		const { window, clock, poll, bring } = openWindow();
		bring(poll, ...ids(20));
		expect(window.isOver()).toBe(false);
		clock.now = 4_999;
		expect(window.isOver()).toBe(false);
		clock.now = 5_000;
		expect(window.isOver()).toBe(true);
	});

	it("is over where fewer than two modes go on", () => {
		const { window, push } = openWindow();
		push.lost = "its stream ended";
		expect(window.isOver()).toBe(true);
	});

	it("keeps a few of millions of events, and little of a long eventId", () => {
		const { window, poll, bring } = openWindow();
		bring(poll, "x".repeat(1_000_000), ...ids(10_000));
		expect(window.judged.size).toBe(50);
		expect([...window.judged].join("").length).toBeLessThan(1_000);
		expect(poll.sightings.size).toBe(50);
	});
});
