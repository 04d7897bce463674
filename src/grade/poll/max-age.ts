// maxAgeMs beside a cursor: replay begins at the later of the two (events.md 7).
import { excerpt } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import type { Check } from "../scenario.ts";
import { SIZES } from "../waits.ts";
import { tellAnswer } from "../wire/answer.ts";
import type { Follow, Seen } from "./follow.ts";
import type { PollGround } from "./ground.ts";
import { cannotTell, findReread } from "./history.ts";
import type { Json, Polled } from "./polled.ts";

interface Aged {
	/** With an age that nothing has reached. */
	wide: Polled;
	/** With one that some of the events have passed. */
	narrow: Polled;
	/** Without any, after the two: what neither of them can have left out for being gone. */
	plain: Polled;
	/** Events that had that age, and some that certainly had not. */
	old: readonly Json[];
	young: readonly Json[];
	/** Whatever is dated before it is too old for the narrow one. */
	floorMs: number;
	keyOf(event: Json): string;
}

export const maxAgeChecks: Check<PollGround>[] = [
	{
		ids: ["max-age-ms-floor", "max-age-ms-sets-truncated"],
		async run(context, ground) {
			const found = findReread(ground, context);
			const both = (floor: Finding, truncated: Finding) => ({
				"max-age-ms-floor": floor,
				"max-age-ms-sets-truncated": truncated,
			});
			if ("kind" in found) return both(found, found);
			const { keyOf } = found.same;
			if (!keyOf) return both(cannotTell(found.whole), cannotTell(found.whole));
			const aged = await readAged(found.history, { keyOf, ground, context });
			return both(judgeFloor(aged, found.history), judgeTruncated(aged));
		},
	},
];

/** So that every event has some age. */
const LEAST_AGE_MS = 300;

async function readAged(
	history: Follow,
	by: {
		keyOf: (event: Json) => string;
		ground: PollGround;
		context: GradeContext;
	},
): Promise<Aged> {
	const { keyOf, ground, context } = by;
	const { from, steps } = history;
	const { subject } = history.first;
	const wide = await ground.poll(subject, {
		cursor: from,
		maxAgeMs: SIZES.maxAgeProbeMs,
	});
	const boundaryMs = findBoundary(history);
	const ageMs = () => context.now() - boundaryMs;
	if (ageMs() < LEAST_AGE_MS) await context.sleep(LEAST_AGE_MS - ageMs());
	const maxAgeMs = ageMs();
	const narrow = await ground.poll(subject, { cursor: from, maxAgeMs });
	const plain = await ground.poll(subject, { cursor: from });
	// The server's floor lies somewhere between these two, and an event between two polls that frame it.
	const earliestMs = narrow.answer.sentAtMs - maxAgeMs;
	const latestMs = narrow.answer.endedAtMs - maxAgeMs;
	const isOld = ({ event, step }: Seen) =>
		(steps[step]?.answer.endedAtMs ?? Number.NaN) < earliestMs &&
		!(datedMs(event) >= earliestMs);
	const isYoung = ({ event, step }: Seen) =>
		cameAfterMs(history, step) > latestMs && datedMs(event) > latestMs;
	const eventsOf = (test: (seen: Seen) => boolean) =>
		history.events.filter(test).map(({ event }) => event);
	return {
		wide,
		narrow,
		plain,
		old: eventsOf(isOld),
		young: eventsOf(isYoung),
		floorMs: earliestMs,
		keyOf,
	};
}

/** NaN where nothing can be read: that speaks neither for an age nor against one. */
const datedMs = ({ timestamp }: Json) =>
	typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;

/** An instant that events of a step cannot lie before; NaN where none is known. */
function cameAfterMs({ first, steps }: Follow, step: number): number {
	const before = step === 0 ? first : steps[step - 1];
	if (!before || before.hasMore) return Number.NaN;
	return before.answer.sentAtMs;
}

/** An instant with events on both sides of it, as even as can be; without such a one, the end of all. */
function findBoundary(history: Follow): number {
	const { steps, events } = history;
	let best = { atMs: steps.at(-1)?.answer.endedAtMs ?? 0, least: 0 };
	for (const { answer } of steps) {
		const atMs = answer.sentAtMs;
		const before = events.filter(
			({ step }) => (steps[step]?.answer.endedAtMs ?? Number.NaN) < atMs,
		);
		const after = events.filter(
			({ step }) => cameAfterMs(history, step) > atMs,
		);
		const least = Math.min(before.length, after.length);
		if (least > best.least) best = { atMs, least };
	}
	return best.atMs;
}

function judgeFloor(aged: Aged, history: Follow): Finding {
	const { wide, narrow, plain, old, young, keyOf, floorMs } = aged;
	if (!wide.result)
		return broken(
			`maxAgeMs ${wide.maxAgeMs} is answered with ${tellAnswer(wide.answer)}`,
			wide.answer,
		);
	const inWide = new Set(wide.events.map(keyOf));
	const still = new Set(plain.events.map(keyOf));
	const isCut = ({ event }: Seen) =>
		still.has(keyOf(event)) && !inWide.has(keyOf(event));
	const cut = history.events.find(isCut);
	if (cut && !wide.hasMore)
		return broken(
			`${excerpt(keyOf(cut.event), 120)} is far younger than maxAgeMs ${wide.maxAgeMs}, and left out`,
			wide.answer,
		);
	if (!narrow.result) return noNarrow(aged);
	const inNarrow = new Set(narrow.events.map(keyOf));
	const late = old.find((event) => inNarrow.has(keyOf(event)));
	// A source without times dates an event by when it looks: so it says itself that the event is young.
	if (late && narrow.events.every((event) => datedMs(event) >= floorMs))
		return untestable(
			{ kind: "traffic", name: "events whose timestamps stay as they are" },
			`${excerpt(keyOf(late), 120)} comes again, dated anew`,
			narrow.answer,
		);
	if (late)
		return broken(
			`${excerpt(keyOf(late), 120)} is older than maxAgeMs ${narrow.maxAgeMs}, and comes`,
			narrow.answer,
		);
	const lost = young.find(
		(event) => still.has(keyOf(event)) && !inNarrow.has(keyOf(event)),
	);
	if (lost && !narrow.hasMore)
		return broken(
			`${excerpt(keyOf(lost), 120)} is younger than maxAgeMs ${narrow.maxAgeMs}, and left out`,
			narrow.answer,
		);
	if (old.length === 0) return notOld(aged);
	if (isUndecided(narrow)) return notDecided(narrow);
	return holds(
		`maxAgeMs ${narrow.maxAgeMs} leaves out ${old.length} older events and keeps ${young.length} younger ones; ${wide.maxAgeMs} keeps all`,
		wide.answer,
		narrow.answer,
	);
}

function judgeTruncated(aged: Aged): Finding {
	const { narrow, old, keyOf } = aged;
	if (!narrow.result) return noNarrow(aged);
	if (old.length === 0) return notOld(aged);
	const came = new Set(narrow.events.map(keyOf));
	const skipped = old.filter((event) => !came.has(keyOf(event)));
	// Where one of them comes, the others were not passed over: they may lie in the next batch.
	if (skipped.length < old.length)
		return untestable(
			{ kind: "answer", name: "events/poll that leaves out what is too old" },
			`maxAgeMs ${narrow.maxAgeMs} does not; max-age-ms-floor tells of it`,
			narrow.answer,
		);
	if (isUndecided(narrow)) return notDecided(narrow);
	const told = `maxAgeMs ${narrow.maxAgeMs} skips ${skipped.length} events after the cursor, and truncated is ${excerpt(narrow.result.truncated, 40)}`;
	return narrow.isTruncated
		? holds(told, narrow.answer)
		: broken(told, narrow.answer);
}

/** A server may look at a part of its history only, and find nothing in it. */
const isUndecided = ({ events, hasMore }: Polled) =>
	hasMore && events.length === 0;

const notDecided = ({ maxAgeMs, answer }: Polled): Finding =>
	untestable(
		{ kind: "answer", name: "events/poll with maxAgeMs and events" },
		`maxAgeMs ${maxAgeMs} is answered with none and hasMore`,
		answer,
	);

const noNarrow = ({ narrow }: Aged): Finding =>
	untestable(
		{ kind: "answer", name: "events/poll with maxAgeMs that skips events" },
		`maxAgeMs ${narrow.maxAgeMs} is answered with ${tellAnswer(narrow.answer)}; truncated-poll-never-an-error tells of it`,
		narrow.answer,
	);

const notOld = ({ narrow }: Aged): Finding =>
	untestable(
		{ kind: "traffic", name: "an event with a timestamp of the past" },
		"by their timestamps none of the events is older than they were asked for",
		narrow.answer,
	);
