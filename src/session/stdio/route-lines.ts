// Tells the lines on a child's stdout apart: which exchange each belongs to (base.md, stdio).
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
	scanMessage,
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

export interface RouterTold {
	odd: Odd;
	/** Handed what the server asks of us. */
	onRequest(request: Message & { kind: "request" }): void;
}

/** Knows the exchanges that are open, and gives each what is its own. */
export class LineRouter {
	readonly #told: RouterTold;
	readonly #open = new Map<RequestId, ExchangeQueue>();
	readonly #closed = new Set<RequestId>();
	readonly #touched = new Set<ExchangeQueue>();
	#strayCount = 0;
	#lastStray = "";

	constructor(told: RouterTold) {
		this.#told = told;
	}

	/** What was on stdout and is no message, for a fault's `why`; undefined if all was well. */
	get strayLines(): string | undefined {
		const count = this.#strayCount;
		if (count === 0) return undefined;
		const lines =
			count === 1
				? "1 line on stdout that is no JSON-RPC message"
				: `${count} lines on stdout that are no JSON-RPC messages`;
		return `it wrote ${lines}, the last beginning ${JSON.stringify(this.#lastStray)}`;
	}

	open(queue: ExchangeQueue): void {
		this.#open.set(queue.id, queue);
	}

	/** Late messages for its id are dropped from here on. */
	close(queue: ExchangeQueue): void {
		this.#open.delete(queue.id);
		this.#touched.delete(queue);
		this.#closed.add(queue.id);
		const [oldest] = this.#closed;
		if (this.#closed.size > REMEMBERED_IDS && oldest !== undefined)
			this.#closed.delete(oldest);
	}

	route(line: Buffer): void {
		const scanned = scanMessage(line);
		if (scanned) {
			this.#routeMessage(scanned);
			return;
		}
		let value: unknown;
		try {
			value = parseJsonBytes(line);
		} catch {
			if (line.toString("latin1").trim() !== "") this.#stray(line);
			return;
		}
		if (Array.isArray(value)) this.#routeBatch(line, value);
		else this.#routeValue(line, value);
	}

	/** Wakes the consumers of what was routed since the last call. */
	flush(): void {
		for (const queue of this.#touched) queue.wake();
		this.#touched.clear();
	}

	/** Ends all exchanges with an error. */
	failAll(reason: unknown): void {
		for (const queue of this.#open.values()) queue.fail(reason);
	}

	#routeBatch(bytes: Buffer, values: unknown[]): void {
		this.#told.odd("the server sends batches, which only 2025-03-26 knows");
		elementSpans(bytes).forEach(({ start, end }, at) => {
			this.#routeValue(bytes.subarray(start, end), values[at]);
		});
	}

	#routeValue(bytes: Buffer, value: unknown): void {
		let message: Message;
		try {
			message = messageFrom(bytes, value);
		} catch (fault) {
			// A broken answer to a request of ours ends that request; anything else is no more than a stray line.
			const id = isRecord(value) ? value.id : undefined;
			const owner = isRequestId(id) ? this.#open.get(id) : undefined;
			if (owner) owner.fail(fault);
			else this.#stray(bytes);
			return;
		}
		this.#routeMessage(message);
	}

	#routeMessage(message: Message): void {
		if (message.kind === "notification") this.#routeNotification(message);
		else if (message.kind === "request") this.#told.onRequest(message);
		else this.#routeResponse(message);
	}

	#routeResponse(message: Message & { kind: "result" | "error" }): void {
		const { id } = message;
		const owner = id === undefined ? undefined : this.#open.get(id);
		if (!owner && id !== undefined && this.#closed.has(id)) return;
		const heir = owner ?? this.#onlyUnanswered();
		if (heir) this.#give(heir, message);
		else this.#told.odd("the server answered a request that was not made");
	}

	#routeNotification(message: Message & { kind: "notification" }): void {
		const { odd } = this.#told;
		const id = subscriptionOf(message, odd);
		if (id !== undefined) {
			const owner = this.#open.get(id);
			if (owner) this.#give(owner, message);
			else if (!this.#closed.has(id))
				odd("the server sent a notification for a stream that is not open");
			return;
		}
		if (!EVENT_NOTIFICATIONS.has(message.method)) return;
		const streams = [...this.#open.values()].filter((queue) => !queue.isTimed);
		const [stream] = streams;
		if (stream && streams.length === 1) {
			odd(
				"a stream's notifications carry no subscription id; taken for the one stream that is open",
			);
			this.#give(stream, message);
		} else
			odd(
				"notifications carry no subscription id, and not just one stream is open; skipped",
			);
	}

	/** The one exchange that nothing has come for: what names no request of ours can only be meant for that. */
	#onlyUnanswered(): ExchangeQueue | undefined {
		const unanswered = [...this.#open.values()].filter(
			(queue) => !queue.hasBegun,
		);
		return unanswered.length === 1 ? unanswered[0] : undefined;
	}

	#give(queue: ExchangeQueue, message: Message): void {
		queue.push(message);
		this.#touched.add(queue);
	}

	#stray(line: Buffer): void {
		this.#strayCount++;
		this.#lastStray = line.subarray(0, 120).toString("utf8");
		this.#told.odd(
			"the command writes lines on stdout that are no JSON-RPC messages",
		);
	}
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
