// The exchanges of one server over Streamable HTTP: a POST for each message, its answer read as it comes.

import { Fault, type FaultCode } from "../../faults/index.ts";
import {
	type Connector,
	type ExchangeLimit,
	exchangeFault,
	openLimit,
	plainToTlsFault,
	safeUrl,
} from "../../network/index.ts";
import type { Message } from "../../protocol/index.ts";
import type {
	ExchangeOptions,
	OutgoingRequest,
	ResponseFacts,
	RpcTraceEntry,
	Transport,
} from "../transport.ts";
import { type Asked, expectSuccess, readAnswer } from "./answer.ts";
import { endsAnswer } from "./batches.ts";
import { type Answer, endBody, headerOf } from "./body.ts";
import type { Connections, WireRequest } from "./connections.ts";
import { requestHeaders, type UserHeaders } from "./headers.ts";
import { makeTracer, type Tracer } from "./trace.ts";

export interface HttpTransport extends Transport {
	readonly kind: "http";
	/** Answers a request of the server (legacy era): POSTs the response. Faults as of `notify`. */
	respond(
		message: Record<string, unknown>,
		headers: Record<string, string>,
	): Promise<void>;
	/** Asks the server to forget the session (DELETE). Bounded in time; whatever comes of it is ignored. */
	endSession(headers: Record<string, string>): Promise<void>;
}

/** What an exchange needs to know of how the transport was opened. */
export interface HttpOptions {
	/** For DNS, TCP, proxy and TLS together. */
	connectTimeoutMs: number;
	maxMessageBytes: number;
	/** Told what is worth a line at --verbose. */
	note: (text: string) => void;
	trace?: ((entry: RpcTraceEntry) => void) | undefined;
	/** How many streams will be open side by side, where that is known. */
	streams?: number | undefined;
	/** Epoch milliseconds; only for a Retry-After date of a server that sends no Date. */
	now?: (() => number) | undefined;
}

const NOTIFY_LIMIT_MS = 10_000;
const END_SESSION_LIMIT_MS = 2_000;
/** What a TLS port makes of plain HTTP, besides a 400: it closes, or answers with an alert. */
const DOUBTFUL: ReadonlySet<FaultCode> = new Set([
	"connection-failed",
	"http-unexpected",
]);

export interface HttpParts {
	url: URL;
	user: UserHeaders;
	options: HttpOptions;
	connector: Connector;
	connections: Connections;
	closing: AbortController;
}

/** Made by `openHttpTransport` alone. */
export class Http implements HttpTransport {
	readonly kind = "http";
	readonly label: string;
	readonly #parts: HttpParts;
	readonly #tracer: Tracer;
	#hasSkipped = false;
	/** Once a message has come, the port is known to be the right one. */
	#hasSucceeded = false;

	constructor(parts: HttpParts) {
		this.#parts = parts;
		this.label = safeUrl(parts.url);
		this.#tracer = makeTracer(parts.options.trace, parts.url, parts.user);
	}

	async *exchange(
		{ id, method, params, headers }: OutgoingRequest,
		options: ExchangeOptions = {},
	): AsyncGenerator<Message[]> {
		const limit = this.#openLimit(options.signal, options.timeoutMs);
		let answer: Answer | undefined;
		let isComplete = false;
		try {
			const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
			answer = await this.#send({ method: "POST", headers, body }, limit);
			options.onResponse?.(factsOf(answer));
			const batches = readAnswer(answer, {
				...this.#asked(),
				maxMessageBytes: this.#parts.options.maxMessageBytes,
				id,
				skipped: (type) => this.#noteSkipped(type),
				gate: options.gate,
			});
			for await (const batch of batches) {
				this.#hasSucceeded = true;
				this.#tracer.received(answer, batch);
				isComplete = batch.some((message) => endsAnswer(message, id));
				yield batch;
			}
			isComplete = true;
		} catch (error) {
			throw await this.#judge(error, limit);
		} finally {
			limit.end();
			if (answer) endBody(answer, isComplete);
		}
	}

	async notify(
		method: string,
		params: Record<string, unknown>,
		headers: Record<string, string>,
		signal?: AbortSignal,
	): Promise<void> {
		const message = { jsonrpc: "2.0", method, params };
		await this.#post(JSON.stringify(message), headers, signal);
	}

	async respond(
		message: Record<string, unknown>,
		headers: Record<string, string>,
	): Promise<void> {
		await this.#post(JSON.stringify(message), headers, undefined);
	}

	async endSession(headers: Record<string, string>): Promise<void> {
		const limit = this.#openLimit(undefined, END_SESSION_LIMIT_MS);
		try {
			endBody(await this.#send({ method: "DELETE", headers }, limit), true);
		} catch {
			// A server may know no DELETE, or be gone: there is nothing left to do for a session.
		} finally {
			limit.end();
		}
	}

	async close(): Promise<void> {
		const { closing, connections, url } = this.#parts;
		if (closing.signal.aborted) return;
		const reason = new Fault("connection-failed", {
			what: `the connection to ${url.host} was closed`,
			why: "it was closed at this end, while an answer was awaited",
		});
		closing.abort(reason);
		await connections.destroy(reason).catch(() => {});
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.close();
	}

	/** Posts what is answered by nothing. */
	async #post(
		body: string,
		headers: Record<string, string>,
		signal: AbortSignal | undefined,
	): Promise<void> {
		const limit = this.#openLimit(signal, NOTIFY_LIMIT_MS);
		let answer: Answer | undefined;
		try {
			answer = await this.#send({ method: "POST", headers, body }, limit);
			await expectSuccess(answer, this.#asked());
		} catch (error) {
			throw await this.#judge(error, limit);
		} finally {
			limit.end();
			if (answer) endBody(answer, true);
		}
	}

	async #send(
		request: Pick<WireRequest, "method" | "body"> & {
			headers: Record<string, string>;
		},
		limit: ExchangeLimit,
	): Promise<Answer> {
		const { user, connections } = this.#parts;
		limit.signal.throwIfAborted();
		const headers = requestHeaders(user, request.headers);
		this.#tracer.sent(headers, request.body ?? "");
		const { signal } = limit;
		return await limit.race(connections.send({ ...request, headers, signal }));
	}

	#openLimit(signal: AbortSignal | undefined, timeoutMs: number | undefined) {
		const { closing, url } = this.#parts;
		return openLimit({
			signals: [signal, closing.signal],
			timeoutMs,
			onTimeout: () =>
				new Fault("timed-out", {
					what: `no complete answer from ${url.host} within ${timeoutMs} ms`,
					why: "the time for one request was over before the answer had ended",
					next: "allow more time: --timeout 60s",
				}),
		});
	}

	/** Whoever ended the exchange has the word; without such a one the error speaks. */
	async #judge(error: unknown, { signal }: ExchangeLimit): Promise<unknown> {
		if (signal.aborted) return signal.reason;
		const { url, connector, closing } = this.#parts;
		const fault = exchangeFault(error, url);
		const isDoubtful =
			fault instanceof Fault &&
			(DOUBTFUL.has(fault.code) || fault.httpStatus === 400);
		if (this.#hasSucceeded || !isDoubtful) return fault;
		const isTls = await connector.speaksTls(closing.signal);
		return isTls ? plainToTlsFault(url, error) : fault;
	}

	#asked(): Asked {
		const { url, user, options } = this.#parts;
		const hadCredentials = user.names.has("authorization");
		return { url, hadCredentials, nowMs: options.now?.() };
	}

	#noteSkipped(type: string): void {
		if (this.#hasSkipped) return;
		this.#hasSkipped = true;
		this.#parts.options.note(
			`the server sends events of the type ${JSON.stringify(type)}, which carries no messages; they are skipped`,
		);
	}
}

function factsOf(answer: Answer): ResponseFacts {
	return {
		status: answer.statusCode,
		header: (name) => headerOf(answer, name.toLowerCase()),
	};
}
