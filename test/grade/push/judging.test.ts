// What single checks of push say of streams that are made by hand: turns of events that no server of ours takes.
import { describe, expect, it } from "vitest";
import type { Opening } from "../../../src/grade/push/ground.ts";
import { historyChecks } from "../../../src/grade/push/history.ts";
import { limitChecks } from "../../../src/grade/push/limits.ts";
import { openingChecks } from "../../../src/grade/push/opening.ts";
import { refusalChecks } from "../../../src/grade/push/refusals.ts";
import type { Frame } from "../../../src/grade/wire/frame.ts";
import type { GradeStream } from "../../../src/grade/wire/stream.ts";
import { subjectOf } from "../delivery/by-hand.ts";
import {
	ACTIVE,
	errorOf,
	findingOf,
	frame,
	judge,
	lateStreamOf,
	streamOf,
} from "./by-hand.ts";

const EXHAUSTED = errorOf(-32025);

describe("the place of a stream that was cancelled", () => {
	const open = () => streamOf(ACTIVE);
	const full = () => streamOf(EXHAUSTED);
	const many = (count: number) => Array.from({ length: count }, full);

	it.each<[string, GradeStream[], string]>([
		["is free at once", [open(), full(), open()], "holds"],
		[
			"is free a little later",
			[open(), full(), full(), full(), open()],
			"holds",
		],
		["is not free in time", [open(), ...many(9), open()], "broken"],
	])("%s", async (_about, streams, word) => {
		const subjects = [subjectOf("a.b", ["push"])];
		const row = "stream-cancel-stops-delivery";
		expect(await judge(limitChecks, row, { streams, subjects })).toBe(word);
	});
});

describe("several streams of one type", () => {
	it("stand together, the first of the further ones with a number for its id", async () => {
		const streams = [streamOf(ACTIVE), streamOf(ACTIVE)];
		const row = "stream-exempt-from-concurrency-cap";
		expect(await findingOf(limitChecks, row, { streams })).toMatchObject({
			kind: "holds",
			cites: [{ id: 1 }, { id: 7_000_001 }, { id: 1 }],
		});
	});
});

describe("one stream too many", () => {
	const refusedBy = (code: number, data?: unknown) =>
		streamOf(frame({ id: 1, error: { code, message: "no", data } }));
	const row = "error-resource-exhausted";

	it.each([
		["by a limit with a name", refusedBy(-32025, { limit: "x" }), "holds"],
		["by a limit without one", refusedBy(-32025), "WARNING"],
		["by an empty name", refusedBy(-32025, { limit: "" }), "WARNING"],
		["by a number", refusedBy(-32025, { limit: 1 }), "WARNING"],
		["by another error", refusedBy(-32602, { limit: "x" }), "broken"],
		["by silence", streamOf(), "untestable feature"],
		[
			"by a result",
			streamOf(frame({ id: 1, result: {} })),
			"untestable feature",
		],
	])("is refused %s", async (_about, refused, word) => {
		const subjects = [subjectOf("a.b", ["push"])];
		const streams = [streamOf(ACTIVE), refused, streamOf(ACTIVE)];
		expect(await judge(limitChecks, row, { streams, subjects })).toBe(word);
	});
});

describe("a type without push is refused", () => {
	const demanding = subjectOf("a.b", ["poll"]);
	demanding.type.inputSchema = { type: "object", required: ["room"] };

	it.each([
		["as it should be", demanding, -32026, "holds"],
		["for arguments that are wrong", demanding, -32602, "untestable flag"],
		[
			"for arguments that are right",
			subjectOf("a.b", ["poll"]),
			-32602,
			"broken",
		],
		["for another reason", demanding, -32023, "broken"],
	])("%s", async (_about, subject, code, word) => {
		const streams = [streamOf(errorOf(code))];
		const row = "stream-mode-unsupported";
		expect(
			await judge(refusalChecks, row, { streams, subjects: [subject] }),
		).toBe(word);
	});
});

describe("a refusal", () => {
	const UNKNOWN = errorOf(-32023);
	const NOTICE = frame({ method: "notifications/message", params: {} });

	it.each([
		["at once", streamOf(UNKNOWN), "holds"],
		["behind a notice", streamOf(NOTICE, UNKNOWN), "holds"],
		["later than it should come", lateStreamOf(2_000, UNKNOWN), "broken"],
	])("of an unknown event comes %s", async (_when, stream, word) => {
		const row = "stream-error-before-open";
		const context = { unique: () => "unique" };
		expect(
			await judge(refusalChecks, row, { streams: [stream], context }),
		).toBe(word);
	});

	it("is waited for where its time is no matter", async () => {
		const streams = [lateStreamOf(2_000, errorOf(-32026))];
		const row = "stream-mode-unsupported";
		const subjects = [subjectOf("a.b", ["poll"])];
		expect(await judge(refusalChecks, row, { streams, subjects })).toBe(
			"holds",
		);
	});
});

describe("a stream on a pipe", () => {
	it.each([
		["stands by what comes on it", "stdio", streamOf(ACTIVE), "holds"],
		[
			"is not seen before something comes",
			"stdio",
			streamOf(),
			"untestable answer",
		],
		["is seen by its head elsewhere", "http", streamOf(), "holds"],
	] as const)("%s", async (_about, kind, main, word) => {
		expect(
			await judge(openingChecks, "stream-implemented", { kind, main }),
		).toBe(word);
	});
});

describe("events that are limited by their age", () => {
	const event = (
		n: number,
		at: number,
		timestamp: unknown = new Date(at).toISOString(),
	) =>
		frame(
			{
				method: "notifications/events/event",
				params: { eventId: `e${n}`, cursor: `c${n}`, data: { n }, timestamp },
			},
			at,
		);
	const main = streamOf(ACTIVE, event(1, 0), event(2, 10), event(3, 4_000));
	/** What a stream behind event 1 brings. */
	const limit = (...events: Frame[]) =>
		judge(historyChecks, "stream-max-age-ms", {
			main,
			streams: [streamOf(ACTIVE, ...events)],
		});

	it.each<[string, Frame[], string]>([
		["are passed over", [], "holds"],
		["come where they are young", [event(3, 4_000)], "holds"],
		["come though they are old", [event(2, 10)], "broken"],
		[
			"come dated anew",
			[event(2, 10, new Date(9_000).toISOString())],
			"untestable traffic",
		],
		["come without a date", [event(2, 10, 9_000)], "broken"],
	])("%s", async (_about, events, word) => {
		expect(await limit(...events)).toBe(word);
	});
});

describe("a stream that is not confirmed", () => {
	const opening: Opening = { kind: "silent", told: "silence" };
	it.each([
		["has a head", streamOf(), "broken"],
		[
			"is not heard of",
			{ ...streamOf(), head: undefined },
			"untestable answer",
		],
	])("%s", async (_about, main, word) => {
		const row = "stream-active-confirmation";
		expect(await judge(openingChecks, row, { main, opening })).toBe(word);
	});
});

describe("a schema that cannot be used", () => {
	const broken = { type: 7 };

	it("is not held against an event", async () => {
		const subject = subjectOf("a.b");
		subject.type.payloadSchema = broken;
		const event = frame({
			method: "notifications/events/event",
			params: {
				...{ eventId: "e", name: "a.b", data: {} },
				timestamp: "2026-10-01T12:00:00Z",
			},
		});
		const told = { main: streamOf(ACTIVE, event), subject };
		const row = "stream-event-notification";
		expect(await judge(openingChecks, row, told)).toBe("holds");
	});

	it("is no schema that arguments fit", async () => {
		const subject = subjectOf("a.b", ["poll"]);
		subject.type.inputSchema = broken;
		const streams = [streamOf(errorOf(-32602))];
		const row = "stream-mode-unsupported";
		expect(
			await judge(refusalChecks, row, { streams, subjects: [subject] }),
		).toBe("untestable flag");
	});
});
