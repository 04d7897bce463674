// What is known of one connection of a stream, how it ended, and what follows from that.
import { Fault, type WireErrorFacts } from "../faults/index.ts";
import { NOTIFICATIONS } from "../protocol/index.ts";
import type { Follow, Pieces } from "./follow.ts";
import {
	endedBy,
	isBroken,
	isCursorSuspect,
	isShutOut,
	isUnfit,
	isUnreachable,
	retryDelayMs,
	type Step,
	stop,
} from "./retry.ts";
import { patienceMs, whyGivenUp } from "./silence.ts";
import { terminatedFault } from "./terminated-fault.ts";

/** What a stream remembers from one connection to the next. */
export interface Course {
	/** Whether any frame has ever come. */
	hasHeard: boolean;
	/** Whether a stream has ever been active. */
	hasWorked: boolean;
	/** Connections in a row that died without having lived. */
	failures: number;
	/** Those of them that reached the server. */
	deaths: number;
	/** Connections in a row that ended in what could not be read, without progress. */
	broken: number;
	/** The refusal of a cursor, while `null` is tried in its place. */
	rejected: Fault | undefined;
	/** Whether it is only tried whether streams work again. */
	isProbe: boolean;
}

export interface Connection {
	/** The cursor that it was opened with. */
	asked: string | undefined;
	openedAt: number;
	hasHeard: boolean;
	isActive: boolean;
	/** Whether an event or a heartbeat brought us further. */
	hasMoved: boolean;
	/** Whether there was one before it that was heard. */
	isAfterBreak: boolean;
}

export type Ending =
	/** In order, with a final frame or without. */
	| { kind: "ended" }
	| { kind: "silent" }
	| { kind: "terminated"; error: WireErrorFacts }
	| { kind: "fault"; fault: Fault };

export interface Standing {
	connection: Connection;
	course: Course;
	follow: Follow;
	pieces: Pieces;
}

/** A stream that lived this long, or brought us further, starts the backoff anew. */
const ALIVE_MS = 1_000;

/** Streams in a row that reached the server and died without having lived, before another way is taken. */
const MOST_DEATHS = 3;
/** Endings after which the type is to be listed again, and subscribed to if it is still there (events.md 7). */
const CHANGED: ReadonlySet<string> = new Set(["NotFound", "Unsupported"]);

/** Decides between giving up, another way, trying a null cursor, and connecting again after a while. */
export function afterConnection(ending: Ending, standing: Standing): Step {
	const { connection, course, follow, pieces } = standing;
	if (ending.kind === "terminated") {
		const fault = terminatedFault(ending.error, follow.subscription.label);
		const isChanged = CHANGED.has(ending.error.name);
		return isChanged
			? { kind: "end", ended: { kind: "changed", fault } }
			: stop(fault);
	}
	const fault = ending.kind === "fault" ? ending.fault : undefined;
	const verdict = fault && afterFault(fault, standing);
	if (verdict) return verdict;
	const now = pieces.now();
	const hasLived = connection.hasHeard && now - connection.openedAt >= ALIVE_MS;
	const isAlive = hasLived || connection.hasMoved;
	course.failures = isAlive ? 0 : course.failures + 1;
	if (isAlive) course.deaths = 0;
	else if (!fault || !isUnreachable(fault)) course.deaths++;
	if (connection.hasMoved && !fault) course.broken = 0;
	const givenUp = whyGivenUp(follow, now);
	if (givenUp) return stop(givenUp);
	if (follow.canLeave && isDying(ending, standing))
		return {
			kind: "end",
			ended: { kind: "unfit", fault: fault ?? neverActive(ending, standing) },
		};
	const { retry, turns } = follow;
	const isTriedEnough =
		!course.hasWorked && course.failures >= retry.connectTries;
	if (isTriedEnough && !(fault && turns.isCrowded(fault)))
		return stop(fault ?? neverActive(ending, standing));
	const delayMs = retryDelayMs(
		course.failures,
		{ retry, fault },
		pieces.random,
	);
	const longestMs = patienceMs(follow, now);
	return { kind: "wait", delayMs: Math.min(delayMs, longestMs) };
}

/** A proxy that holds streams back never lets one become active: once is enough to know. */
function isDying(ending: Ending, { connection, course }: Standing): boolean {
	if (course.deaths >= MOST_DEATHS) return true;
	return (
		(ending.kind === "silent" && !connection.isActive) ||
		(course.isProbe && !course.hasWorked)
	);
}

/** undefined: connecting again may help. */
function afterFault(fault: Fault, standing: Standing): Step | undefined {
	const { connection, course } = standing;
	if (!connection.hasHeard && isCursorSuspect(fault)) {
		if (course.rejected) return stop(course.rejected);
		if (connection.asked !== undefined) {
			course.rejected = fault;
			return { kind: "again" };
		}
	}
	const isLimit = standing.follow.canLeave && isUnfit(fault);
	if (fault.isTransient && (connection.hasHeard || !isLimit)) return undefined;
	// A stream that was open is over only by `terminated`; a refusal to open one is an answer (events.md 5).
	const isWorthRetry =
		connection.hasHeard || (course.hasWorked && isBroken(fault));
	const end: Step = { kind: "end", ended: endedBy(fault, standing.follow) };
	if (isShutOut(fault)) return stop(fault);
	if (!isWorthRetry) return end;
	course.broken = connection.hasMoved ? 1 : course.broken + 1;
	const isUsedUp = course.broken >= standing.follow.retry.brokenTries;
	return isUsedUp ? end : undefined;
}

/** The ending in words, for the user. */
export function whyEnded(
	ending: Ending,
	{ staleAfterMs }: Pick<Follow, "staleAfterMs">,
): string {
	if (ending.kind === "fault") return ending.fault.what;
	if (ending.kind === "silent")
		return `nothing was heard for ${staleAfterMs / 1000} s`;
	return "the server ended the stream, not the subscription";
}

function neverActive(ending: Ending, { course, follow }: Standing): Fault {
	const { name } = follow.subscription;
	const times =
		course.failures > 1 ? `, ${course.failures} times in a row` : "";
	const next = "try --via poll";
	if (ending.kind === "silent")
		return new Fault("timed-out", {
			what: `the stream of ${name} never became active`,
			why: `no ${NOTIFICATIONS.active} came within ${follow.staleAfterMs / 1000} s${times}`,
			next,
		});
	return new Fault("no-response", {
		what: `the stream of ${name} never became active`,
		why: `the server ended it before${times}`,
		next,
	});
}
