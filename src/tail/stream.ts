// One subscription by events/stream: connection after connection, each from the last cursor (events.md 5 and 7).
import { Fault } from "../faults/index.ts";
import {
	openEventStream,
	type Session,
	type StreamFrame,
} from "../session/index.ts";
import {
	afterConnection,
	type Connection,
	type Course,
	type Ending,
	type Standing,
	whyEnded,
} from "./connection.ts";
import {
	type Batch,
	type Follow,
	type Loop,
	OVER,
	type Pieces,
	reconnecting,
} from "./follow.ts";
import { readFrames } from "./read-frames.ts";
import type { Gate } from "./reading.ts";
import { endWait, hear, patienceMs, startListening } from "./silence.ts";
import { openAbort, pause, SILENT, within } from "./wait.ts";

/** Streams until it is stopped, refused or terminated; see `Loop`. */
export async function* streamEvents(
	session: Session,
	follow: Follow,
	pieces: Pieces & { isProbe?: boolean },
): Loop {
	const course: Course = {
		isProbe: pieces.isProbe ?? false,
		deaths: 0,
		hasHeard: false,
		hasWorked: false,
		failures: 0,
		broken: 0,
		rejected: undefined,
	};
	while (!pieces.signal.aborted) {
		const connection: Connection = {
			asked: course.rejected ? undefined : follow.position.cursor,
			openedAt: pieces.now(),
			hasHeard: false,
			isActive: false,
			hasMoved: false,
			isAfterBreak: course.hasHeard,
		};
		const ending = yield* readConnection(session, {
			connection,
			course,
			follow,
			pieces,
		});
		if (pieces.signal.aborted) return OVER;
		const step = afterConnection(ending, {
			connection,
			course,
			follow,
			pieces,
		});
		if (step.kind === "end") return step.ended;
		if (step.kind === "again") continue;
		const why = whyEnded(ending, follow);
		const fault = ending.kind === "fault" ? ending.fault : undefined;
		const cause = { why, fault, delayMs: step.delayMs };
		yield reconnecting(cause, { follow, pieces });
		const wait = { sinceMs: pieces.now(), longestMs: step.delayMs };
		await pause(step.delayMs, pieces);
		endWait(follow, wait, pieces.now());
	}
	return OVER;
}

/** How long a probe may take: meanwhile nothing is polled. */
const PROBE_MS = 10_000;

/** Opens one stream and reads it to its end; it is cancelled when the reading ends, for whatever reason. */
async function* readConnection(
	session: Session,
	standing: Standing,
): AsyncGenerator<Batch, Ending, void> {
	const { connection, course, follow, pieces } = standing;
	const { turns } = follow;
	const turn = await turns.take(pieces.signal);
	if (!turn) return { kind: "ended" };
	connection.openedAt = pieces.now();
	const cancel = openAbort(pieces.signal);
	const gate = follow.reading.openGate();
	const { name, arguments: args } = follow.subscription;
	const frames = openEventStream(
		session,
		{
			name,
			arguments: args,
			cursor: connection.asked,
			maxAgeMs: follow.maxAgeMs,
		},
		{ signal: cancel.signal, gate, odd: follow.odd },
	)[Symbol.asyncIterator]();
	// Only the time that we spend waiting for the server counts as its silence.
	let silentMs = 0;
	try {
		for (;;) {
			const askedAt = pieces.now();
			startListening(follow, askedAt);
			const isTrial = course.isProbe && !course.hasWorked;
			const staleMs = isTrial
				? Math.min(PROBE_MS, follow.staleAfterMs)
				: follow.staleAfterMs;
			const budgetMs = Math.min(
				Math.max(0, staleMs - silentMs),
				patienceMs(follow, askedAt),
			);
			const next = await listen({ frames, gate }, budgetMs, standing);
			turn.end();
			if (next === SILENT) return { kind: "silent" };
			if (next.done) return { kind: "ended" };
			const reading = readFrames(next.value, standing);
			// Until it is active nothing else counts, so that a stream without it is found out.
			const isSign = connection.isActive && next.value.length > 0;
			if (isSign) {
				hear(follow, pieces.now());
				turns.served();
			}
			silentMs = isSign ? 0 : silentMs + Math.max(0, pieces.now() - askedAt);
			yield reading;
			// The generators between keep hold of it until the next.
			reading.items.length = 0;
			if (reading.ending) return reading.ending;
		}
	} catch (error) {
		if (error instanceof Fault) {
			turns.heed(error);
			return { kind: "fault", fault: error };
		}
		// Cancelled streams throw the signal's reason.
		if (pieces.signal.aborted) return { kind: "ended" };
		throw error;
	} finally {
		turn.end();
		cancel.abort();
		cancel.close();
		await frames.return(undefined);
	}
}

/** The next frames, or SILENT. */
async function listen(
	{ frames, gate }: { frames: AsyncIterator<StreamFrame[]>; gate: Gate },
	longestMs: number,
	{ follow, pieces }: Standing,
) {
	const sinceMs = pieces.now();
	try {
		const next = frames.next();
		let heard = await within(next, longestMs, pieces);
		// What has come and waits to be read is no silence.
		while (heard === SILENT && gate.waiting) {
			await gate.waiting;
			heard = await within(next, longestMs, pieces);
		}
		return heard;
	} finally {
		endWait(follow, { sinceMs, longestMs }, pieces.now());
	}
}
