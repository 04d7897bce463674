// Gaps: cursors that lead nowhere, events that are kept no more, and how a poll tells of it (events.md 7).
import { excerpt } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import {
	broken,
	type Finding,
	holds,
	skipped,
	untestable,
} from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import { SIZES } from "../waits.ts";
import { errorOf, tellAnswer } from "../wire/answer.ts";
import type { Follow } from "./follow.ts";
import { firstRow, noFirst, type PollGround } from "./ground.ts";
import { findReread, likenessOf } from "./history.ts";
import type { Json, Polled } from "./polled.ts";

export const gapChecks: Check<PollGround>[] = [
	checkRow("cursor-unservable-is-gap", async (context, ground) => {
		const [follow] = ground.follows;
		if (!follow)
			return ground.first.result ? noCursors(ground) : noFirst(ground);
		const { subject } = follow.first;
		const tried: Polled[] = [];
		for (const cursor of alienCursors(context)) {
			const polled = await ground.poll(subject, { cursor });
			const wrong = judgeAlien(polled);
			if (wrong !== undefined) return broken(wrong, polled.answer);
			tried.push(polled);
		}
		const [one] = tried;
		return holds(
			`${tried.length} cursors that the server did not make: ${one ? tellAnswer(one.answer) : ""}`,
			...tried.map(({ answer }) => answer),
		);
	}),

	checkRow("replay-ceiling-sets-truncated", async (context, ground) => {
		const found = findReread(ground, context);
		if ("kind" in found && ground.whole?.failed) return found;
		return await waitForForgetting(ground, context);
	}),

	firstRow("truncated-false-when-no-replay", async (_result, ground) => {
		const { first, others, poll } = ground;
		const without = [first, ...others].find(
			({ result }) => result && (result.cursor ?? null) === null,
		);
		if (!without) return skipped("every type that was polled has a cursor");
		const { subject } = without;
		const aged = await poll(subject, {
			cursor: null,
			maxAgeMs: SIZES.maxAgeProbeMs,
		});
		const answers = [without, aged];
		const wrong = answers.find(({ isTruncated }) => isTruncated);
		if (wrong)
			return broken(
				`${subject.name} has no cursor, and a poll of it is truncated`,
				wrong.answer,
			);
		if (!aged.result)
			return untestable(
				{ kind: "answer", name: "events/poll with maxAgeMs" },
				`it is answered with ${tellAnswer(aged.answer)}`,
				aged.answer,
			);
		return holds(
			`${subject.name} has no cursor, and no poll of it is truncated`,
			...answers.map(({ answer }) => answer),
		);
	}),
];

const LONG_CURSOR = 600;

/** None of them can be read by a server that knows its own. */
const alienCursors = ({ unique }: GradeContext) => [
	`no-cursor-${unique()}`,
	`{"no":"cursor","at":"${unique()}"}`,
	`${unique()}-`.repeat(LONG_CURSOR).slice(0, LONG_CURSOR),
];

function judgeAlien({ answer, result, isTruncated, cursor }: Polled) {
	const told = `the cursor ${excerpt(cursor, 60)} is answered with ${tellAnswer(answer)}`;
	if (result) return isTruncated ? undefined : `${told}: that tells of no gap`;
	return errorOf(answer)?.name === "InvalidParams" ? undefined : told;
}

export const noCursors = ({ first }: PollGround): Finding =>
	untestable(
		{ kind: "traffic", name: "a poll type whose cursor is a string" },
		`the cursor of the first poll is ${excerpt(first.result?.cursor, 80)}`,
		first.answer,
	);

/** At a type that forgets, within its time. */
const LOOKS = 8;

/** Asks again and again for the first event that each type brought, until one of them has forgotten it. */
async function waitForForgetting(
	ground: PollGround,
	context: GradeContext,
): Promise<Finding> {
	const { waits, now, sleep } = context;
	const known = ground.follows.filter(({ events }) => events.length > 0);
	const deadlineMs = now() + waits.retentionMs;
	for (;;) {
		for (const follow of known) {
			const finding = await askForOldest(follow, ground);
			if (finding) return finding;
		}
		if (known.length === 0 || now() >= deadlineMs) break;
		await sleep(waits.retentionMs / LOOKS);
	}
	return untestable(
		{ kind: "traffic", name: "a poll type that soon forgets its events" },
		`${known.length} types brought events, and none had forgotten them after ${waits.retentionMs} ms`,
		ground.first.answer,
	);
}

/** Undefined where the event is still there. */
async function askForOldest(
	{ first, from, events }: Follow,
	{ poll }: PollGround,
): Promise<Finding | undefined> {
	const oldest = events.filter(({ step }) => step === events[0]?.step);
	const polled = await poll(first.subject, { cursor: from, maxEvents: 1 });
	const { answer, isTruncated, result } = polled;
	const { name } = first.subject;
	if (isTruncated)
		return holds(
			`${name}: events after the cursor are gone, and truncated is true`,
			answer,
		);
	if (!result)
		return untestable(
			{ kind: "answer", name: "events/poll from a cursor of a while ago" },
			`${name}: it is answered with ${tellAnswer(answer)}`,
			answer,
		);
	const [now] = polled.events;
	const isThere = oldest.some(({ event }) => now && isSame(event, now));
	if (!now || isThere) return undefined;
	return broken(
		`${name}: ${excerpt(oldest[0]?.event.eventId, 80)} came after this cursor before, now ${excerpt(now.eventId, 80)} is the first, and truncated is ${excerpt(result.truncated, 40)}`,
		answer,
	);
}

const isSame = (a: Json, b: Json) =>
	a.eventId === b.eventId || likenessOf(a) === likenessOf(b);
