// Which events of two reads are the same, and what a server that has none or mixes them up is told: by one that is bent.
import { describe, expect, it } from "vitest";
import { again, type Bend, gradeBent, REFUSED } from "./bent-double.ts";

const right: Bend = () => undefined;

/** Bends each event of any answer; `isAgain` where it is read a second time. */
const each =
	(
		change: (
			event: object & { data: { n: number } },
			isAgain: boolean,
		) => object,
	): Bend =>
	({ params, events }, answer) => {
		const isAgain = params.cursor === "c0" && events.length === 5;
		return {
			...answer,
			events: answer.events.map((event: Parameters<typeof change>[0]) =>
				change(event, isAgain),
			),
		};
	};

const SAME = { timestamp: "2026-01-01T00:00:00Z", data: {} };
const renamed = each((event, isAgain) => ({
	...event,
	...(isAgain && { eventId: `again-${event.data.n}` }),
}));
const nameless = each((event) => ({ ...event, eventId: undefined }));
const alike = each((event) => ({ ...event, ...SAME }));
const alikeRenamed = each((event, isAgain) => ({
	...event,
	...SAME,
	...(isAgain && { eventId: `again-${event.data.n}` }),
}));
const oneId = each((event) => ({ ...event, eventId: "e" }));
const oneIdAlike = each((event) => ({ ...event, ...SAME, eventId: "e" }));
const others = each((event, isAgain) =>
	isAgain
		? { ...event, eventId: `x${event.data.n}`, data: { x: 1, n: event.data.n } }
		: event,
);

type Row = [string, Bend, RegExp];

describe("the id of an event that is read twice", () => {
	it.concurrent.each<Row>([
		["stays", right, /^SUCCESS .*5 events came with the same eventId/],
		["changes", renamed, /^FAILURE .*came as "?.*e0.*again-0/],
		["is none", nameless, /^UNTESTABLE .*no event has an eventId/],
		["stays with events that are alike", alike, /^SUCCESS .*5 events/],
		[
			"is not known of events that are alike",
			alikeRenamed,
			/^UNTESTABLE .*none of the events that came before/,
		],
		[
			"is not known where others come",
			others,
			/^UNTESTABLE .*none of the events that came before/,
		],
		[
			"cannot be read again",
			again(() => REFUSED),
			/^UNTESTABLE .*poll-stateless-request/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent("event-id-stable", bend)).toMatch(told);
	});
});

describe("one event, one id", () => {
	const ROW = "occurrence-event-id-from-upstream";
	it.concurrent.each<Row>([
		["is kept", right, /^SUCCESS .*5 events have ids of their own/],
		["is not, where all have one", oneId, /^WARNING .*two events that differ/],
		["is kept by one event that comes often", oneIdAlike, /^SUCCESS /],
		["is not known without ids", nameless, /^UNTESTABLE .*occurrence-event-id/],
		[
			"is not known where they change",
			renamed,
			/^UNTESTABLE .*event-id-stable/,
		],
		["is kept where nothing is read twice", again(() => REFUSED), /^SUCCESS /],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent(ROW, bend)).toMatch(told);
	});
});

describe("a poll", () => {
	it.concurrent.each<Row>([
		["is served twice", right, /^SUCCESS /],
		["is served but once from a cursor", again(() => REFUSED), /^FAILURE /],
		[
			"is never served",
			() => REFUSED,
			/^UNTESTABLE .*the first poll was answered with/,
		],
		[
			"has no cursor",
			(_asked, answer) => ({ ...answer, cursor: null }),
			/^UNTESTABLE .*a string as its cursor/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent("poll-stateless-request", bend)).toMatch(told);
	});

	it("that is refused for its arguments is told how to give others", async () => {
		const invalid = { error: { code: -32602, message: "no" } };
		const row = "poll-implemented";
		expect(await gradeBent(row, () => invalid)).toMatch(
			/^FAILURE .*--arguments/,
		);
		expect(await gradeBent(row, () => REFUSED)).not.toContain("--arguments");
	});
});

describe("a stretch that came in one batch", () => {
	/** Nothing comes before all of it has happened. */
	const inOne =
		(bend: Bend = right): Bend =>
		(asked, answer) => {
			const { cursor, maxEvents } = asked.params;
			if (cursor === "c0" && asked.events.length < 5)
				return { ...answer, events: [], cursor };
			return maxEvents === 1 ? bend(asked, answer) : undefined;
		};
	it.concurrent.each<Row>([
		[
			"is cut",
			inOne(),
			/^SUCCESS .*4 events came after the cursor of the 1 before/,
		],
		["cannot be cut", inOne(() => REFUSED), /^UNTESTABLE .*in one batch/],
		[
			"is cut in two",
			inOne(({ events }, answer) => ({
				...answer,
				events: events.slice(0, 2),
			})),
			/^UNTESTABLE .*in one batch/,
		],
		[
			"is cut without a cursor",
			inOne((_asked, answer) => ({ ...answer, cursor: null })),
			/^UNTESTABLE .*in one batch/,
		],
		[
			"is cut and comes again",
			inOne((_asked, answer) => ({ ...answer, cursor: "c0" })),
			/^FAILURE .*e0.*comes again/,
		],
	])("%s", async (_what, bend, told) => {
		const few = { occurrenceMs: 700 };
		expect(await gradeBent("resume-exactly-once", bend, few)).toMatch(told);
	});
});

describe("events without an id", () => {
	it.concurrent.each<Row>([
		["are told apart by what they tell", nameless, /^SUCCESS .*each once/],
		[
			"are not told apart where they tell the same",
			each((event) => ({ ...event, ...SAME, eventId: undefined })),
			/^UNTESTABLE .*neither eventId nor content/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent("resume-exactly-once", bend)).toMatch(told);
	});
});

describe("what stands in the way of a row", () => {
	const cursorless: Bend = (_asked, answer) => ({ ...answer, cursor: null });
	it.concurrent.each<[string, string, Bend, RegExp]>([
		[
			"no poll is served",
			"event-id-stable",
			() => REFUSED,
			/^UNTESTABLE .*the first poll was answered with/,
		],
		[
			"there is no cursor",
			"event-id-stable",
			cursorless,
			/^UNTESTABLE .*the cursor of the first poll is null/,
		],
		[
			"no poll is served",
			"cursor-unservable-is-gap",
			() => REFUSED,
			/^UNTESTABLE .*the first poll was answered with/,
		],
		[
			"there is no cursor",
			"cursor-unservable-is-gap",
			cursorless,
			/^(?!.*the first poll was answered with)/,
		],
		[
			"nothing is served twice",
			"replay-ceiling-sets-truncated",
			again(() => REFUSED),
			/^UNTESTABLE .*poll-stateless-request/,
		],
	])("%s: %s", async (_what, row, bend, told) => {
		expect(await gradeBent(row, bend)).toMatch(told);
	});
});
