// What single checks of push say of streams that are made by hand: turns of events that no server of ours takes.
import { describe, expect, it } from "vitest";
import type { GradeContext } from "../../../src/grade/context.ts";
import type { Opening, PushGround } from "../../../src/grade/push/ground.ts";
import { historyChecks } from "../../../src/grade/push/history.ts";
import { limitChecks } from "../../../src/grade/push/limits.ts";
import { openingChecks } from "../../../src/grade/push/opening.ts";
import { refusalChecks } from "../../../src/grade/push/refusals.ts";
import type { Check } from "../../../src/grade/scenario.ts";
import type { Subject } from "../../../src/grade/traffic/subject.ts";
import { WAITS } from "../../../src/grade/waits.ts";
import { type Frame, frameOf } from "../../../src/grade/wire/frame.ts";
import { openScribe } from "../../../src/grade/wire/record.ts";
import type { GradeStream } from "../../../src/grade/wire/stream.ts";
import { controlsOf, subjectOf, wordOf } from "../delivery/by-hand.ts";

const scribe = openScribe({ now: () => 0, secrets: [], secretHeaders: [] });
const frame = (value: object, at = 0): Frame =>
	frameOf(
		{ jsonrpc: "2.0", ...value },
		at,
		scribe.note({ direction: "received", via: "http" }, "{}"),
	);
const ACTIVE = frame({
	method: "notifications/events/active",
	params: { cursor: "c", truncated: true },
});
const errorOf = (code: number) =>
	frame({ id: 1, error: { code, message: "no" } });
const EXHAUSTED = errorOf(-32025);

/** A stream on which these have come, and nothing more will. */
const streamOf = (...frames: Frame[]): GradeStream => ({
	...{ id: 1, method: "events/stream", openedAtMs: 0, record: [], frames },
	head: { status: 200, headers: {}, isEvents: true },
	counts: { frames: frames.length, bytes: 0, comments: 0 },
	end: undefined,
	waitFor: async (test, _waitMs, from = 0) => frames.slice(from).find(test),
	waitForEnd: async () => undefined,
	watch: async () => {},
	cancel: async () => {},
	async [Symbol.asyncDispose]() {},
});

interface Told {
	main?: GradeStream;
	opening?: Opening;
	/** Of the main stream. */
	subject?: Subject;
	/** What further streams turn out to be, in order. */
	streams?: GradeStream[];
	kind?: "http" | "stdio";
	subjects?: Subject[];
	context?: Partial<GradeContext>;
}

async function judge(
	checks: readonly Check<PushGround>[],
	row: string,
	{
		main = streamOf(ACTIVE),
		streams = [],
		kind = "http",
		subjects = [],
		...more
	}: Told,
): Promise<string> {
	let timeMs = 0;
	const wire: Partial<GradeContext["wire"]> = {
		kind,
		openStream() {
			const stream = streams.shift();
			if (!stream) throw new Error("no stream is left");
			return stream;
		},
	};
	const context: Partial<GradeContext> = {
		profile: "final",
		waits: WAITS,
		now: () => timeMs,
		async sleep(ms) {
			timeMs += ms;
		},
		wire: wire as GradeContext["wire"],
		subjects: {
			withMode: async () => subjects,
			withoutMode: async () => subjects[0],
			first: async () => subjectOf("a.b"),
		},
		options: {} as GradeContext["options"],
		controls: controlsOf({ quota: '{"name":"a.b","max":1}' }),
		...more.context,
	};
	const {
		opening = {
			kind: "active",
			frame: ACTIVE,
			cursor: "c",
			truncated: true,
		},
		subject = subjectOf("a.b"),
	} = more;
	const ground = { main, opening, subject, streams: [] };
	const check = checks.find(({ ids }) => ids.includes(row));
	const finding = (await check?.run(context as GradeContext, ground))?.[row];
	if (!finding) throw new Error(`no finding for ${row}`);
	return wordOf(finding);
}

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
