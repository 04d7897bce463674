// events/stream: one subscription, pushed until either side ends it. The stream reads on only when the client has taken
// what was written: who is slow falls back in the source's buffer, and is told when it falls out of it.
import { setImmediate } from "node:timers/promises";
import { META, NOTIFICATIONS, type RequestId } from "../../protocol/index.ts";
import { repeat } from "../clock.ts";
import { Refusal } from "../refusal.ts";
import type { Settings } from "../settings.ts";
import type { Batch, ServerEvent } from "../source.ts";
import { notificationText } from "./envelope.ts";
import type { SubscriptionRequest } from "./subscription.ts";

/** Where a stream's messages go. */
export interface Sink {
	/** A message as it stands on this transport. */
	frame(message: string): string;
	/** Writes framed messages at once; resolves when more may be written, or the client is gone. Never rejects. */
	write(text: string): Promise<void>;
	/** Breaks the connection off; missing where there is none of the stream's own. */
	cut?(): void;
}

export interface StreamEnds {
	/** The client is gone, or cancelled: not one more byte. */
	cancelled: AbortSignal;
	/** The server ends the stream: it finishes the write that it is in. A Refusal as its reason ends the subscription. */
	ending: AbortSignal;
}

const BATCH_EVENTS = 500;
const WRITE_LENGTH = 64 * 1024;

/**
 * Reads the first batch, which refuses what cannot be served, then asks for the sink and writes to it until `ends`.
 * Leaves nothing behind: no timer, no watcher.
 */
export async function runStream(
	id: RequestId,
	subscription: SubscriptionRequest,
	world: {
		settings: Settings;
		ends: StreamEnds;
		openSink: () => Sink;
		/** Time to ask again whether the stream may go on. */
		onHeartbeat: () => void;
	},
): Promise<void> {
	const { settings, ends } = world;
	const { type, arguments: args, maxAgeMs } = subscription;
	const bell = createBell();
	const leave = type.watch(args, bell.ring);
	let stopHeartbeat = () => {};
	try {
		const cursor = subscription.cursor ?? (await type.head(args));
		const first = await type.read({
			arguments: args,
			cursor,
			limit: BATCH_EVENTS,
			// Without a cursor there is nothing to replay, and so nothing too old.
			sinceMs:
				subscription.cursor === undefined || maxAgeMs === undefined
					? undefined
					: settings.clock.now() - maxAgeMs,
		});
		if (ends.cancelled.aborted) return;
		const hasReplay = type.hasReplay !== false;
		const sink = world.openSink();
		const writer = createWriter(id, sink, { ends, hasReplay });
		stopHeartbeat = repeat(settings.clock, settings.heartbeatMs, () => {
			world.onHeartbeat();
			writer.beat();
		});
		ends.cancelled.addEventListener("abort", bell.ring, { once: true });
		ends.ending.addEventListener("abort", bell.ring, { once: true });
		// A signal that has fired already calls nobody.
		if (isOver(ends)) bell.ring();
		await writer.activate(first);
		await writer.writeEvents(first);
		await pump(first, subscription, { writer, bell, ends, settings });
		const { reason } = ends.ending;
		if (reason instanceof Refusal)
			await writer.tell(NOTIFICATIONS.terminated, {
				error: reason.toWire(settings.numbers),
			});
	} finally {
		stopHeartbeat();
		leave();
		ends.cancelled.removeEventListener("abort", bell.ring);
		ends.ending.removeEventListener("abort", bell.ring);
	}
}

async function pump(
	first: Batch,
	{ type, arguments: args }: SubscriptionRequest,
	tools: { writer: Writer; bell: Bell; ends: StreamEnds; settings: Settings },
): Promise<void> {
	const { writer, bell, ends, settings } = tools;
	let { cursor, hasMore } = first;
	for (;;) {
		if (!hasMore) await bell.rung();
		if (isOver(ends)) return;
		try {
			const request = { arguments: args, cursor, limit: BATCH_EVENTS };
			const batch = await type.read(request);
			if (isOver(ends)) return;
			if (batch.truncated && type.hasReplay !== false)
				await writer.activate(batch);
			await writer.writeEvents(batch);
			({ cursor, hasMore } = batch);
			// A filter that fits nothing writes nothing to wait for; others have their turn between two looks.
			if (hasMore && batch.events.length === 0) await setImmediate();
		} catch (error) {
			// The stream survives a source that fails for a while; the next look comes with its next sign of life.
			hasMore = false;
			settings.note(`reading ${type.descriptor.name} failed: ${error}`);
			const failed = new Refusal("InternalError", "the source failed");
			await writer.tell(NOTIFICATIONS.error, {
				error: failed.toWire(settings.numbers),
			});
		}
	}
}

const isOver = ({ cancelled, ending }: StreamEnds) =>
	cancelled.aborted || ending.aborted;

interface Writer {
	/** Says where the stream begins, or goes on after a gap. */
	activate(batch: Batch): Promise<void>;
	tell(method: string, params: Record<string, unknown>): Promise<void>;
	writeEvents(batch: Batch): Promise<void>;
	/** A heartbeat, unless the client still has to take what was written: then it has signs of life enough. */
	beat(): void;
}

function createWriter(
	id: RequestId,
	sink: Sink,
	{ ends, hasReplay }: { ends: StreamEnds; hasReplay: boolean },
): Writer {
	const meta = `"_meta":${JSON.stringify({ [META.subscriptionId]: id })}`;
	let position: string | undefined;
	let writing = 0;

	async function write(text: string) {
		if (ends.cancelled.aborted || text === "") return;
		writing++;
		try {
			await sink.write(text);
		} finally {
			writing--;
		}
	}

	const toldCursor = (cursor: string) => (hasReplay ? cursor : null);
	const frameEvent = ({ head, cursor }: ServerEvent) =>
		sink.frame(
			`{"jsonrpc":"2.0","method":"${NOTIFICATIONS.event}","params":${head},"cursor":${JSON.stringify(toldCursor(cursor))},${meta}}}`,
		);

	async function tell(method: string, params: Record<string, unknown>) {
		await write(sink.frame(notificationText(method, params, id)));
	}

	return {
		tell,
		async activate({ from, truncated }) {
			position = from;
			await tell(NOTIFICATIONS.active, {
				cursor: toldCursor(from),
				truncated: truncated && hasReplay,
			});
		},
		async writeEvents({ events, cursor }) {
			let text = "";
			for (const event of events) {
				text += frameEvent(event);
				if (text.length < WRITE_LENGTH) continue;
				position = event.cursor;
				await write(text);
				if (isOver(ends)) return;
				text = "";
			}
			position = cursor;
			await write(text);
		},
		beat() {
			if (writing > 0 || position === undefined || isOver(ends)) return;
			void tell(NOTIFICATIONS.heartbeat, { cursor: toldCursor(position) });
		},
	};
}

interface Bell {
	ring(): void;
	/** Resolves at the next ring, or at once after one that nobody heard. */
	rung(): Promise<void>;
}

function createBell(): Bell {
	let isRung = false;
	let answer: (() => void) | undefined;
	return {
		ring() {
			isRung = true;
			answer?.();
		},
		async rung() {
			if (!isRung)
				await new Promise<void>((resolve) => {
					answer = resolve;
				});
			answer = undefined;
			isRung = false;
		},
	};
}
