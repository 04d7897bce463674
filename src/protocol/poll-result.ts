// The answer to events/poll (events.md 4), in every dialect.

import { Fault } from "../faults/index.ts";
import { excerpt } from "./excerpt.ts";
import { elementSpans, memberSpans } from "./json-text.ts";
import { type Message, payloadSpan } from "./message.ts";
import {
	type Occurrence,
	type Odd,
	readCursor,
	readOccurrence,
} from "./occurrence.ts";

export interface PollResult {
	occurrences: Occurrence[];
	cursor: string | undefined;
	truncated: boolean;
	hasMore: boolean;
	/** undefined where the server sent none, or no usable number. */
	nextPollMs: number | undefined;
}

/** Reads a poll result; throws `wrong-shape` where `events` is no array or holds what is no occurrence. */
export function readPollResult(
	message: Message & { kind: "result" },
	odd: Odd,
): PollResult {
	const { events, cursor, truncated, hasMore } = message.result;
	if (events === undefined)
		odd("a poll result has no events member; read as an empty list");
	else if (!Array.isArray(events))
		throw new Fault("wrong-shape", {
			what: "the server broke the contract: events in a poll result is no array",
			why: `it sent ${excerpt(events, 200)}`,
		});
	return {
		occurrences:
			message.occurrences ??
			readOccurrences(message, (events as unknown[]) ?? [], odd),
		cursor: readCursor(cursor),
		truncated: truncated === true,
		hasMore: hasMore === true,
		nextPollMs: readNextPoll(message.result, odd),
	};
}

function readOccurrences(message: Message, values: unknown[], odd: Odd) {
	if (values.length === 0) return [];
	const result = payloadSpan(message, "result");
	const events = result && memberSpans(message.bytes, result.start);
	const spans = elementSpans(message.bytes, events?.get("events")?.start);
	return spans.map((span, at) =>
		readOccurrence(message.bytes, span, values[at], odd),
	);
}

function readNextPoll(result: Record<string, unknown>, odd: Odd) {
	const { nextPollMs, nextPollSeconds } = result;
	if (isWait(nextPollMs)) return nextPollMs;
	if (isWait(nextPollSeconds)) {
		odd("nextPollSeconds in place of nextPollMs (the oldest sketch)");
		return nextPollSeconds * 1000;
	}
	odd("a poll result has no usable nextPollMs");
	return undefined;
}

const isWait = (value: unknown): value is number =>
	typeof value === "number" && Number.isFinite(value) && value >= 0;
