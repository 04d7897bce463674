// What a session is: one MCP server that can be asked things, whichever transport and era lie beneath.
import type { WireErrorFacts } from "../faults/index.ts";
import type { Message, Occurrence } from "../protocol/index.ts";
import type { ReadingGate } from "./transport.ts";

export type Era = "modern" | "legacy";

/** What was learned of the server when the session was opened. */
export interface ServerFacts {
	/** For messages and for CloudEvents `source`: the URL without credentials or query, or the command. */
	label: string;
	transport: "http" | "stdio";
	era: Era;
	protocolVersion: string;
	name: string | undefined;
	version: string | undefined;
	/** Names of the capabilities and extensions that it declared. */
	offers: string[];
	/** undefined: the Events extension was not declared in either place. */
	events: { listChanged: boolean } | undefined;
}

/** Asks once, or again where what was thrown tells of a server that is only busy. */
export type Patiently = <T>(ask: () => Promise<T>) => Promise<T>;

export interface RequestOptions {
	signal?: AbortSignal | undefined;
	/** Whole time for the answer; the session's default where absent. */
	timeoutMs?: number | undefined;
	/** Asked again where the server is only busy, in the way that the session was given; at once a fault else. */
	isPatient?: boolean | undefined;
}

export interface StreamOptions {
	signal?: AbortSignal | undefined;
	/** Where what comes waits before it is read; stdio has none. */
	gate?: ReadingGate | undefined;
}

/** Held open until closed; every call on it may run beside the others. */
export interface Session extends AsyncDisposable {
	readonly server: ServerFacts;
	/**
	 * Sends one request and returns the response that answers it. Notifications on the way are dropped. Faults: those
	 * of the transport, `timed-out`, `rpc-error` and its kin (see `faultFromWire`), `wrong-id`, `no-response`.
	 */
	request(
		method: string,
		params: Record<string, unknown>,
		options?: RequestOptions,
	): Promise<Message & { kind: "result" }>;
	/**
	 * Sends one request and yields what answers it as it arrives, in batches: notifications, then the result if the
	 * server sends one; an error throws as `request` does. No time limit. Leaving the loop, or the signal, cancels the
	 * request (abort on HTTP, `notifications/cancelled` on stdio and in the legacy era). Nothing more is read than is
	 * asked for. A connection that is cut throws `connection-failed`; one that ends in order without a response just
	 * ends.
	 */
	openStream(
		method: string,
		params: Record<string, unknown>,
		options?: StreamOptions,
	): AsyncIterable<Message[]>;
	/** Ends what is open, within 5 s. Never throws. */
	close(): Promise<void>;
}

export interface SubscriptionParams {
	name: string;
	arguments: Record<string, unknown>;
	cursor?: string | undefined;
	maxAgeMs?: number | undefined;
}

/** One thing that an events/stream says (events.md 5). Cursors: undefined for null and for none. */
export type StreamFrame =
	| { kind: "active"; cursor: string | undefined; truncated: boolean }
	| { kind: "event"; occurrence: Occurrence }
	| { kind: "heartbeat"; cursor: string | undefined }
	| { kind: "error"; error: WireErrorFacts }
	| { kind: "terminated"; error: WireErrorFacts }
	/** The response: the server ended the stream, not the subscription. */
	| { kind: "ended" };
