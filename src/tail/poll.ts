// One subscription by events/poll: the loop of events.md 4 and 7.
import { Fault } from "../faults/index.ts";
import type { PollResult } from "../protocol/index.ts";
import { askPoll, type Session } from "../session/index.ts";
import {
	about,
	type Batch,
	type Follow,
	gap,
	type Loop,
	type Pieces,
	ready,
	reconnecting,
} from "./follow.ts";
import type { GapReason, Item } from "./item.ts";
import {
	isBroken,
	isCursorSuspect,
	LONGEST_WAIT_MS,
	retryDelayMs,
	type Step,
} from "./retry.ts";
import { pause } from "./wait.ts";

/** What the loop remembers from one poll to the next. */
interface Course {
	/** Whether a poll has ever been answered. */
	hasWorked: boolean;
	/** Failures in a row. */
	failures: number;
	/** The refusal of a cursor, while `null` is tried in its place. */
	rejected: Fault | undefined;
	/** Answers without a cursor, where none has ever come. */
	withoutCursor: number;
}

/** What one answer leads to. */
interface Reading {
	batch: Batch;
	/** Whether it brought an event that is new, or a cursor that is. */
	isProgress: boolean;
}

/** Polls until it is done, stopped or refused; see `Loop`. */
export async function* pollEvents(
	session: Session,
	follow: Follow,
	pieces: Pieces,
): Loop {
	const course: Course = {
		hasWorked: false,
		failures: 0,
		rejected: undefined,
		withoutCursor: 0,
	};
	if (follow.once && follow.position.cursor === undefined)
		pieces.note(
			`${follow.subscription.label}: a poll without a cursor starts from now, so polling once brings no events; pass the cursor it ends with to the next one`,
		);
	while (!pieces.signal.aborted) {
		const asked = course.rejected ? undefined : follow.position.cursor;
		const answer = await ask(session, follow, { asked, pieces });
		if (answer === undefined || pieces.signal.aborted) return undefined;
		if (answer instanceof Fault) {
			const step = afterFault(answer, { asked, course, follow, pieces });
			if (step.kind === "stop") return step.fault;
			if (step.kind === "again") continue;
			const { delayMs } = step;
			const cause = { why: answer.what, fault: answer, delayMs };
			yield reconnecting(cause, { follow, pieces });
			await pause(step.delayMs, pieces);
			continue;
		}
		const { batch, isProgress } = readAnswer(answer, {
			asked,
			course,
			follow,
			pieces,
		});
		yield batch;
		if (follow.once && !answer.hasMore) return undefined;
		if (!(answer.hasMore && isProgress))
			await pause(waitMs(answer, follow), pieces);
	}
	return undefined;
}

type Asking = { asked: string | undefined; pieces: Pieces };
type Standing = Asking & { course: Course; follow: Follow };

async function ask(
	session: Session,
	follow: Follow,
	{ asked, pieces }: Asking,
): Promise<PollResult | Fault | undefined> {
	const { subscription, maxAgeMs, maxEvents } = follow;
	const params = {
		name: subscription.name,
		arguments: subscription.arguments,
		cursor: asked,
		maxAgeMs,
		maxEvents: batchSize(maxEvents, follow.wanted()),
	};
	try {
		return await askPoll(session, params, {
			signal: pieces.signal,
			odd: follow.odd,
		});
	} catch (error) {
		if (error instanceof Fault) return error;
		// Aborted requests throw the signal's reason.
		if (pieces.signal.aborted) return undefined;
		throw error;
	}
}

function afterFault(
	fault: Fault,
	{ asked, course, follow, pieces }: Standing,
): Step {
	if (isCursorSuspect(fault)) {
		if (course.rejected) return { kind: "stop", fault: course.rejected };
		if (asked !== undefined) {
			course.rejected = fault;
			return { kind: "again" };
		}
	}
	course.failures++;
	if (course.failures >= triesFor(fault, course, follow))
		return { kind: "stop", fault };
	const delayMs = retryDelayMs(
		course.failures,
		{ retry: follow.retry, fault },
		pieces.random,
	);
	return { kind: "wait", delayMs: Math.max(delayMs, follow.intervalFloorMs) };
}

/** How many failures in a row are borne. One unreadable answer says nothing of the next, once it has worked. */
function triesFor(
	fault: Fault,
	{ hasWorked }: Course,
	{ once, retry }: Follow,
): number {
	if (fault.isTransient)
		return once || !hasWorked ? retry.connectTries : Number.POSITIVE_INFINITY;
	return hasWorked && isBroken(fault) ? retry.brokenTries : 1;
}

function readAnswer(answer: PollResult, standing: Standing): Reading {
	const { asked, course, follow, pieces } = standing;
	const { position, seen } = follow;
	const head = about(follow, pieces.now());
	const items: Item[] = [];
	if (answer.cursor !== undefined) position.isServed = true;
	// A stray null does not wipe a real cursor; where none ever came there is nothing to go back to (events.md 4, 7).
	const kept =
		position.isServed && !course.rejected ? position.cursor : undefined;
	const cursor = answer.cursor ?? kept;
	if (!course.hasWorked || course.failures > 0)
		items.push(ready(cursor, { follow, head }));
	const reason = gapReason(answer, standing);
	if (reason) items.push(gap(reason, cursor, { follow, head }));
	follow.life.signAt = head.receivedAt;
	follow.isUnanchored = false;
	const before = items.length;
	for (const occurrence of answer.occurrences)
		if (seen.isNew(occurrence.eventId))
			items.push({ ...head, kind: "event", occurrence });
	course.hasWorked = true;
	course.failures = 0;
	course.rejected = undefined;
	const hasMoved = answer.cursor !== undefined && answer.cursor !== asked;
	return {
		batch: { items, cursor },
		isProgress: hasMoved || items.length > before,
	};
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

/** How long until the next poll: what the server says, within reason. */
function waitMs({ hasMore, nextPollMs }: PollResult, follow: Follow): number {
	const { intervalFloorMs } = follow;
	if (hasMore || nextPollMs === undefined) return intervalFloorMs;
	return Math.max(intervalFloorMs, Math.min(nextPollMs, LONGEST_WAIT_MS));
}

/** A server may refuse a size above its own cap, so we ask by ourselves for a small one only. */
const MODEST_BATCH = 50;

/** So that an answer holds no more than is wanted: the cursor after it is then the right one. */
function batchSize(
	maxEvents: number | undefined,
	wanted: number | undefined,
): number | undefined {
	if (wanted === undefined) return maxEvents;
	if (maxEvents !== undefined) return Math.min(maxEvents, wanted);
	return wanted <= MODEST_BATCH ? wanted : undefined;
}
