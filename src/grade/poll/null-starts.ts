// Starting from now: a null cursor, none at all, and maxAgeMs beside it (events.md 1 and 7).
import { excerpt } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import type { Check } from "../scenario.ts";
import { SIZES } from "../waits.ts";
import { tellAnswer } from "../wire/answer.ts";
import type { Follow } from "./follow.ts";
import { firstRow, noFirst, type PollGround } from "./ground.ts";
import { findHistory, keyOfEvents, likenessOf } from "./history.ts";
import { isQuiet, type Json, type Polled } from "./polled.ts";

export const nullStartChecks: Check<PollGround>[] = [
	{
		ids: [
			"cursor-null-starts-from-now",
			"cursor-absent-equals-null",
			"max-age-ms-ignored-when-cursor-null",
		],
		async run(context, ground) {
			const subject = ground.history?.first.subject ?? ground.subject;
			const start = await ground.poll(subject, { cursor: null });
			const absent = await ground.poll(subject, { cursor: undefined });
			const aged = await ground.poll(subject, {
				cursor: null,
				maxAgeMs: SIZES.maxAgeProbeMs,
			});
			return {
				"cursor-null-starts-from-now": await judgeStart(start, ground, context),
				"cursor-absent-equals-null": await judgeAbsent(absent, start, ground),
				"max-age-ms-ignored-when-cursor-null": judgeAged(
					aged,
					start,
					findHistory(ground, context),
				),
			};
		},
	},

	firstRow(
		"cursor-consistency",
		(_result, { log, history, first }) => {
			const { name } = (history?.first ?? first).subject;
			const starts = log.filter(
				({ subject, cursor, result, isTruncated }) =>
					subject.name === name &&
					(cursor ?? null) === null &&
					result !== undefined &&
					!isTruncated,
			);
			const having = starts.find(({ next }) => next !== undefined);
			const without = starts.find(
				({ result }) => (result?.cursor ?? null) === null,
			);
			if (having && without)
				return broken(
					`of ${starts.length} answers to polls that start from now, one has a cursor and one has none`,
					having.answer,
					without.answer,
				);
			if (starts.length < 2)
				return untestable(
					{ kind: "answer", name: "events/poll with a null cursor, twice" },
					`${starts.length} of them was answered by a result`,
					first.answer,
				);
			return holds(
				`${having ? "a string" : "null"} in each of ${starts.length} answers`,
				...starts.slice(0, 2).map(({ answer }) => answer),
			);
		},
		{ leansOn: ["cursor-null-starts-from-now"] },
	),

	firstRow("cursor-advances-when-quiet", async (_result, ground) => {
		const { follows, log, first } = ground;
		const [follow] = follows;
		if (!follow)
			return untestable(
				{ kind: "traffic", name: "a poll type whose cursor is a string" },
				`the cursor of the first poll is ${excerpt(first.result?.cursor, 80)}`,
				first.answer,
			);
		await waitForQuiet(ground);
		const quiet = log.filter(isQuiet);
		const lost = quiet.find(({ result }) => (result?.cursor ?? null) === null);
		if (lost)
			return broken(
				`nothing had happened since ${excerpt(lost.cursor, 80)}, and the answer has no cursor`,
				lost.answer,
			);
		if (quiet.length === 0)
			return untestable(
				{ kind: "traffic", name: "a poll type that is quiet for a moment" },
				`each of ${log.length} polls found something new`,
				first.answer,
			);
		return holds(
			`a cursor in each of ${quiet.length} answers without events`,
			...quiet.slice(0, 2).map(({ answer }) => answer),
		);
	}),
];

async function judgeStart(
	start: Polled,
	ground: PollGround,
	context: GradeContext,
): Promise<Finding> {
	if (!start.result) return noStart(start, ground);
	if (start.events.length > 0)
		return broken(
			`a null cursor brings ${start.events.length} events from before`,
			start.answer,
		);
	const history = findHistory(ground, context);
	if ("kind" in history) return history;
	if (start.next === undefined)
		return untestable(
			{ kind: "answer", name: "events/poll with a string as its cursor" },
			"no events came, and there is no position to see what follows",
			start.answer,
		);
	const after = await ground.poll(start.subject, { cursor: start.next });
	const keyOf = keyOfEvents(ground, context) ?? likenessOf;
	const old = findKnown(after, history, keyOf);
	if (old !== undefined)
		return broken(
			`the cursor that a null cursor gives lies in the past: it brings ${excerpt(old, 120)}`,
			start.answer,
			after.answer,
		);
	return holds(
		`${history.events.length} events had happened; a null cursor brings none of them, nor does its cursor`,
		start.answer,
		after.answer,
	);
}

async function judgeAbsent(
	absent: Polled,
	start: Polled,
	ground: PollGround,
): Promise<Finding> {
	if (!start.result && !absent.result) return noStart(start, ground);
	if (!absent.result)
		return broken(
			`without the member a poll is answered with ${tellAnswer(absent.answer)}`,
			absent.answer,
		);
	if (absent.events.length > 0 && start.events.length === 0)
		return broken(
			`without the member a poll brings ${absent.events.length} events, with null none`,
			absent.answer,
			start.answer,
		);
	return holds(
		"a poll without the member is answered as one with null is",
		absent.answer,
		start.answer,
	);
}

function judgeAged(
	aged: Polled,
	start: Polled,
	history: Follow | Finding,
): Finding {
	const cites = [aged.answer, start.answer];
	if (start.result && !aged.result)
		return broken(
			`with maxAgeMs a null cursor is answered with ${tellAnswer(aged.answer)}`,
			...cites,
		);
	if (!start.result || start.events.length > 0)
		return untestable(
			{ kind: "answer", name: "events/poll with a null cursor and no events" },
			`without maxAgeMs it is answered with ${tellAnswer(start.answer)}`,
			start.answer,
		);
	if (aged.events.length > 0)
		return broken(
			`with maxAgeMs a null cursor brings ${aged.events.length} events from before`,
			...cites,
		);
	if (aged.isTruncated && !start.isTruncated)
		return broken("with maxAgeMs a null cursor is truncated", ...cites);
	if ("kind" in history) return history;
	return holds(
		`${history.events.length} events had happened, and none of them comes`,
		...cites,
	);
}

const noStart = (start: Polled, ground: PollGround): Finding =>
	ground.first.result
		? untestable(
				{ kind: "answer", name: "events/poll with a null cursor" },
				`it was answered with ${tellAnswer(start.answer)}`,
				start.answer,
			)
		: noFirst(ground);

function findKnown(
	after: Polled,
	{ events }: Follow,
	keyOf: (event: Json) => string,
): string | undefined {
	const known = new Set(events.map(({ event }) => keyOf(event)));
	const old = after.events.find((event) => known.has(keyOf(event)));
	return old && JSON.stringify(old.eventId ?? old);
}

/** At one type. */
const MOST_TRIES = 8;
const ENOUGH_QUIET = 2;

/** Right after one poll another one mostly finds nothing. */
async function waitForQuiet({ follows, log, poll }: PollGround): Promise<void> {
	const isEnough = () => log.filter(isQuiet).length >= ENOUGH_QUIET;
	for (const { first, last } of follows) {
		let cursor = last;
		for (let tries = 0; tries < MOST_TRIES && !isEnough(); tries++)
			cursor = (await poll(first.subject, { cursor })).next ?? cursor;
	}
}
