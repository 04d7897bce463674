import { expect, it } from "vitest";
import type { Item } from "../../src/tail/index.ts";
import { cursorAfter, Position } from "../../src/tail/position.ts";

const event = (via: "poll" | "push", cursor: string | undefined): Item => ({
	kind: "event",
	subscription: "tick",
	via,
	receivedAt: 0,
	occurrence: {
		raw: Buffer.from("{}"),
		eventId: "e",
		name: "tick",
		timestamp: "",
		cursor,
	},
});

it("begins where the user says, before the server has given a cursor", () => {
	expect(new Position("c0")).toEqual({ cursor: "c0", isServed: false });
});

it.each([
	["push: the last event's cursor", [event("push", "c1")], "c1"],
	[
		"push: an event without one is passed over",
		[event("push", "c1"), event("push", undefined)],
		"c1",
	],
	[
		"poll: the place before, whatever the events carry",
		[event("poll", "c1")],
		"c0",
	],
	["nothing: the place before", [], "c0"],
] as const)("goes on after %s", (_, items, expected) => {
	expect(cursorAfter(items, "c0")).toBe(expected);
});
