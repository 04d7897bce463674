// What carries JSON-RPC messages to one server and back. Knows messages, not methods: what they mean is the session's.
import type { Message, RequestId } from "../protocol/index.ts";

/** One request, ready to be written to the wire. */
export interface OutgoingRequest {
	id: RequestId;
	method: string;
	params: Record<string, unknown>;
	/** Routing headers (HTTP only), lower-case names. */
	headers: Record<string, string>;
}

/** The head of an HTTP answer. stdio has none. */
export interface ResponseFacts {
	status: number;
	/** The value of a header by its name in any case; several of one name are joined by ", ". */
	header(name: string): string | undefined;
}

/**
 * Where what has come of one exchange waits before it is read, so that of many exchanges at once only a little is read
 * and not yet taken: that takes many times the memory of its bytes.
 */
export interface ReadingGate {
	/** Before so many bytes are read: resolves once there is room for them; undefined where there is. */
	enter(bytes: number): Promise<void> | undefined;
	/** They were taken, or nobody wants them; more often does no harm. */
	leave(): void;
}

export interface ExchangeOptions {
	/** Aborting ends the exchange at once: `exchange` then throws the signal's reason, not a fault. */
	signal?: AbortSignal | undefined;
	/** Whole time until the exchange ends; undefined = no limit (streams). Over: a `timed-out` fault. */
	timeoutMs?: number | undefined;
	/** HTTP only: called once with the head of the answer, before anything is yielded and before a status is judged. */
	onResponse?: ((facts: ResponseFacts) => void) | undefined;
	/** HTTP only: asked before a part of an event stream is read. */
	gate?: ReadingGate | undefined;
}

/** One message on its way, for the log of --log-rpc. Secrets in headers are masked already. */
export interface RpcTraceEntry {
	direction: "sent" | "received";
	/** HTTP only: of the request, or of the answer (with the first message of it), secrets masked. */
	headers?: Record<string, string>;
	/** The JSON text, as it stood on the wire. */
	message: Buffer | string;
	/** Epoch milliseconds, where the maker has a clock; else the receiver stamps it. */
	at?: number;
}

/** Held open until closed; every call on it may run beside the others. */
export interface Transport extends AsyncDisposable {
	readonly kind: "http" | "stdio";
	/** For messages: the URL without credentials or query, or the command. */
	readonly label: string;
	/**
	 * Sends one request; yields messages in batches as they arrive (one batch per chunk) until the response has been
	 * yielded or the answer ends. Nothing is sent before the first batch is asked for, and nothing more is read than is
	 * asked for; whoever asks for the next batch may find the last one emptied. Leaving the loop ends the exchange (on
	 * HTTP: closes the answer's stream). Server-to-client requests of the legacy era are yielded like the rest. Throws the
	 * transport's faults; ids are not compared, except to know the end: on HTTP the first result or error that names this
	 * request or no request.
	 */
	exchange(
		request: OutgoingRequest,
		options?: ExchangeOptions,
	): AsyncIterable<Message[]>;
	/** Sends one notification; on HTTP any 2xx is a success and every other status its fault. */
	notify(
		method: string,
		params: Record<string, unknown>,
		headers: Record<string, string>,
		signal?: AbortSignal,
	): Promise<void>;
	/** Ends what is open: running exchanges throw `connection-failed`. Never throws. */
	close(): Promise<void>;
}
