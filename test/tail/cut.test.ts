import { expect, it } from "vitest";
import { Count } from "../../src/tail/cut.ts";
import type { Batch } from "../../src/tail/follow.ts";
import type { Item } from "../../src/tail/index.ts";

const head = { subscription: "tick", via: "push", receivedAt: 0 } as const;
const beat: Item = { ...head, kind: "heartbeat", cursor: "c9" };
const event = (cursor: string): Item => ({
	...head,
	kind: "event",
	occurrence: {
		raw: Buffer.from("{}"),
		eventId: cursor,
		name: "tick",
		timestamp: "",
		cursor,
	},
});
const batch = (...items: Item[]): Batch => ({ items, cursor: "end" });

it("leaves batches alone as long as there is room", () => {
	const count = new Count(3);
	const whole = batch(event("c1"), beat, event("c2"));
	expect(count.cut(whole, "c0")).toBe(whole);
	expect([count.left, count.isReached]).toEqual([1, false]);
});

it("cuts after the last event that is wanted", () => {
	const count = new Count(1);
	expect(count.cut(batch(event("c1"), beat, event("c2")), "c0")).toEqual({
		items: [event("c1")],
		cursor: "c1",
	});
	expect(count.isReached).toBe(true);
});

it("keeps what follows the last event where no other event does", () => {
	const count = new Count(1);
	const whole = batch(event("c1"), beat);
	expect(count.cut(whole, "c0")).toEqual(whole);
	expect(count.isReached).toBe(true);
});

it("does not count what is no event", () => {
	const count = new Count(1);
	count.cut(batch(beat, beat), "c0");
	expect(count.left).toBe(1);
});

it("has no end without a limit, and is at its end with a limit of none", () => {
	expect(new Count(undefined)).toMatchObject({
		left: undefined,
		isReached: false,
	});
	expect(new Count(0).isReached).toBe(true);
});
