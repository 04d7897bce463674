// Tells the lines on a child's stdout apart: which exchange each belongs to (base.md, stdio).
import { Fault } from "../../faults/index.ts";
import {
	elementSpans,
	isRecord,
	isRequestId,
	META,
	type Message,
	messageFrom,
	NOTIFICATIONS,
	type Odd,
	parseJsonBytes,
	type RequestId,
} from "../../protocol/index.ts";
import type { ExchangeQueue } from "./exchange-queue.ts";

/** Ids of which late messages may come are remembered up to this number. */
const REMEMBERED_IDS = 1_000;
const EVENT_NOTIFICATIONS: ReadonlySet<string> = new Set([
	NOTIFICATIONS.active,
	NOTIFICATIONS.event,
	NOTIFICATIONS.heartbeat,
	NOTIFICATIONS.error,
	NOTIFICATIONS.terminated,
]);

export interface LineRouter {
	readonly exchanges: Iterable<ExchangeQueue>;
	/** What was on stdout and is no message, for a fault's `why`; undefined if all was well. */
	readonly strayLines: string | undefined;
	open(queue: ExchangeQueue): void;
	/** Late messages for its id are dropped from here on. */
	close(queue: ExchangeQueue): void;
	route(line: Buffer): void;
	/** Wakes the consumers of what was routed since the last call. */
	flush(): void;
	/** Ends all exchanges with an error. */
	failAll(reason: unknown): void;
}

/** `onRequest` is handed what the server asks of us. */
export function createLineRouter(told: {
	odd: Odd;
	onRequest(request: Message & { kind: "request" }): void;
}): LineRouter {
	const open = new Map<RequestId, ExchangeQueue>();
	const closed = new Set<RequestId>();
	const touched = new Set<ExchangeQueue>();
	let strayCount = 0;
	let lastStray = "";

	const give = (queue: ExchangeQueue | undefined, message: Message) => {
		if (!queue) return;
		queue.push(message);
		touched.add(queue);
	};

	/** The one exchange that nothing has come for: what names no request of ours can only be meant for that. */
	const onlyUnanswered = () => {
		const unanswered = [...open.values()].filter((queue) => !queue.hasBegun);
		return unanswered.length === 1 ? unanswered[0] : undefined;
	};

	const routeResponse = (message: Message & { kind: "result" | "error" }) => {
		const { id } = message;
		const owner = id === undefined ? undefined : open.get(id);
		if (owner) return give(owner, message);
		if (id !== undefined && closed.has(id)) return;
		const heir = onlyUnanswered();
		if (heir) return give(heir, message);
		told.odd("the server answered a request that was not made");
	};

	const routeNotification = (message: Message & { kind: "notification" }) => {
		const id = subscriptionOf(message, told.odd);
		if (id !== undefined) {
			const owner = open.get(id);
			if (owner) give(owner, message);
			else if (!closed.has(id))
				told.odd(
					"the server sent a notification for a stream that is not open",
				);
			return;
		}
		if (!EVENT_NOTIFICATIONS.has(message.method)) return;
		const streams = [...open.values()].filter((queue) => !queue.isTimed);
		told.odd(
			streams.length === 1
				? "a stream's notifications carry no subscription id; taken for the one stream that is open"
				: "a stream's notifications carry no subscription id, and several or no streams are open; skipped",
		);
		if (streams.length === 1) give(streams[0], message);
	};

	const routeMessage = (message: Message) => {
		if (message.kind === "notification") routeNotification(message);
		else if (message.kind === "request") told.onRequest(message);
		else routeResponse(message);
	};

	const stray = (line: Buffer) => {
		strayCount++;
		lastStray = line.subarray(0, 120).toString("utf8");
		told.odd(
			"the command writes lines on stdout that are no JSON-RPC messages",
		);
	};

	const routeValue = (bytes: Buffer, value: unknown) => {
		try {
			routeMessage(messageFrom(bytes, value));
		} catch (fault) {
			// A broken answer to a request of ours ends that request; anything else is no more than a stray line.
			const id =
				isRecord(value) && isRequestId(value.id) ? value.id : undefined;
			const owner = id === undefined ? undefined : open.get(id);
			if (owner && fault instanceof Fault) owner.fail(fault);
			else stray(bytes);
		}
	};

	const routeBatch = (bytes: Buffer, values: unknown[]) => {
		told.odd("the server sends batches, which only 2025-03-26 knows");
		elementSpans(bytes).forEach((span, at) => {
			routeValue(bytes.subarray(span.start, span.end), values[at]);
		});
	};

	return {
		get exchanges() {
			return open.values();
		},
		get strayLines() {
			if (strayCount === 0) return undefined;
			return `it wrote ${strayCount} ${strayCount === 1 ? "line" : "lines"} on stdout that ${strayCount === 1 ? "is no JSON-RPC message" : "are no JSON-RPC messages"}, the last beginning ${JSON.stringify(lastStray)}`;
		},
		open(queue) {
			open.set(queue.id, queue);
		},
		close(queue) {
			open.delete(queue.id);
			touched.delete(queue);
			closed.add(queue.id);
			if (closed.size > REMEMBERED_IDS)
				for (const oldest of closed) {
					closed.delete(oldest);
					break;
				}
		},
		route(line) {
			let value: unknown;
			try {
				value = parseJsonBytes(line);
			} catch {
				if (line.toString("latin1").trim() !== "") stray(line);
				return;
			}
			if (Array.isArray(value)) routeBatch(line, value);
			else routeValue(line, value);
		},
		flush() {
			for (const queue of touched) queue.wake();
			touched.clear();
		},
		failAll(reason) {
			for (const queue of open.values()) queue.fail(reason);
		},
	};
}

/** Which request a notification belongs to: `_meta`, or the oldest dialect's `requestId`. */
function subscriptionOf(
	message: Message & { kind: "notification" },
	odd: Odd,
): RequestId | undefined {
	const { _meta: meta, requestId } = message.params;
	if (isRecord(meta)) {
		const id = meta[META.subscriptionId];
		if (isRequestId(id)) return id;
	}
	if (!isRequestId(requestId)) return undefined;
	if (message.method !== NOTIFICATIONS.cancelled)
		odd(
			"params.requestId in place of the subscription id (the oldest dialect)",
		);
	return requestId;
}
