// What is known of one connection of a stream, how it ended, and what follows from that.
import { Fault, type WireErrorFacts } from "../faults/index.ts";
import { NOTIFICATIONS } from "../protocol/index.ts";
import type { Follow, Pieces } from "./follow.ts";
import {
	isBroken,
	isCursorSuspect,
	isShutOut,
	retryDelayMs,
	type Step,
} from "./retry.ts";
import { terminatedFault } from "./terminated-fault.ts";

/** What a stream remembers from one connection to the next. */
export interface Course {
	/** Whether any frame has ever come. */
	hasHeard: boolean;
	/** Whether a stream has ever been active. */
	hasWorked: boolean;
	/** Connections in a row that died without having lived. */
	failures: number;
	/** Connections in a row that ended in what could not be read, without progress. */
	broken: number;
	/** The refusal of a cursor, while `null` is tried in its place. */
	rejected: Fault | undefined;
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

/** Decides between giving up, trying a null cursor, and connecting again after a while. */
export function afterConnection(ending: Ending, standing: Standing): Step {
	const { connection, course, follow, pieces } = standing;
	if (ending.kind === "terminated")
		return {
			kind: "stop",
			fault: terminatedFault(ending.error, follow.subscription.label),
		};
	const fault = ending.kind === "fault" ? ending.fault : undefined;
	const verdict = fault && afterFault(fault, standing);
	if (verdict) return verdict;
	const hasLived =
		connection.hasHeard && pieces.now() - connection.openedAt >= ALIVE_MS;
	course.failures = hasLived || connection.hasMoved ? 0 : course.failures + 1;
	if (connection.hasMoved && !fault) course.broken = 0;
	const { retry } = follow;
	if (!course.hasWorked && course.failures >= retry.connectTries)
		return { kind: "stop", fault: fault ?? neverActive(ending, follow) };
	const delayMs = retryDelayMs(
		course.failures,
		{ retry, fault },
		pieces.random,
	);
	return { kind: "wait", delayMs };
}

/** undefined: connecting again may help. */
function afterFault(fault: Fault, standing: Standing): Step | undefined {
	const { connection, course } = standing;
	if (!connection.hasHeard && isCursorSuspect(fault)) {
		if (course.rejected) return { kind: "stop", fault: course.rejected };
		if (connection.asked !== undefined) {
			course.rejected = fault;
			return { kind: "again" };
		}
	}
	if (fault.isTransient) return undefined;
	// A stream that was open is over only by `terminated`; a refusal to open one is an answer (events.md 5).
	const isWorthRetry =
		connection.hasHeard || (course.hasWorked && isBroken(fault));
	if (!isWorthRetry || isShutOut(fault)) return { kind: "stop", fault };
	course.broken = connection.hasMoved ? 1 : course.broken + 1;
	const isUsedUp = course.broken >= standing.follow.retry.brokenTries;
	return isUsedUp ? { kind: "stop", fault } : undefined;
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

function neverActive(ending: Ending, follow: Follow): Fault {
	const { name } = follow.subscription;
	if (ending.kind === "silent")
		return new Fault("timed-out", {
			what: `the stream of ${name} never became active`,
			why: `no ${NOTIFICATIONS.active} came within ${follow.staleAfterMs / 1000} s, ${follow.retry.connectTries} times in a row`,
			next: "try --via poll",
		});
	return new Fault("no-response", {
		what: `the stream of ${name} never became active`,
		why: `the server ended it before, ${follow.retry.connectTries} times in a row`,
		next: "try --via poll",
	});
}
