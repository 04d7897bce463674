// How poll types are followed and read again, by polls that are answered from memory.
import { describe, expect, it } from "vitest";
import type { GradeContext } from "../../../src/grade/context.ts";
import { fireNowAndThen } from "../../../src/grade/poll/follow.ts";
import { readOn, spareFollow } from "../../../src/grade/poll/ground.ts";
import {
	answerOf,
	controlsOf,
	optionsOf,
	subjectOf,
} from "../delivery/by-hand.ts";
import { ACTIVE, frame, slowStreamOf, streamOf } from "../push/by-hand.ts";
import { type Bend, REFUSED } from "./bent-double.ts";
import { contextOfPolls, POLL_TYPE, prepare } from "./by-hand.ts";

const DUPLEX = subjectOf("a.b", ["poll", "push"]);
const refusedUpTo =
	(count: number): Bend =>
	({ nth }) =>
		nth > 0 && nth <= count ? REFUSED : undefined;

describe("a first poll that is refused is tried", () => {
	it.each([
		["once where it is served", DUPLEX, 0, 1],
		["again", DUPLEX, 1, 2],
		["again without a cursor", DUPLEX, 2, 3],
		["beside a stream", DUPLEX, 3, 4],
		["beside no stream where there is none", POLL_TYPE, 3, 3],
	])("%s", async (_about, subject, refused, tried) => {
		const stream = streamOf(ACTIVE);
		const bend = refusedUpTo(refused);
		const { ground } = await prepare({ bend, subjects: [subject], stream });
		expect(ground.attempts).toHaveLength(tried);
		expect(ground.first.result !== undefined).toBe(refused < tried);
	});

	it("beside a stream once that is confirmed", async () => {
		const notice = frame({ method: "notifications/message", params: {} });
		const stream = slowStreamOf(notice, ACTIVE);
		const bend: Bend = ({ nth }) =>
			nth > 0 && !stream.frames.includes(ACTIVE) ? REFUSED : undefined;
		const { ground } = await prepare({ bend, subjects: [DUPLEX], stream });
		expect(ground.first.result).toBeDefined();
	});
});

describe("following a type", () => {
	const cursorsOf = (asked: readonly Record<string, unknown>[]) =>
		asked.map(({ cursor }) => cursor);

	it("waits between polls, and stops when enough has come", async () => {
		const { ground, slept } = await prepare();
		expect(ground.history?.steps).toHaveLength(5);
		expect(slept).toEqual([20, 20, 20, 20, 20]);
	});

	it("goes on after batches that are empty", async () => {
		const slow: Bend = ({ params, events }, answer) => {
			if (params.maxAgeMs || params.cursor !== "c0" || events.length > 4)
				return undefined;
			return { ...answer, events: [], cursor: "c0" };
		};
		const { ground } = await prepare({ bend: slow });
		const brought = ground.history?.steps.filter(
			({ events }) => events.length > 0,
		);
		expect(brought).toHaveLength(1);
		expect(ground.history?.steps.length).toBeGreaterThan(5);
	});

	it("asks at once where there is more", async () => {
		const more: Bend = (_asked, answer) => ({ ...answer, hasMore: true });
		const { slept, ground } = await prepare({ bend: more });
		expect(ground.history?.events).toHaveLength(5);
		expect(slept).toEqual([]);
	});

	it("waits where there is more and the cursor stays", async () => {
		const stuck: Bend = ({ params }, answer) => ({
			...answer,
			events: [],
			cursor: params.cursor ?? "c0",
			hasMore: true,
		});
		const { slept, ground } = await prepare({ bend: stuck });
		expect(slept).toHaveLength(ground.history?.steps.length ?? -1);
	});

	it("stops after three refusals", async () => {
		const later: Bend = ({ params }) => (params.cursor ? REFUSED : undefined);
		const { asked } = await prepare({ bend: later });
		expect(cursorsOf(asked)).toEqual([null, "c0", "c0", "c0", "c0"]);
	});
});

describe("reading on", () => {
	/** Five batches of one event and more behind each. */
	const read = async (bend: Bend, maxEvents?: number) => {
		const { ground, asked } = await prepare({ bend });
		const from = asked.length;
		const limit = maxEvents === undefined ? {} : { maxEvents };
		const { polls } = await readOn(ground.poll, POLL_TYPE, {
			from: "c0",
			...limit,
		});
		expect(asked.slice(from)).toHaveLength(polls.length);
		return asked
			.slice(from)
			.map(({ cursor, maxEvents: most }) => `${cursor} ${most}`);
	};

	it("takes all at once where nothing else is said", async () => {
		expect(await read(() => undefined)).toEqual(["c0 undefined"]);
	});

	it("goes from batch to batch", async () => {
		expect(await read(() => undefined, 2)).toEqual(["c0 2", "c2 2", "c4 2"]);
	});

	it.each([
		["without a cursor", null],
		["from the same place", "c0"],
	])("does not go on %s", async (_about, cursor) => {
		const bend: Bend = ({ params }, answer) =>
			params.maxEvents ? { ...answer, cursor } : undefined;
		expect(await read(bend, 2)).toEqual(["c0 2"]);
	});

	it("ends after some batches", async () => {
		const endless: Bend = ({ params }, answer) =>
			params.maxEvents
				? { ...answer, cursor: `${params.cursor}0`, hasMore: true }
				: undefined;
		expect(await read(endless, 1)).toHaveLength(5);
	});
});

describe("the type to use up", () => {
	const named = (...names: string[]) =>
		names.map((name) => subjectOf(name, ["poll"]));
	const spareOf = async (names: string[], listed = names) => {
		const { context, ground } = await prepare({ subjects: named(...names) });
		const types = named(...listed).map(({ type }) => type);
		const listing = { ...context.listing, types };
		const spare = spareFollow(ground, { ...context, listing });
		return {
			spare: spare?.first.subject.name,
			isMain: spare === ground.history,
		};
	};

	it.each([
		["is the spare one of all", ["a", "b", "c"], ["a", "c", "b"], "b"],
		[
			"is the last where the spare one has no poll",
			["a", "b", "c"],
			["a", "x"],
			"c",
		],
		["is the only one", ["a"], ["a"], "a"],
	])("%s", async (_about, names, listed, wanted) => {
		const { spare, isMain } = await spareOf(names, listed);
		expect(spare).toBe(wanted);
		expect(isMain).toBe(names.length === 1);
	});
});

describe("the tool of --trigger-tool", () => {
	const fired = async (isOver: (times: number) => boolean, hasTool = true) => {
		let times = 0;
		const failed = controlsOf({ catalog: undefined });
		const callTool: GradeContext["controls"]["callTool"] = async () => {
			times++;
			return hasTool
				? { kind: "text", text: "done", answer: answerOf() }
				: await failed.call("catalog", {});
		};
		const { context } = contextOfPolls({
			context: {
				controls: { ...failed, callTool },
				options: optionsOf({ trigger: { tool: "fire", args: {} } }),
			},
		});
		const finding = await fireNowAndThen(context, () => isOver(times));
		return { times, kind: finding?.kind };
	};

	it.each([
		["is fired some times", () => false, true, { times: 8, kind: undefined }],
		[
			"is not fired any more once it is over",
			(times: number) => times > 1,
			true,
			{ times: 2, kind: undefined },
		],
		[
			"is fired once where it fails",
			() => false,
			false,
			{ times: 1, kind: "untestable" },
		],
	])("%s", async (_about, isOver, hasTool, wanted) => {
		expect(await fired(isOver, hasTool)).toEqual(wanted);
	});

	it.each<[string, Bend, number]>([
		["while a type is followed", () => undefined, 1],
		[
			"never where none can be",
			(_asked, answer) => ({ ...answer, cursor: null }),
			0,
		],
	])("is fired %s", async (_about, bend, times) => {
		let fired = 0;
		const failed = controlsOf({ catalog: undefined });
		const callTool: GradeContext["controls"]["callTool"] = async () => {
			fired++;
			return await failed.call("catalog", {});
		};
		const options = optionsOf({ trigger: { tool: "fire", args: {} } });
		const context = { controls: { ...failed, callTool }, options };
		const { ground } = await prepare({ bend, context });
		expect(fired).toBe(times);
		expect(ground.triggerFailure !== undefined).toBe(times > 0);
	});
});
