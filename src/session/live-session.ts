// An open session: its calls go over the current connection, which is made anew where the server forgot or ended it.
import { Fault } from "../faults/index.ts";
import type { Message } from "../protocol/index.ts";
import { type CallPieces, callOnce, callStream } from "./calls.ts";
import {
	type Connection,
	type ConnectOptions,
	connect,
	type SessionTarget,
} from "./connect.ts";
import { headersOf } from "./envelope.ts";
import type { HttpTransport } from "./http/index.ts";
import { negotiate } from "./negotiate.ts";
import { readServerFacts } from "./server-facts.ts";
import type {
	Patiently,
	RequestOptions,
	ServerFacts,
	Session,
	StreamOptions,
} from "./session.ts";
import type { Transport } from "./transport.ts";

/** What is still being sent on the side when a session is closed gets this long. */
const ERRANDS_MS = 1_000;

interface Parts {
	target: SessionTarget;
	how: ConnectOptions;
	connection: Connection;
	onClosed(): void;
	patiently: Patiently | undefined;
}

/** See `Session`. A child that ended is started again by the next call, not by the one that met its end. */
export class LiveSession implements Session {
	server: ServerFacts;
	readonly #parts: Parts;
	readonly #pieces: CallPieces;
	readonly #ending = new AbortController();
	#connection: Connection;
	#hasEnded = false;
	#renewal: Promise<Connection> | undefined;
	#closing: Promise<void> | undefined;

	constructor(parts: Parts) {
		const { clientInfo, newId, odd } = parts.how;
		this.#parts = parts;
		this.#pieces = { clientInfo, newId, odd, errands: new Set() };
		this.#connection = parts.connection;
		this.server = readServerFacts(parts.connection, parts.how);
	}

	async request(
		method: string,
		params: Record<string, unknown>,
		options: RequestOptions = {},
	): Promise<Message & { kind: "result" }> {
		const { patiently } = this.#parts;
		const ask = () => this.#request(method, params, options);
		return options.isPatient && patiently ? await patiently(ask) : await ask();
	}

	async #request(
		method: string,
		params: Record<string, unknown>,
		options: RequestOptions,
	): Promise<Message & { kind: "result" }> {
		const { signal, timeoutMs = this.#parts.how.timeoutMs } = options;
		const what = { call: { method, params }, options: { signal, timeoutMs } };
		const connection = await this.#current(signal);
		try {
			return await callOnce(connection, what, this.#pieces);
		} catch (error) {
			if (!this.#isForgotten(error, connection)) throw error;
		}
		const renewed = await this.#renew(connection, signal);
		return callOnce(renewed, what, this.#pieces);
	}

	async *openStream(
		method: string,
		params: Record<string, unknown>,
		options: StreamOptions = {},
	): AsyncGenerator<Message[]> {
		const { signal } = options;
		const what = { call: { method, params }, options };
		const connection = await this.#current(signal);
		let hasBegun = false;
		try {
			for await (const batch of callStream(connection, what, this.#pieces)) {
				hasBegun = true;
				yield batch;
			}
			return;
		} catch (error) {
			if (!this.#isForgotten(error, connection) || hasBegun) throw error;
		}
		const renewed = await this.#renew(connection, signal);
		yield* callStream(renewed, what, this.#pieces);
	}

	close(): Promise<void> {
		this.#closing ??= this.#end();
		return this.#closing;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	async #end(): Promise<void> {
		this.#ending.abort(
			new Fault("connection-failed", {
				what: "the session was closed while it was in use",
			}),
		);
		await this.#renewal?.catch(() => {});
		const { transport, agreed } = this.#connection;
		await within(Promise.all(this.#pieces.errands), ERRANDS_MS);
		if (agreed.sessionId !== undefined && isHttp(transport))
			await transport.endSession(headersOf(agreed));
		await transport.close();
		this.#parts.onClosed();
	}

	async #current(signal: AbortSignal | undefined): Promise<Connection> {
		if (this.#hasEnded || this.#renewal)
			return this.#renew(this.#connection, signal);
		return this.#connection;
	}

	/** Whether the same call may succeed once the session has been begun again. Notes the end of a child. */
	#isForgotten(error: unknown, { transport, agreed }: Connection): boolean {
		if (!(error instanceof Fault)) return false;
		if (
			error.code === "child-ended" &&
			transport === this.#connection.transport
		)
			this.#hasEnded = true;
		const isUnfit = error.wire?.name === "UnsupportedProtocolVersion";
		if (isHttp(transport) && isUnfit) return true;
		return (
			error.httpStatus === 404 &&
			agreed.sessionId !== undefined &&
			error.wire?.name !== "MethodNotFound"
		);
	}

	/** Many calls may find out at once; one of them begins again, and all wait for it. */
	#renew(
		from: Connection,
		signal: AbortSignal | undefined,
	): Promise<Connection> {
		signal?.throwIfAborted();
		if (from !== this.#connection) return Promise.resolve(this.#connection);
		this.#renewal ??= this.#beginAgain(from).finally(() => {
			this.#renewal = undefined;
		});
		return unlessAborted(this.#renewal, signal);
	}

	async #beginAgain(from: Connection): Promise<Connection> {
		const { target, how } = this.#parts;
		const { signal } = this.#ending;
		signal.throwIfAborted();
		if (isHttp(from.transport)) {
			how.note("the server forgot what was agreed on: asked again");
			const { transport } = from;
			const agreed = await negotiate(transport, { ...how, signal });
			this.#connection = { transport, agreed };
		} else {
			how.note("the server command is started again");
			await from.transport.close();
			signal.throwIfAborted();
			this.#connection = await connect(target, how, signal);
			this.#hasEnded = false;
		}
		this.server = readServerFacts(this.#connection, how);
		return this.#connection;
	}
}

function isHttp(transport: Transport): transport is HttpTransport {
	return transport.kind === "http";
}

async function unlessAborted<T>(
	work: Promise<T>,
	signal: AbortSignal | undefined,
): Promise<T> {
	if (!signal) return work;
	let abort = () => {};
	const aborted = new Promise<never>((_, reject) => {
		abort = () => reject(signal.reason);
		signal.addEventListener("abort", abort);
	});
	try {
		return await Promise.race([work, aborted]);
	} finally {
		signal.removeEventListener("abort", abort);
	}
}

async function within(work: Promise<unknown>, limitMs: number): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const over = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, limitMs);
	});
	await Promise.race([work, over]);
	clearTimeout(timer);
}
