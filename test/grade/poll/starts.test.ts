// What a poll that starts from now is judged to be: by a server that is bent for it.
import { describe, expect, it } from "vitest";
import { type Bend, gradeBent, REFUSED } from "./bent-double.ts";

const right: Bend = () => undefined;
/** Which of the polls that start from now is meant: the first of all is the one that the scenario begins with. */
const FIRST = 1;
const START = 2;
const ABSENT = 3;
const AGED = 4;

const isStart = ({ cursor }: { cursor?: unknown }) => !cursor;

/** Bends polls that start from now. */
const at =
	(which: number[], bend: Bend): Bend =>
	(asked, answer) =>
		isStart(asked.params) && which.includes(asked.nth)
			? bend(asked, answer)
			: undefined;
const refused: Bend = () => REFUSED;
const past: Bend = ({ events }, answer) => ({ ...answer, events: [...events] });
const truncated: Bend = (_asked, answer) => ({ ...answer, truncated: true });
const nowhere: Bend = (_asked, answer) => ({ ...answer, cursor: null });
const behind: Bend = (_asked, answer) => ({ ...answer, cursor: "c2" });

type Row = [string, Bend, RegExp];

describe("a null cursor", () => {
	it.concurrent.each<Row>([
		["starts from now", right, /^SUCCESS .*5 events had happened/],
		[
			"brings what was before",
			at([START], past),
			/^FAILURE .*brings 5 events from before/,
		],
		[
			"has a cursor that lies in the past",
			at([START], behind),
			/^FAILURE .*lies in the past: it brings .*e2/,
		],
		["has no cursor", at([START], nowhere), /^UNTESTABLE .*no position/],
		[
			"is refused",
			at([START], refused),
			/^UNTESTABLE .*events\/poll with a null cursor/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent("cursor-null-starts-from-now", bend)).toMatch(told);
	});

	it("is not judged where nothing ever happens", async () => {
		const silent: Bend = (_asked, answer) => ({ ...answer, events: [] });
		const found = await gradeBent("cursor-null-starts-from-now", silent, {
			occurrenceMs: 200,
		});
		expect(found).toMatch(/^UNTESTABLE .*an event of a poll type/);
	});

	it("is not judged where no poll is served", async () => {
		const found = await gradeBent("cursor-null-starts-from-now", refused);
		expect(found).toMatch(/^UNTESTABLE .*the first poll was answered with/);
	});
});

describe("a poll without a cursor", () => {
	it.concurrent.each<Row>([
		["is one with null", right, /^SUCCESS /],
		["is refused", at([ABSENT], refused), /^FAILURE .*answered with error/],
		["is refused as null is", at([START, ABSENT], refused), /^UNTESTABLE /],
		["is served where null is not", at([START], refused), /^SUCCESS /],
		[
			"brings what was before",
			at([ABSENT], past),
			/^FAILURE .*brings 5 events/,
		],
		["brings what null brings", at([START, ABSENT], past), /^SUCCESS /],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent("cursor-absent-equals-null", bend)).toMatch(told);
	});
});

describe("maxAgeMs beside a null cursor", () => {
	const ROW = "max-age-ms-ignored-when-cursor-null";
	it.concurrent.each<Row>([
		["changes nothing", right, /^SUCCESS .*5 events had happened/],
		["is refused", at([AGED], refused), /^FAILURE .*answered with error/],
		["is refused as null is", at([START, AGED], refused), /^UNTESTABLE /],
		["is served where null is not", at([START], refused), /^UNTESTABLE /],
		["brings what was before", at([AGED], past), /^FAILURE .*from before/],
		["brings what null brings", at([START, AGED], past), /^UNTESTABLE /],
		["is truncated", at([AGED], truncated), /^FAILURE .*truncated/],
		["is truncated as null is", at([START, AGED], truncated), /^SUCCESS /],
		["is not truncated where null is", at([START], truncated), /^SUCCESS /],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent(ROW, bend)).toMatch(told);
	});
});

describe("the cursor of polls that start from now", () => {
	it.concurrent.each<Row>([
		["is always there", right, /^SUCCESS .*a string in each of 4 answers/],
		[
			"is never there",
			at([FIRST, START, ABSENT, AGED], nowhere),
			/^SUCCESS .*null in each of 4 answers/,
		],
		["is missing once", at([ABSENT], nowhere), /^WARNING /],
		[
			"is missing where it is truncated",
			at([ABSENT], (_asked, answer) => ({
				...answer,
				cursor: null,
				truncated: true,
			})),
			/^SUCCESS .*each of 3 answers/,
		],
		[
			"is seen but once",
			at([START, ABSENT, AGED], refused),
			/^UNTESTABLE .*1 of them/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent("cursor-consistency", bend)).toMatch(told);
	});
});

describe("the cursor of a poll that finds nothing new", () => {
	const whenQuiet =
		(bend: Bend): Bend =>
		(asked, answer) =>
			!isStart(asked.params) && answer.events.length === 0
				? bend(asked, answer)
				: undefined;
	const busy: Bend = ({ events }, answer) => ({
		...answer,
		events: [events.at(-1)],
	});
	it.concurrent.each<Row>([
		["is there", right, /^SUCCESS .*in each of \d+ answers/],
		["is not there", whenQuiet(nowhere), /^FAILURE .*the answer has no cursor/],
		[
			"is not known where something always happens",
			whenQuiet(busy),
			/^UNTESTABLE .*found something new/,
		],
		[
			"is not known where there was never one",
			at([FIRST], nowhere),
			/^UNTESTABLE .*whose cursor is a string/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent("cursor-advances-when-quiet", bend)).toMatch(told);
	});
});
