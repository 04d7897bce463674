// What the answer to one poll comes to (events.md 4, 7): what is told of it, its events in parts, where one goes on.
import type { Fault } from "../faults/index.ts";
import type { PollResult } from "../protocol/index.ts";
import {
	about,
	type Batch,
	type Follow,
	gap,
	type Pieces,
	ready,
} from "./follow.ts";
import type { GapReason, Item } from "./item.ts";
import { hear } from "./silence.ts";

/** What the loop remembers from one poll to the next. */
export interface Course {
	/** Whether a poll has ever been answered. */
	hasWorked: boolean;
	/** Failures in a row. */
	failures: number;
	/** The refusal of a cursor, while `null` is tried in its place. */
	rejected: Fault | undefined;
	/** Answers without a cursor, where none has ever come. */
	withoutCursor: number;
}

export interface Standing {
	/** The cursor that was sent; undefined: none. */
	asked: string | undefined;
	course: Course;
	follow: Follow;
	pieces: Pieces;
}

/**
 * Items that are made together: those of a large answer, all together, outlive the young generation, and to keep them
 * until then costs more than to show them in parts.
 */
const ITEMS_IN_PART = 128;

/** Yields an answer, in parts where it is large; returns whether it brought an event that is new, or a cursor that is. */
export function* showAnswer(
	answer: PollResult,
	standing: Standing,
): Generator<Batch, boolean, void> {
	const { asked, follow } = standing;
	const { head, told, cursor } = openAnswer(answer, standing);
	const { subscription, via, receivedAt } = head;
	// What was asked for without a cursor cannot be asked for again: all of it is accepted, or nothing.
	const most = asked === undefined ? Number.POSITIVE_INFINITY : ITEMS_IN_PART;
	let isProgress = answer.cursor !== undefined && answer.cursor !== asked;
	let items = told;
	for (const occurrence of answer.occurrences) {
		if (!follow.seen.isNew(occurrence.eventId)) continue;
		isProgress = true;
		if (items.length >= most) {
			yield { items, cursor: follow.position.cursor, hasRest: true };
			items = [];
		}
		// Named one by one: the hot path of a backlog, where a spread costs more than the reading.
		items.push({ subscription, via, receivedAt, kind: "event", occurrence });
	}
	yield { items, cursor };
	return isProgress;
}

/** What is told before the events of an answer, and where one goes on after them. */
function openAnswer(answer: PollResult, standing: Standing) {
	const { course, follow, pieces } = standing;
	const { position } = follow;
	const head = about(follow, pieces.now());
	const told: Item[] = [];
	if (answer.cursor !== undefined) position.isServed = true;
	// A stray null does not wipe a real cursor; where none ever came there is nothing to go back to (events.md 4, 7).
	const kept =
		position.isServed && !course.rejected ? position.cursor : undefined;
	const cursor = answer.cursor ?? kept;
	if (!course.hasWorked || course.failures > 0)
		told.push(ready(cursor, { follow, head }));
	const reason = gapReason(answer, standing);
	if (reason) told.push(gap(reason, cursor, { follow, head }));
	hear(follow, head.receivedAt);
	follow.isUnanchored = false;
	course.hasWorked = true;
	course.failures = 0;
	course.rejected = undefined;
	return { head, told, cursor };
}

function gapReason(
	{ cursor, truncated }: PollResult,
	{ asked, course, follow }: Standing,
): GapReason | undefined {
	if (course.rejected) return "cursor-rejected";
	if (follow.isUnanchored) return "no-cursor";
	if (follow.position.isServed) return truncated ? "truncated" : undefined;
	if (truncated) follow.odd("truncated, of a type without cursors: ignored");
	if (cursor !== undefined) return undefined;
	// From now, each time: what comes between two polls is lost. Told once.
	course.withoutCursor++;
	const isToTell = asked !== undefined || course.withoutCursor === 2;
	return isToTell ? "no-cursor" : undefined;
}
