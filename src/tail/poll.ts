// One subscription by events/poll: the loop of events.md 4 and 7.
import { Fault } from "../faults/index.ts";
import type { PollResult } from "../protocol/index.ts";
import { askPoll, type Session } from "../session/index.ts";
import {
	type Follow,
	type Loop,
	OVER,
	type Pieces,
	reconnecting,
} from "./follow.ts";
import { type Course, type Standing, showAnswer } from "./poll-answer.ts";
import { batchSize, waitMs } from "./poll-pace.ts";
import {
	endedBy,
	isBroken,
	isCursorSuspect,
	retryDelayMs,
	type Step,
	stop,
} from "./retry.ts";
import { endWait, patienceMs, startListening, whyGivenUp } from "./silence.ts";
import { openAbort, pause, SILENT, within } from "./wait.ts";

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
	let pages = 0;
	while (!pieces.signal.aborted) {
		const asked = course.rejected ? undefined : follow.position.cursor;
		const answer = await askInTurn(session, follow, { asked, pieces });
		if (answer === undefined || pieces.signal.aborted) return OVER;
		if (answer instanceof Fault) {
			const step = afterFault(answer, { asked, course, follow, pieces });
			if (step.kind === "end") return step.ended;
			if (step.kind === "again") continue;
			const { delayMs } = step;
			const cause = { why: answer.what, fault: answer, delayMs };
			yield reconnecting(cause, { follow, pieces });
			const wait = { sinceMs: pieces.now(), longestMs: delayMs };
			await pause(delayMs, pieces);
			endWait(follow, wait, pieces.now());
			continue;
		}
		const standing = { asked, course, follow, pieces };
		const isProgress = yield* showAnswer(answer, standing);
		if (follow.once && !answer.hasMore) return OVER;
		const isAtOnce = answer.hasMore && isProgress && ++pages < follow.maxPages;
		if (isAtOnce) continue;
		pages = 0;
		await pause(waitMs(answer, follow, pieces.now()), pieces);
		if (pieces.now() >= (follow.probeAt ?? Number.POSITIVE_INFINITY))
			return { kind: "due" };
	}
	return OVER;
}

type Asking = Pick<Standing, "asked" | "pieces">;

/** undefined: it was told to stop. */
async function askInTurn(
	session: Session,
	follow: Follow,
	asking: Asking,
): Promise<PollResult | Fault | undefined> {
	const { turns } = follow;
	const turn = await turns.take(asking.pieces.signal);
	if (!turn) return undefined;
	const answer = await ask(session, follow, asking);
	if (answer instanceof Fault) turns.heed(answer);
	else if (answer) turns.served();
	turn.end();
	return answer;
}

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
	const cancel = openAbort(pieces.signal);
	const sinceMs = pieces.now();
	startListening(follow, sinceMs);
	const longestMs = Math.min(follow.staleAfterMs, patienceMs(follow, sinceMs));
	try {
		const { signal } = cancel;
		const answer = askPoll(session, params, { signal, odd: follow.odd });
		const result = await within(answer, longestMs, pieces);
		return result === SILENT ? silence(follow, longestMs) : result;
	} catch (error) {
		if (error instanceof Fault) return error;
		// Aborted requests throw the signal's reason.
		if (pieces.signal.aborted) return undefined;
		throw error;
	} finally {
		endWait(follow, { sinceMs, longestMs }, pieces.now());
		cancel.abort();
		cancel.close();
	}
}

function silence({ subscription }: Follow, longestMs: number): Fault {
	return new Fault("timed-out", {
		what: `a poll of ${subscription.name} was not answered`,
		why: `nothing was heard for ${longestMs / 1000} s`,
	});
}

function afterFault(
	fault: Fault,
	{ asked, course, follow, pieces }: Standing,
): Step {
	if (isCursorSuspect(fault)) {
		if (course.rejected) return stop(course.rejected);
		if (asked !== undefined) {
			course.rejected = fault;
			return { kind: "again" };
		}
	}
	course.failures++;
	const givenUp = whyGivenUp(follow, pieces.now());
	if (givenUp) return stop(givenUp);
	if (course.failures >= triesFor(fault, course, follow))
		return { kind: "end", ended: endedBy(fault, follow) };
	const delayMs = retryDelayMs(
		course.failures,
		{ retry: follow.retry, fault },
		pieces.random,
	);
	const longestMs = patienceMs(follow, pieces.now());
	const paced = Math.max(delayMs, follow.intervalFloorMs);
	return { kind: "wait", delayMs: Math.min(paced, longestMs) };
}

/** How many failures in a row are borne. One unreadable answer says nothing of the next, once it has worked. */
function triesFor(
	fault: Fault,
	{ hasWorked }: Course,
	{ once, retry, turns }: Follow,
): number {
	if (turns.isCrowded(fault)) return Number.POSITIVE_INFINITY;
	if (fault.isTransient)
		return once || !hasWorked ? retry.connectTries : Number.POSITIVE_INFINITY;
	return hasWorked && isBroken(fault) ? retry.brokenTries : 1;
}
