// events/stream: the notifications of one subscription as frames, occurrences in their own bytes (events.md 5).
// The hot path of a tail.
import {
	excerpt,
	isRecord,
	METHODS,
	type Message,
	NOTIFICATIONS,
	type Odd,
	payloadSpan,
	readCursor,
	readOccurrence,
	readWireError,
} from "../protocol/index.ts";
import { wireParams } from "./poll-events.ts";
import type {
	Session,
	StreamFrame,
	StreamOptions,
	SubscriptionParams,
} from "./session.ts";

/** Notifications that a legacy server may send unasked, anywhere (base.md, Legacy in short). */
const UNASKED =
	/^notifications\/(message|progress|(tools|prompts|resources)\/)/;

/**
 * Opens one stream and yields what it says, in batches as it arrives, each emptied when the next is asked for; after
 * "ended" nothing more comes. Throws what `openStream` throws, an error response too, and `wrong-shape` for what cannot
 * be read, after all that came before it.
 */
export async function* openEventStream(
	session: Session,
	params: SubscriptionParams,
	{ odd, ...options }: StreamOptions & { odd: Odd },
): AsyncGenerator<StreamFrame[]> {
	const batches = session.openStream(
		METHODS.stream,
		wireParams(params),
		options,
	);
	for await (const batch of batches) {
		const { frames, failure } = readBatch(batch, odd);
		const isOver = frames.at(-1)?.kind === "ended";
		if (frames.length > 0) yield frames;
		// Whoever passed them on keeps hold of them until the next: of many streams that is much.
		frames.length = 0;
		if (failure !== undefined) throw failure;
		if (isOver) return;
	}
}

function readBatch(
	batch: Message[],
	odd: Odd,
): { frames: StreamFrame[]; failure: unknown } {
	const frames: StreamFrame[] = [];
	try {
		for (const message of batch) {
			const frame = readFrame(message, odd);
			if (frame) frames.push(frame);
		}
	} catch (failure) {
		return { frames, failure };
	}
	return { frames, failure: undefined };
}

function readFrame(message: Message, odd: Odd): StreamFrame | undefined {
	if (message.kind === "result") return readEnd(message, odd);
	if (message.kind !== "notification") return undefined;
	const { method, params } = message;
	switch (method) {
		case NOTIFICATIONS.event:
			return readEvent(message, odd);
		case NOTIFICATIONS.heartbeat:
			return { kind: "heartbeat", cursor: readCursor(params.cursor) };
		case NOTIFICATIONS.active:
			return readActive(params, odd);
		case NOTIFICATIONS.error:
			return readError("error", params.error, odd);
		case NOTIFICATIONS.terminated:
			return readError("terminated", params.error, odd);
		case NOTIFICATIONS.cancelled:
			odd("the server cancelled the stream itself; taken for its end");
			return { kind: "ended" };
	}
	if (!UNASKED.test(method))
		odd(`${method.slice(0, 100)} came on an events stream; skipped`);
	return undefined;
}

function readActive(params: Record<string, unknown>, odd: Odd): StreamFrame {
	if (params._meta === undefined && params.requestId !== undefined)
		odd("params.requestId in place of _meta (the oldest dialect)");
	return {
		kind: "active",
		cursor: readCursor(params.cursor),
		truncated: params.truncated === true,
	};
}

function readEvent(
	message: Message & { kind: "notification" },
	odd: Odd,
): StreamFrame {
	if (message.occurrence)
		return { kind: "event", occurrence: message.occurrence };
	const { bytes, params } = message;
	// Absent params were read as {}: that is no occurrence either, and is told of as such.
	const span = payloadSpan(message, "params") ?? { start: 0, end: 0 };
	return {
		kind: "event",
		occurrence: readOccurrence(bytes, span, params, odd),
	};
}

/** An ending counts whatever is wrong with its error; an error that survives says nothing without one. */
function readError(
	kind: "error" | "terminated",
	value: unknown,
	odd: Odd,
): StreamFrame | undefined {
	const error = readWireError(value);
	if (error) return { kind, error };
	odd(`notifications/events/${kind} came without a readable error`);
	if (kind === "error") return undefined;
	return { kind, error: { name: "Unknown", code: 0, message: "" } };
}

function readEnd(message: Message & { kind: "result" }, odd: Odd): StreamFrame {
	const { resultType, _meta } = message.result;
	if (resultType !== undefined && resultType !== "complete")
		odd(
			`the final frame of a stream has the resultType ${excerpt(resultType, 60)}`,
		);
	if (_meta !== undefined && !isRecord(_meta))
		odd("the final frame of a stream has a _meta that is no object");
	return { kind: "ended" };
}
