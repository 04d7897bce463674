import { expect, it } from "vitest";
import type { StreamFrame } from "../../src/session/index.ts";
import type { Connection, Course } from "../../src/tail/connection.ts";
import type { Follow } from "../../src/tail/follow.ts";
import { Position } from "../../src/tail/position.ts";
import { readFrames } from "../../src/tail/read-frames.ts";
import { Reading } from "../../src/tail/reading.ts";
import { RETRY_DEFAULTS } from "../../src/tail/retry.ts";
import { Seen } from "../../src/tail/seen.ts";
import { Turns } from "../../src/tail/turns.ts";
import { tell } from "./run-tail.ts";

/** A stream that was opened with `cursor`. */
function standingAt(cursor?: string) {
	const follow: Follow = {
		subscription: { label: "tick", name: "tick", arguments: {} },
		via: "push",
		memory: undefined,
		life: { signAt: undefined, eventAt: undefined, silentSince: undefined },
		modes: ["push"],
		isFree: false,
		canReceive: false,
		canLeave: false,
		probeAt: undefined,
		downAs: undefined,
		intervalCeilingMs: Number.POSITIVE_INFINITY,
		maxPages: Number.POSITIVE_INFINITY,
		giveUpAfterMs: Number.POSITIVE_INFINITY,
		wasReady: false,
		isUnanchored: false,
		position: new Position(cursor),
		seen: new Seen(10_000),
		odd: () => {},
		maxAgeMs: undefined,
		maxEvents: undefined,
		intervalFloorMs: 0,
		staleAfterMs: 0,
		once: false,
		heartbeats: true,
		retry: RETRY_DEFAULTS,
		reading: new Reading(),
		turns: new Turns({ now: () => 0, sleep: async () => {} }),
		wanted: () => undefined,
	};
	const connection: Connection = {
		asked: cursor,
		openedAt: 0,
		hasHeard: false,
		isActive: false,
		hasMoved: false,
		isAfterBreak: false,
	};
	const course: Course = {
		hasHeard: false,
		hasWorked: false,
		failures: 0,
		broken: 0,
		deaths: 0,
		isProbe: false,
		rejected: undefined,
	};
	let reads = 0;
	const pieces = {
		now: () => ++reads,
		sleep: async () => {},
		random: () => 0,
		signal: new AbortController().signal,
		note: () => {},
		warn: () => {},
	};
	return { follow, connection, course, pieces };
}

const active = (cursor?: string): StreamFrame => ({
	kind: "active",
	cursor,
	truncated: false,
});
const event = (eventId: string, cursor?: string): StreamFrame => ({
	kind: "event",
	occurrence: {
		raw: Buffer.from("{}"),
		eventId,
		name: "tick",
		timestamp: "",
		cursor,
	},
});
const error = { name: "NotFound", code: -32023, message: "" };

it("leads to the last cursor of the batch, from wherever it came", () => {
	const beat: StreamFrame = { kind: "heartbeat", cursor: "c3" };
	const frames = [active("c1"), event("e", "c2"), beat, event("f")];
	const reading = readFrames(frames, standingAt("c0"));
	expect(reading.cursor).toBe("c3");
	expect(reading.items.map(tell)).toEqual([
		"ready c1",
		"event e",
		"heartbeat c3",
		"event f",
	]);
});

it("leads to the last event that has a cursor, however many follow without one", () => {
	const row = [event("a", "c1"), event("b", "c2"), event("c"), event("d")];
	const frames = [active("c0"), event("_", "c0.5"), ...row];
	expect(readFrames(frames, standingAt("c0")).cursor).toBe("c2");
});

it("moves over repeated events, and does not yield them", () => {
	const frames = [active(), event("e", "c1"), event("e", "c2")];
	const reading = readFrames(frames, standingAt());
	expect(reading.items.map(tell)).toEqual(["ready undefined", "event e"]);
	expect(reading.cursor).toBe("c2");
});

it("reads nothing after the frame that ends the stream", () => {
	const end: StreamFrame = { kind: "terminated", error };
	const reading = readFrames(
		[active("c1"), end, event("e", "c2")],
		standingAt(),
	);
	expect(reading.items.map(tell)).toEqual(["ready c1", "terminated NotFound"]);
	expect(reading).toMatchObject({ cursor: "c1", ending: { error } });
});

it("looks at the clock once for a batch", () => {
	const frames = [...Array(20)].map((_, n) => event(`e${n}`));
	const { items } = readFrames(frames, standingAt());
	expect(new Set(items.map((item) => item.receivedAt)).size).toBe(1);
});

it.each([
	["an event with a cursor", "c0", [event("e", "c1")], true],
	[
		"a heartbeat with a new cursor",
		"c0",
		[{ kind: "heartbeat", cursor: "c1" }],
		true,
	],
	[
		"a heartbeat with the old cursor",
		"c0",
		[{ kind: "heartbeat", cursor: "c0" }],
		false,
	],
	["active alone", "c0", [active("c1")], false],
	["a new event of a type without cursors", undefined, [event("e")], true],
	["a recoverable error", "c0", [{ kind: "error", error }], false],
] as [string, string | undefined, StreamFrame[], boolean][])(
	"knows whether %s is progress",
	(_, cursor, frames, expected) => {
		const standing = standingAt(cursor);
		readFrames(frames, standing);
		expect(standing.connection.hasMoved).toBe(expected);
	},
);
