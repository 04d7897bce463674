// A server with one type that is polled, in memory and bent by a test: each poll with a cursor makes an event happen, until
// enough have.
import { CATALOGUE } from "../../../src/grade/index.ts";
import {
	descriptor,
	openEventsDouble,
} from "../../fixtures/servers/events-double.ts";
import { gradeWith } from "../grade-with.ts";

// biome-ignore lint/suspicious/noExplicitAny: a bend reaches into any message, and a test sees what came of it
type Json = any;

export interface Asked {
	params: Json;
	/** Counts the polls that start from now, and those with maxAgeMs, from 1; 0 for any other. */
	nth: number;
	/** All that has happened, in order. */
	events: readonly Json[];
}

/** In place of the right result, or undefined; `error` in it: a refusal. */
export type Bend = (asked: Asked, right: Json) => Json;

const EVENTS = 5;
const HOUR_MS = 3_600_000;

/** Answers to polls, one after the other: `result` or `error`. */
export function openPolls(bend: Bend, now = Date.now): (params: Json) => Json {
	const events: Json[] = [];
	const counts = { start: 0, aged: 0 };
	const read = ({ cursor, maxAgeMs, maxEvents = EVENTS }: Json) => {
		const from =
			typeof cursor === "string" ? Number(cursor.slice(1)) : events.length;
		if (cursor && !maxAgeMs && events.length < EVENTS)
			events.push({
				eventId: `e${events.length}`,
				name: "a.b",
				timestamp: new Date(now()).toISOString(),
				data: { n: events.length },
			});
		const floorMs = now() - (maxAgeMs ?? HOUR_MS);
		const all = events.slice(from);
		const young = all.filter((one) => Date.parse(one.timestamp) >= floorMs);
		const part = young.slice(0, maxEvents);
		const hasMore = part.length < young.length;
		return {
			events: part,
			cursor: `c${hasMore ? events.indexOf(part.at(-1)) + 1 : events.length}`,
			hasMore,
			truncated: young.length < all.length,
			nextPollMs: 20,
		};
	};
	return (params) => {
		let nth = 0;
		if (!params.cursor) nth = ++counts.start;
		else if (params.maxAgeMs) nth = ++counts.aged;
		const right = read(params);
		const told = bend({ params, nth, events }, right) ?? right;
		return told.error ? told : { result: { resultType: "complete", ...told } };
	};
}

function openPollDouble(bend: Bend) {
	return openEventsDouble({
		pages: [[descriptor("a.b")]],
		answers: { "events/poll": openPolls(bend) },
	});
}

export const REFUSED = { error: { code: -32603, message: "no" } };

/** Bends reads of the whole stretch, after it was followed: by whole batches, or whatever is asked for. */
export const again =
	(bend: Bend): Bend =>
	(asked, answer) =>
		asked.params.cursor === "c0" && asked.events.length === 5
			? bend(asked, answer)
			: undefined;

export interface Wish {
	occurrenceMs?: number;
	/** Between two events. */
	stepMs?: number;
	/** Rows that are graded with it. */
	also?: readonly string[];
}

/** `VERDICT message` of one row. */
export async function gradeBent(
	row: string,
	bend: Bend,
	{ occurrenceMs = 4_000, stepMs = 20, also = [] }: Wish = {},
): Promise<string> {
	await using server = await openPollDouble(bend);
	const graded = await gradeWith(server.url, {
		scenarios: ["events-poll"],
		only: CATALOGUE.filter(
			({ scenario, id }) =>
				scenario === "events-poll" && [row, ...also].includes(id),
		),
		timeoutMs: 20_000,
		connectTimeoutMs: 20_000,
		budgetMs: 120_000,
		waits: { pollAgainMinMs: stepMs, pollAgainMaxMs: stepMs, occurrenceMs },
	});
	if (graded.defects.length > 0) throw graded.defects[0];
	const key = `events-poll/${row}`;
	return `${graded.verdictOf(key)} ${graded.messageOf(key)}`;
}
