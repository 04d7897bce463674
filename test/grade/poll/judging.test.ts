// What single checks of poll say of turns of events that no server of ours takes: polls are answered from memory.
import { describe, expect, it } from "vitest";
import type { GradeContext } from "../../../src/grade/context.ts";
import { batchChecks } from "../../../src/grade/poll/batches.ts";
import { endingChecks } from "../../../src/grade/poll/endings.ts";
import { maxAgeChecks } from "../../../src/grade/poll/max-age.ts";
import { occurrenceChecks } from "../../../src/grade/poll/occurrences.ts";
import { refusalChecks } from "../../../src/grade/poll/refusals.ts";
import { resumingChecks } from "../../../src/grade/poll/resuming.ts";
import { truncationChecks } from "../../../src/grade/poll/truncation.ts";
import { upstreamIdChecks } from "../../../src/grade/poll/upstream-ids.ts";
import type { Frame } from "../../../src/grade/wire/frame.ts";
import type { GradeStream } from "../../../src/grade/wire/stream.ts";
import { controlsOf, frameAt, subjectOf } from "../delivery/by-hand.ts";
import { ACTIVE, streamOf } from "../push/by-hand.ts";
import { again, type Bend, REFUSED } from "./bent-double.ts";
import { findingOf, POLL_TYPE, prepare, type Told, tell } from "./by-hand.ts";

const right: Bend = () => undefined;
const INVALID = { error: { code: -32602, message: "no" } };

const judge = async (
	checks: Parameters<typeof findingOf>[0],
	row: string,
	told: Told,
) => tell(await findingOf(checks, row, await prepare(told)));

/** Bends polls for one event that begin at a cursor. */
const cutAt =
	(cursor: string, bend: Bend): Bend =>
	(asked, answer) =>
		asked.params.maxEvents === 1 && asked.params.cursor === cursor
			? bend(asked, answer)
			: undefined;

describe("a batch of one event", () => {
	const empty = (more: object): Bend =>
		cutAt("c0", (_asked, answer) => ({ ...answer, events: [], ...more }));

	it.each<[string, Bend, RegExp]>([
		["is brought", right, /^holds maxEvents 1 brings 1 event of 5/],
		[
			"comes after one that is empty",
			(asked, answer) =>
				empty({ cursor: "d0", hasMore: true })(asked, answer) ??
				(asked.params.cursor === "d0"
					? {
							...answer,
							events: asked.events.slice(0, 1),
							cursor: "c1",
							hasMore: true,
						}
					: undefined),
			/^holds maxEvents 1 brings 1 event of 5/,
		],
		[
			"is empty and the last",
			empty({ hasMore: false }),
			/^broken .*brings 0 events/,
		],
		[
			"is empty and leads nowhere",
			empty({ cursor: null, hasMore: true }),
			/^broken .*brings 0 events/,
		],
		[
			"tells in a text that there is more",
			cutAt("c0", (_asked, answer) => ({ ...answer, hasMore: "yes" })),
			/^untestable hasMore is no boolean/,
		],
		[
			"does not tell that there is more",
			cutAt("c0", (_asked, answer) => ({ ...answer, hasMore: undefined })),
			/^broken .*hasMore is/,
		],
	])("%s", async (_about, bend, told) => {
		expect(await judge(batchChecks, "poll-max-events-cap", { bend })).toMatch(
			told,
		);
	});
});

describe("a cursor in the middle", () => {
	/** The third read from c1: the first two follow the type and read it again. */
	const atThird = (bend: Bend): Bend => {
		let reads = 0;
		return (asked, answer) =>
			asked.params.cursor === "c1" && ++reads === 2
				? bend(asked, answer)
				: undefined;
	};
	const row = "resume-exactly-once";

	it("leads to what came after it", async () => {
		expect(await judge(resumingChecks, row, { bend: right })).toMatch(
			/^holds 4 events came after the cursor of the 1 before/,
		);
	});

	it("leads past an event", async () => {
		const bend = atThird((_asked, answer) => ({
			...answer,
			events: answer.events.slice(1),
		}));
		expect(await judge(resumingChecks, row, { bend })).toMatch(
			/^broken from the cursor before it .*e1.* does not come/,
		);
	});

	it("that brings an event twice is shown by the batches with events", async () => {
		let isBegun = false;
		const bend: Bend = ({ params, events }, answer) => {
			if (params.cursor === "c0" && !isBegun) {
				isBegun = true;
				return { ...answer, events: [], cursor: "c0" };
			}
			return params.cursor === "c4"
				? { ...answer, events: [events[0]] }
				: undefined;
		};
		const made = await prepare({ bend });
		const finding = await findingOf(resumingChecks, row, made);
		const { steps = [] } = made.ground.history ?? {};
		const having = steps.filter(({ events }) => events.length > 0);
		expect(tell(finding)).toMatch(/^broken .*came twice/);
		expect(having.length).toBeLessThan(steps.length);
		expect("cites" in finding && finding.cites).toEqual(
			having.slice(0, 3).map(({ answer }) => answer),
		);
	});
});

describe("requests that are wrong", () => {
	const TYPES = { arguments: "string", cursor: "number", maxAgeMs: "string" };

	it.each([
		["all of them", Object.entries(TYPES), /^holds 3 of 3 /],
		["one of them", [["arguments", "string"]], /^holds 1 of 3 /],
		["none of them", [], /^broken /],
	])("are refused: %s", async (_about, refused, told) => {
		const bend: Bend = ({ params }) =>
			refused.some(([member = "", type]) => typeof params[member] === type)
				? INVALID
				: undefined;
		expect(
			await judge(refusalChecks, "error-invalid-params", { bend }),
		).toMatch(told);
	});
});

describe("the data of an event", () => {
	it.each<[string, unknown, RegExp]>([
		["fits", { type: "object" }, /^holds /],
		[
			"does not fit",
			{ type: "object", required: ["x"] },
			/^broken .*does not fit/,
		],
		["is held against no schema that is wrong itself", { type: 7 }, /^holds /],
	])("%s", async (_about, payloadSchema, told) => {
		const subject = {
			...POLL_TYPE,
			type: { ...POLL_TYPE.type, payloadSchema },
		};
		expect(
			await judge(occurrenceChecks, "occurrence-data", { subjects: [subject] }),
		).toMatch(told);
	});
});

describe("one id for two events", () => {
	const row = "occurrence-event-id-from-upstream";
	const extra = {
		eventId: "e0",
		name: "a.b",
		timestamp: "2026-01-01T00:00:00Z",
		data: { x: 1 },
	};

	it.each<[string, Bend, RegExp]>([
		["does not come", right, /^holds 5 events have ids of their own/],
		[
			"comes in a large batch alone",
			again((_asked, answer) => ({
				...answer,
				events: [...answer.events, extra],
			})),
			/^broken two events that differ/,
		],
		[
			"cannot come where nothing is read again",
			again(() => REFUSED),
			/^holds 5 events/,
		],
	])("%s", async (_about, bend, told) => {
		expect(await judge(upstreamIdChecks, row, { bend })).toMatch(told);
	});

	/** A stream on which these come one by one, while one waits; and how many have. */
	const coming = (all: Frame[]): GradeStream => {
		const frames: Frame[] = [];
		return {
			...streamOf(),
			frames,
			async waitFor(test) {
				for (const frame of all) {
					frames.push(frame);
					if (test(frame)) return frame;
				}
				return undefined;
			},
		};
	};
	const duplex = subjectOf("a.b", ["poll", "push"]);
	const pushed = async (idOf: (n: number) => string) => {
		const subjects = [duplex];
		const { ground } = await prepare({ subjects });
		const events = (ground.history?.events ?? []).map(({ event }, n) =>
			frameAt("event", 0, { ...event, eventId: idOf(n) }),
		);
		const stream = coming([ACTIVE, ...events, frameAt("heartbeat")]);
		const told = await judge(upstreamIdChecks, row, { subjects, stream });
		return { told, left: events.length + 2 - stream.frames.length };
	};

	it("is the same by push, which is looked at up to the last event", async () => {
		const { told, left } = await pushed((n) => `e${n}`);
		expect(told).toMatch(/^holds .*5 of them the same ones by push/);
		expect(left).toBe(1);
	});

	it("is another by push for an event that comes late", async () => {
		const { told } = await pushed((n) => (n === 4 ? "x" : `e${n}`));
		expect(told).toMatch(
			/^broken one event is .*e4.* by poll and .*x.* by push/,
		);
	});
});

describe("a gap that is made", () => {
	const controls = controlsOf({ yieldGap: "done" });

	it.each(["truncated-poll-never-an-error", "truncated-returns-fresh-cursor"])(
		"is not where there is no cursor: %s",
		async (row) => {
			const bend: Bend = (_asked, answer) => ({ ...answer, cursor: null });
			const told = { bend, context: { controls } };
			expect(await judge(truncationChecks, row, told)).toMatch(
				/^untestable there is no position/,
			);
		},
	);

	it("is told beside a fresh cursor", async () => {
		let isMade = false;
		const call: GradeContext["controls"]["call"] = async (...of) => {
			isMade = true;
			return await controls.call(...of);
		};
		const bend: Bend = (_asked, answer) => {
			if (!isMade) return undefined;
			isMade = false;
			return { ...answer, truncated: true };
		};
		const row = "truncated-poll-never-an-error";
		const context = { controls: { ...controls, call } };
		expect(await judge(truncationChecks, row, { bend, context })).toMatch(
			/^holds 1 gaps were told/,
		);
	});

	it("is told with the same age again", async () => {
		const made = await prepare({ context: { controls } });
		await made.ground.poll(POLL_TYPE, { cursor: "c0", maxAgeMs: 1 });
		const row = "truncated-returns-fresh-cursor";
		expect(tell(await findingOf(truncationChecks, row, made))).toMatch(
			/^holds 1 truncated answers have a cursor/,
		);
	});
});

describe("events that are young", () => {
	it("are let come of age before they are asked for by it", async () => {
		const made = await prepare();
		const row = "max-age-ms-floor";
		expect(tell(await findingOf(maxAgeChecks, row, made))).toMatch(/^holds /);
		const [, narrow] = made.asked.flatMap(({ maxAgeMs }) => maxAgeMs ?? []);
		expect(narrow).toBe(300);
	});
});

describe("a name that was removed", () => {
	const two = [subjectOf("a.b", ["poll"]), subjectOf("c.d", ["poll"])];
	const removing = (bend: Bend, canRemove = true) => {
		const done: unknown[] = [];
		const controls = controlsOf(canRemove ? { catalog: "done" } : {});
		const call: GradeContext["controls"]["call"] = async (name, args) => {
			done.push(args.action);
			return await controls.call(name, args);
		};
		const whenRemoved: Bend = (asked, answer) =>
			done.at(-1) === "remove" ? bend(asked, answer) : undefined;
		return {
			done,
			bend: whenRemoved,
			context: { controls: { ...controls, call } },
		};
	};
	const GONE = { error: { code: -32023, message: "no such event" } };
	const BOTH = ["remove", "restore"];

	it.each([
		[
			"is refused as one that never was",
			two,
			() => GONE,
			true,
			BOTH,
			/^holds a name that was removed/,
		],
		["is served", two, right, true, BOTH, /^broken a name that was removed/],
		[
			"is not tried where it is the only one",
			two.slice(0, 1),
			right,
			true,
			[],
			/^holds an unknown name/,
		],
		[
			"is not tried where none can be removed",
			two,
			right,
			false,
			[],
			/^holds an unknown name/,
		],
	])("%s", async (_about, subjects, bend, canRemove, wanted, told) => {
		const { done, ...more } = removing(bend, canRemove);
		const row = "removal-poll-not-found";
		expect(await judge(endingChecks, row, { subjects, ...more })).toMatch(told);
		expect(done).toEqual(wanted);
	});
});
