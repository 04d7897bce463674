import { describe, expect, it } from "vitest";
import { openByPush } from "../../../src/grade/modes/by-push.ts";
import type { Frame } from "../../../src/grade/wire/frame.ts";
import type { GradeStream } from "../../../src/grade/wire/stream.ts";
import { errorOf, frame, streamOf } from "../push/by-hand.ts";
import { openingOf, windowOf } from "./by-hand.ts";
import { occurrence } from "./modes-server.ts";

const said = (name: string, params: object) =>
	frame({ method: `notifications/events/${name}`, params });
const active = (truncated = false, cursor: unknown = "c1") =>
	said("active", { cursor, truncated });
const event = (id: string, more: object = {}) =>
	said("event", { ...occurrence(id), ...more });
const GONE = said("terminated", {});
const ended = (...frames: Frame[]): GradeStream => ({
	...streamOf(...frames),
	end: { kind: "ended", told: "it ended", at: 0 },
});

/** Opens it by these streams, and looks at what came on them so many times. */
async function follow(
	streams: readonly GradeStream[],
	{ cursor = null, looks = 1 }: { cursor?: string | null; looks?: number } = {},
) {
	const { opening, asked } = openingOf({ streams, cursor });
	const opened = await openByPush(opening);
	const { window, log } = windowOf("push", opening);
	const way = opened.kind === "open" ? opened.way : undefined;
	for (let look = 0; look < looks; look++) way?.look(window, log);
	return { way, log, cursors: asked.map((params) => params.cursor) };
}

describe("a stream from another mode's position", () => {
	it.each([
		["stands from there", "p", active(), true],
		["skips what was between", "p", active(true), false],
		["is not confirmed", "p", event("e1"), false],
		["begins now, for there is none", null, active(), false],
	])("%s", async (_what, cursor, first, isFromPosition) => {
		const { way } = await follow([streamOf(first)], { cursor });
		expect(way?.isFromPosition).toBe(isFromPosition);
	});

	it("that is refused is opened from now on", async () => {
		const streams = [streamOf(errorOf(-32602)), streamOf(active())];
		const { way, cursors } = await follow(streams, { cursor: "p" });
		expect(cursors).toEqual(["p", null]);
		expect(way).toMatchObject({ isFromPosition: false, cursor: "c1" });
	});

	it("that is refused from now on is left out", async () => {
		const { way, cursors } = await follow([streamOf(errorOf(-32602))]);
		expect(way).toBeUndefined();
		expect(cursors).toEqual([null]);
	});

	it("that tells no cursor goes on from the one it was given", async () => {
		const streams = [streamOf(active(false, null))];
		const { way } = await follow(streams, { cursor: "p" });
		expect(way?.cursor).toBe("p");
	});
});

describe("a gap is told of", () => {
	it.each([
		["not by the first confirmation", [streamOf(active(true))], false],
		["by a later one", [streamOf(active(), active(true))], true],
		["not by one that skips nothing", [streamOf(active(), active())], false],
		[
			"not by an event",
			[streamOf(active(), event("e1", { truncated: true }))],
			false,
		],
		[
			"by the first of a later stream",
			[ended(active()), streamOf(active(true))],
			true,
		],
	])("%s", async (_what, streams, hasGap) => {
		const { log } = await follow(streams, { looks: 2 });
		expect(log.hasGap).toBe(hasGap);
	});
});

describe("a stream that is followed", () => {
	it.each([
		["is terminated", GONE, "the server ended the subscription"],
		["is refused", errorOf(-32603), "its stream was refused"],
	])("and %s brings no more", async (_what, last, why) => {
		const stream = ended(active(), event("e1"), last, event("e2"));
		const { log, cursors } = await follow([stream], { looks: 2 });
		expect(log.lost).toBe(why);
		expect([...log.sightings.keys()]).toEqual(["e1"]);
		expect(cursors).toEqual([null]);
	});

	it("goes on as long as it stands", async () => {
		const stream = streamOf(active(), event("e1"));
		const { log, cursors } = await follow([stream], { looks: 3 });
		expect(log).toMatchObject({ lost: undefined, repeats: 0 });
		expect(cursors).toEqual([null]);
	});

	it("is opened again where it was cut, four times", async () => {
		const streams = [1, 2, 3, 4, 5].map((n) =>
			ended(active(), event(`e${n}`, { cursor: `c${n}` })),
		);
		const { log, cursors } = await follow(streams, { looks: 6 });
		expect(cursors).toEqual([null, "c1", "c2", "c3", "c4"]);
		expect(log.lost).toBe("its stream ended: it ended");
		expect(log.sightings.size).toBe(5);
	});

	it("is not opened again where it told no position", async () => {
		const { log, cursors } = await follow([ended(active(false, null))]);
		expect(log.lost).toBe("its stream ended: it ended");
		expect(cursors).toEqual([null]);
	});

	it.each([
		["than is kept", { counts: { frames: 9, bytes: 0, comments: 0 } }],
		["than is read", { end: { kind: "overrun", told: "", at: 0 } as const }],
	])("that brings more %s is lost", async (_what, more) => {
		const stream = { ...streamOf(active(), event("e1")), ...more };
		const { log } = await follow([stream]);
		expect(log.lost).toBe("it brought more than the 2 messages that are kept");
	});
});
