// What maxAgeMs beside a cursor does, by a server that is bent for it: first comes a wide age, then a narrow one.
import { describe, expect, it } from "vitest";
import { type Bend, gradeBent, REFUSED } from "./bent-double.ts";

/** Long against one poll, so that a busy machine still knows which events are young. */
const STEPS = { stepMs: 120 };

const WIDE = 1;
const NARROW = 2;

/** Bends polls with a cursor and maxAgeMs. */
const at =
	(which: number, bend: Bend): Bend =>
	(asked, answer) =>
		asked.params.cursor && asked.params.maxAgeMs && asked.nth === which
			? bend(asked, answer)
			: undefined;
/** Bends polls that read again what was read, without an age. */
const plain =
	(bend: Bend): Bend =>
	(asked, answer) =>
		asked.params.cursor === "c0" &&
		!asked.params.maxAgeMs &&
		answer.events.length > 2
			? bend(asked, answer)
			: undefined;
const both =
	(...bends: Bend[]): Bend =>
	(asked, answer) =>
		bends.map((bend) => bend(asked, answer)).find(Boolean);

const right: Bend = () => undefined;
const refused: Bend = () => REFUSED;
const all: Bend = ({ events }, answer) => ({ ...answer, events: [...events] });
const none: Bend = (_asked, answer) => ({ ...answer, events: [] });
const more =
	(bend: Bend): Bend =>
	(asked, answer) => ({ ...bend(asked, answer), hasMore: true });
const withoutLast: Bend = (_asked, answer) => ({
	...answer,
	events: answer.events.slice(0, -1),
});
const untold: Bend = (_asked, answer) => ({ ...answer, truncated: false });
const datedAnew: Bend = ({ events }, answer) => ({
	...answer,
	events: events.map((event) => ({
		...event,
		timestamp: new Date().toISOString(),
	})),
});
/** Dates everything far ahead from the first on. */
const ahead: Bend = (_asked, answer) => ({
	...answer,
	events: answer.events.map((event: object) => ({
		...event,
		timestamp: "2999-01-01T00:00:00Z",
	})),
});

type Row = [string, Bend, RegExp];

describe("an age that events may have", () => {
	it.concurrent.each<Row>([
		[
			"leaves out what is older",
			right,
			/^SUCCESS .*leaves out [1-4] older events and keeps [1-4] younger ones/,
		],
		[
			"is refused where it is wide",
			at(WIDE, refused),
			/^FAILURE .*is answered with error/,
		],
		[
			"leaves out what is far younger",
			at(WIDE, withoutLast),
			/^FAILURE .*e4.*far younger/,
		],
		[
			"brings the rest in another batch",
			at(WIDE, more(withoutLast)),
			/^SUCCESS /,
		],
		[
			"is refused where it is narrow",
			at(NARROW, refused),
			/^UNTESTABLE .*truncated-poll-never-an-error/,
		],
		[
			"leaves nothing out",
			at(NARROW, all),
			/^FAILURE .*is older than maxAgeMs .*and comes/,
		],
		[
			"dates what it brings anew",
			at(NARROW, datedAnew),
			/^UNTESTABLE .*dated anew/,
		],
		[
			"leaves out what is younger",
			at(NARROW, withoutLast),
			/^FAILURE .*e4.*is younger than/,
		],
		[
			"brings the younger in another batch",
			at(NARROW, more(withoutLast)),
			/^SUCCESS /,
		],
		[
			"brings nothing yet",
			at(NARROW, more(none)),
			/^UNTESTABLE .*none and hasMore/,
		],
		[
			"is of events of the future",
			ahead,
			/^UNTESTABLE .*by their timestamps none/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent("max-age-ms-floor", bend, STEPS)).toMatch(told);
	});
});

describe("truncated beside an age", () => {
	it.concurrent.each<Row>([
		["tells of what was left out", right, /^SUCCESS .*skips [1-4] events/],
		["tells nothing", at(NARROW, untold), /^WARNING .*truncated is false/],
		[
			"comes with an error",
			at(NARROW, refused),
			/^UNTESTABLE .*truncated-poll-never-an-error/,
		],
		[
			"has nothing to tell",
			at(NARROW, all),
			/^UNTESTABLE .*max-age-ms-floor tells of it/,
		],
		[
			"has nothing to tell yet",
			at(NARROW, more(none)),
			/^UNTESTABLE .*none and hasMore/,
		],
		[
			"has no event that is old",
			ahead,
			/^UNTESTABLE .*by their timestamps none/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent("max-age-ms-sets-truncated", bend, STEPS)).toMatch(
			told,
		);
	});
});

describe("events that went meanwhile", () => {
	/** The last event is gone for every read after the wide one. */
	const gone = (): Bend => {
		let isGone = false;
		return both(
			at(WIDE, (asked, answer) => {
				isGone = true;
				return withoutLast(asked, answer);
			}),
			at(NARROW, withoutLast),
			plain((asked, answer) =>
				isGone ? withoutLast(asked, answer) : undefined,
			),
		);
	};
	it("are held against no age", async () => {
		expect(await gradeBent("max-age-ms-floor", gone(), STEPS)).toMatch(
			/^SUCCESS /,
		);
	});
});

describe("an age that passes the cursor", () => {
	const ROW = "truncated-poll-never-an-error";
	const also = ["max-age-ms-floor", "max-age-ms-ignored-when-cursor-null"];
	const atStart: Bend = ({ params }) =>
		params.maxAgeMs && !params.cursor ? REFUSED : undefined;
	it.concurrent.each<Row>([
		["is told by truncated", right, /^SUCCESS .*1 gaps were told/],
		["is refused", at(NARROW, refused), /^FAILURE .*which passes the cursor/],
		[
			"is refused like any age",
			both(at(WIDE, refused), at(NARROW, refused)),
			/^UNTESTABLE /,
		],
		[
			"is not meant where there is no cursor",
			atStart,
			/^SUCCESS .*1 gaps were told/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent(ROW, bend, { ...STEPS, also })).toMatch(told);
	});
});
