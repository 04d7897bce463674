// From the frames of a stream to items, and to the cursor that they lead to (events.md 5). The hot path.
import { NOTIFICATIONS } from "../protocol/index.ts";
import type { StreamFrame } from "../session/index.ts";
import type { Ending, Standing } from "./connection.ts";
import { about, type Batch, gap, ready } from "./follow.ts";
import type { GapReason, Item } from "./item.ts";

export interface FrameReading extends Batch {
	/** Set where a frame ended the stream; what came after it is not read. */
	ending: Ending | undefined;
}

/** Turns one batch of frames into one batch of items; notes on the connection what they tell of it. */
export function readFrames(
	frames: StreamFrame[],
	standing: Standing,
): FrameReading {
	const { connection, course, follow, pieces } = standing;
	const head = about(follow, pieces.now());
	const { subscription, via, receivedAt } = head;
	const reading: FrameReading = {
		items: [],
		cursor: follow.position.cursor,
		ending: undefined,
	};
	const { items } = reading;
	if (frames.length > 0) {
		connection.hasHeard = true;
		course.hasHeard = true;
	}
	for (let at = 0; at < frames.length; at++) {
		const frame = frames[at] as StreamFrame;
		switch (frame.kind) {
			case "event": {
				const { occurrence } = frame;
				const isNew = follow.seen.isNew(occurrence.eventId);
				if (isNew)
					items.push({
						subscription,
						via,
						receivedAt,
						kind: "event",
						occurrence,
					});
				if (!connection.isActive)
					follow.odd(`an event came before ${NOTIFICATIONS.active}`);
				const isSettled = connection.hasMoved && follow.position.isServed;
				// Most cursors need not be read: once it is known to move, the last one of a row of events is all that counts.
				if (!isSettled)
					moveOn(reading, occurrence.cursor, { isRepeated: !isNew, standing });
				else if (frames[at + 1]?.kind !== "event")
					reading.cursor = lastCursor(frames, at) ?? reading.cursor;
				// Where there are no cursors, a new event is all the progress there is.
				if (isNew && !follow.position.isServed) connection.hasMoved = true;
				break;
			}
			case "heartbeat":
				moveOn(reading, frame.cursor, { isRepeated: false, standing });
				if (follow.heartbeats)
					items.push({ ...head, kind: "heartbeat", cursor: frame.cursor });
				break;
			case "active":
				readActive(frame, reading, { head, standing });
				break;
			case "error":
				items.push({ ...head, kind: "error", error: frame.error });
				break;
			case "terminated":
				items.push({ ...head, kind: "terminated", error: frame.error });
				reading.ending = { kind: "terminated", error: frame.error };
				return reading;
			case "ended":
				reading.ending = { kind: "ended" };
				return reading;
		}
	}
	return reading;
}

/** The last cursor of the row of events that ends at `end`. A null wipes nothing. */
function lastCursor(frames: StreamFrame[], end: number): string | undefined {
	for (let at = end; at >= 0; at--) {
		const frame = frames[at];
		if (frame?.kind !== "event") return undefined;
		const { cursor } = frame.occurrence;
		if (cursor !== undefined) return cursor;
	}
	return undefined;
}

/** A null wipes nothing. What a server says again, because it begins anew each time, brings no further. */
function moveOn(
	reading: Batch,
	cursor: string | undefined,
	{ isRepeated, standing }: { isRepeated: boolean; standing: Standing },
): void {
	if (cursor === undefined) return;
	standing.follow.position.isServed = true;
	if (cursor === reading.cursor) return;
	reading.cursor = cursor;
	if (!isRepeated && cursor !== standing.connection.asked)
		standing.connection.hasMoved = true;
}

type Head = ReturnType<typeof about>;

function readActive(
	frame: StreamFrame & { kind: "active" },
	reading: { items: Item[]; cursor: string | undefined },
	{ head, standing }: { head: Head; standing: Standing },
): void {
	const { connection, course, follow } = standing;
	const { position } = follow;
	const isOpening = !connection.isActive;
	const isRejected = course.rejected !== undefined;
	// Whoever reconnects without a cursor starts from now: what happened in between is lost.
	const isAfterBreak = connection.isAfterBreak && !position.isServed;
	const isLossy = isOpening && (isAfterBreak || follow.isUnanchored);
	if (frame.cursor !== undefined) position.isServed = true;
	else if (frame.truncated && !position.isServed)
		follow.odd("truncated, of a type without cursors: ignored");
	reading.cursor = frame.cursor ?? (isRejected ? undefined : reading.cursor);
	const { cursor } = reading;
	if (isOpening) reading.items.push(ready(cursor, { follow, head }));
	connection.isActive = true;
	course.hasWorked = true;
	course.rejected = undefined;
	const tell = (reason: GapReason) =>
		reading.items.push(gap(reason, cursor, { follow, head }));
	if (isRejected) tell("cursor-rejected");
	else if (isLossy) tell("no-cursor");
	else if (frame.truncated && position.isServed) tell("truncated");
	follow.isUnanchored = false;
}
