// A server by script: what it answers to each poll, and what it says on each stream, in the order of the requests.
import type { Fault } from "../../src/faults/index.ts";
import {
	type Descriptor,
	METHODS,
	type Message,
	NOTIFICATIONS,
	parseMessage,
} from "../../src/protocol/index.ts";
import type { Session, StreamOptions } from "../../src/session/index.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** A poll's result, or its refusal. */
export type Answer = Record<string, unknown> | Fault;
/** Notifications that come together, a wait, a fault, or a stream that stays open and says no more. */
export type Act =
	| Message[]
	/** As what fills so many bytes on the wire. */
	| { bytes: number; say: Message[] }
	| { waitMs: number }
	| Fault
	| "silence";

export interface Script {
	polls?: Answer[];
	/** What the types of each list are; after the last it is said again. Without any, a server of streams lists nothing. */
	lists?: (Partial<Descriptor> & { name: string })[][];
	/** What is said on each subscriptions/listen. */
	listens?: Act[][];
	/** By event name; "*" for any. Each stream is a list of acts; after the last the stream ends in order. */
	streams?: Record<string, Act[][]>;
}

export interface Asked {
	at: number;
	method: string;
	name: unknown;
	cursor: unknown;
	params: Record<string, unknown>;
}

/** The session, what it was asked, and how many of its streams and requests are still open. */
export class ScriptedSession implements Session {
	readonly server: Session["server"] = {
		label: "http://scripted.test/mcp",
		transport: "http",
		era: "modern",
		protocolVersion: "2026-07-28",
		name: "scripted",
		version: "1",
		offers: [],
		events: { listChanged: false },
	};
	readonly asked: Asked[] = [];
	/** Batches that were read from streams. */
	reads = 0;
	/** How often events/list was asked. */
	lists = 0;
	open = 0;
	readonly #script: Script;
	readonly #clock: VirtualClock;

	constructor(script: Script, clock: VirtualClock) {
		this.#script = script;
		this.#clock = clock;
	}

	async request(
		method: string,
		params: Record<string, unknown>,
		options: { signal?: AbortSignal | undefined } = {},
	) {
		const { lists, streams } = this.#script;
		if (method === METHODS.list && (lists || streams))
			return this.#list(options.signal);
		this.#note(method, params);
		const answer = this.#script.polls?.shift();
		this.open++;
		try {
			if (answer === undefined) return await untilAborted(options.signal);
			if (answer instanceof Error) throw answer;
			const message = messageOf({ id: 1, result: answer });
			if (message.kind !== "result") throw new Error("no result");
			return message;
		} finally {
			this.open--;
		}
	}

	/** Takes a moment, as a list over a network does. */
	async #list(signal = new AbortController().signal) {
		this.lists++;
		await this.#clock.sleep(1, signal);
		const { lists = [[]] } = this.#script;
		const types = (lists.length > 1 ? lists.shift() : lists[0]) ?? [];
		const events = types.map((type) => ({
			description: "",
			delivery: ["push", "poll"],
			inputSchema: {},
			payloadSchema: {},
			...type,
		}));
		const message = messageOf({ id: 1, result: { events } });
		if (message.kind !== "result") throw new Error("no result");
		return message;
	}

	async *openStream(
		method: string,
		params: Record<string, unknown>,
		options: StreamOptions = {},
	): AsyncGenerator<Message[]> {
		this.#note(method, params);
		const { streams, listens } = this.#script;
		const isListen = method === METHODS.listen;
		const acts = isListen
			? listens
			: (streams?.[String(params.name)] ?? streams?.["*"]);
		this.open++;
		try {
			yield* this.#play(acts?.shift() ?? ["silence"], options);
		} finally {
			options.gate?.leave();
			this.open--;
		}
	}

	async *#play(acts: Act[], { signal, gate }: StreamOptions) {
		for (const act of acts) {
			signal?.throwIfAborted();
			if (act === "silence") await untilAborted(signal);
			else if (act instanceof Error) throw act;
			else if (Array.isArray(act)) {
				this.reads++;
				yield act;
			} else if ("say" in act) {
				await gate?.enter(act.bytes);
				yield act.say;
				gate?.leave();
			} else
				await this.#clock.sleep(
					act.waitMs,
					signal ?? new AbortController().signal,
				);
		}
	}

	#note(method: string, params: Record<string, unknown>) {
		const { name, cursor } = params;
		this.asked.push({ at: this.#clock.now(), method, name, cursor, params });
	}

	async close() {}
	async [Symbol.asyncDispose]() {}
}

const untilAborted = (signal: AbortSignal | undefined) =>
	new Promise<never>((_, reject) => {
		if (signal?.aborted) reject(signal.reason);
		signal?.addEventListener("abort", () => reject(signal.reason));
	});

function messageOf(parts: Record<string, unknown>): Message {
	return parseMessage(
		Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...parts })),
	);
}

const notice = (method: string, params: Record<string, unknown>) =>
	messageOf({ method, params });

/** An occurrence as a server writes it; without a cursor where none is given. */
export const occurrence = (eventId: string, cursor?: string | null) => ({
	eventId,
	name: "tick",
	timestamp: "2026-10-01T00:00:00Z",
	data: {},
	...(cursor === undefined ? {} : { cursor }),
});

export const event = (eventId: string, cursor?: string | null) =>
	notice(NOTIFICATIONS.event, occurrence(eventId, cursor));

export const active = (cursor: string | null, truncated = false) =>
	notice(NOTIFICATIONS.active, { cursor, truncated });

export const heartbeat = (cursor: string | null) =>
	notice(NOTIFICATIONS.heartbeat, { cursor });

export const recoverable = (code: number, message: string) =>
	notice(NOTIFICATIONS.error, { error: { code, message } });

export const terminated = (code: number, message: string) =>
	notice(NOTIFICATIONS.terminated, { error: { code, message } });

export const finalFrame = () =>
	messageOf({ id: 1, result: { resultType: "complete" } });

/** A poll's result; what is not given is as a quiet server has it. */
export const answer = (
	cursor: string | null,
	ids: string[] = [],
	more: Record<string, unknown> = {},
): Answer => ({
	events: ids.map((id) => occurrence(id)),
	cursor,
	truncated: false,
	hasMore: false,
	nextPollMs: 5_000,
	...more,
});
