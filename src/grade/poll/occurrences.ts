// The members of the events that polls bring (events.md 3); the first offender stands for all.
import { findProblems } from "../../arguments/index.ts";
import { Fault } from "../../faults/index.ts";
import { excerpt, isInstant, isRecord } from "../../protocol/index.ts";
import { broken, holds, skipped } from "../finding.ts";
import type { Check } from "../scenario.ts";
import type { EventType } from "../traffic/list-types.ts";
import type { Follow, Seen } from "./follow.ts";
import type { PollGround } from "./ground.ts";
import { historyRow } from "./history.ts";
import type { Json } from "./polled.ts";

/** What is wrong with one event; undefined where nothing is. */
type Judge = (
	event: Json,
	type: EventType,
) => Promise<string | undefined> | string | undefined;

/** More of them say the same again. */
const MOST_JUDGED = 50;

export const occurrenceChecks: Check<PollGround>[] = [
	each("occurrence-event-id", ({ eventId }) =>
		typeof eventId === "string" && eventId !== ""
			? undefined
			: `eventId is ${excerpt(eventId, 80)}`,
	),
	each("occurrence-name", ({ name }, type) =>
		name === type.name
			? undefined
			: `name is ${excerpt(name, 120)} on an event of ${type.name}`,
	),
	each("occurrence-timestamp", ({ timestamp }) =>
		typeof timestamp === "string" && isInstant(timestamp)
			? undefined
			: `timestamp is ${excerpt(timestamp, 80)}, no ISO 8601 instant with a zone`,
	),
	each("occurrence-data", judgeData),
	each("occurrence-cursor-optional", ({ cursor }) =>
		typeof cursor === "string" || (cursor ?? null) === null
			? undefined
			: `cursor is ${excerpt(cursor, 80)}`,
	),
	historyRow("occurrence-meta-ungoverned", async (history) => {
		const having = history.events.filter(({ event }) => "_meta" in event);
		if (having.length === 0)
			return skipped(`none of ${history.events.length} events has a _meta`);
		return await judgeAll(history, having, ({ _meta }) =>
			isRecord(_meta) ? undefined : `_meta is ${excerpt(_meta, 80)}, no object`,
		);
	}),
];

function each(id: string, judge: Judge): Check<PollGround> {
	return historyRow(id, (history) => judgeAll(history, history.events, judge));
}

async function judgeAll(
	{ first, steps }: Follow,
	events: readonly Seen[],
	judge: Judge,
) {
	const judged = events.slice(0, MOST_JUDGED);
	const answers = new Set(
		judged.flatMap(({ step }) => steps[step]?.answer ?? []),
	);
	for (const { event, step } of judged) {
		const wrong = await judge(event, first.subject.type);
		const answer = steps[step]?.answer;
		if (wrong !== undefined) return broken(wrong, ...(answer ? [answer] : []));
	}
	return holds(
		`so on ${judged.length} events of ${first.subject.name}`,
		...[...answers].slice(0, 2),
	);
}

async function judgeData({ data }: Json, { payloadSchema }: EventType) {
	if (!isRecord(data)) return `data is ${excerpt(data, 80)}, no object`;
	// What is wrong with the schema itself is told by discovery.
	if (!isRecord(payloadSchema)) return undefined;
	try {
		const problems = await findProblems(data, payloadSchema);
		if (problems.length === 0) return undefined;
		return `data does not fit the payloadSchema: ${problems.slice(0, 3).join("; ")}`;
	} catch (fault) {
		if (fault instanceof Fault) return undefined;
		throw fault;
	}
}
