// One request and its answer by the guarded path: bounded in time and in bytes, and never redirected.
import {
	type IncomingHttpHeaders,
	type IncomingMessage,
	request as startRequest,
} from "node:http";
import type { Clock } from "../clock.ts";
import { CallFailure, codeOf } from "./call-failure.ts";
import { bareHost, portOf } from "./callback-url.ts";
import { Connections, type GuardedRequest } from "./connections.ts";
import type { DialOptions } from "./dial.ts";
import type { Guard } from "./guard.ts";

export interface Call {
	url: URL;
	method: "GET" | "POST";
	headers: Readonly<Record<string, string>>;
	body?: string | Buffer | undefined;
	/** More of the answer's body is never read. */
	bodyLimitBytes: number;
	/** Leaves the connection open for the next call. */
	keepAlive?: boolean | undefined;
	/** Aborts the call, which then rejects with the signal's reason. */
	signal?: AbortSignal | undefined;
}

export interface Answer {
	status: number;
	headers: IncomingHttpHeaders;
	/** Undefined where it was longer than its limit. */
	body: Buffer | undefined;
}

export interface GuardedPath {
	/** Throws CallFailure, or the reason of the call's own signal. */
	exchange(call: Call): Promise<Answer>;
	close(): void;
}

const MOST_HEADER_BYTES = 8 * 1024;

export function openGuardedPath(
	options: DialOptions & { guard: Guard; clock: Clock; deadlineMs: number },
): GuardedPath {
	// http.Agent names a connection by host and port alone, so the two kinds must not share one.
	const open = {
		"https:": new Connections(options),
		"http:": new Connections(options),
	};
	const underWay = new Set<Limit>();
	return {
		async exchange(call) {
			const limit = openLimit(options, call.signal);
			underWay.add(limit);
			const agent = open[call.url.protocol === "http:" ? "http:" : "https:"];
			try {
				limit.signal.throwIfAborted();
				return await send(call, { agent, signal: limit.signal });
			} finally {
				limit.end();
				underWay.delete(limit);
			}
		},
		close() {
			const closed = new CallFailure("connection_refused");
			for (const limit of underWay) limit.abort(closed);
			for (const agent of Object.values(open)) agent.destroy();
		},
	};
}

interface Way {
	agent: Connections;
	signal: AbortSignal;
}

async function send(call: Call, way: Way): Promise<Answer> {
	const first = await attempt(call, way);
	if (first.kind === "answer") return first.answer;
	// The endpoint closed a kept connection just as we wrote to it: it has seen nothing yet, so a new one is tried.
	const second = first.isStale ? await attempt(call, way) : first;
	if (second.kind === "answer") return second.answer;
	// Whatever broke after the connection stood, a reset or an answer that is no HTTP, is told as none that could be made.
	throw codeOf(second.error) === ""
		? second.error
		: new CallFailure("connection_refused", { cause: second.error });
}

type Attempt =
	| { kind: "answer"; answer: Answer }
	| { kind: "error"; error: unknown; isStale: boolean };

function attempt(call: Call, { agent, signal }: Way): Promise<Attempt> {
	const { url, method, headers, body } = call;
	const options: GuardedRequest = {
		agent,
		method,
		host: bareHost(url),
		port: portOf(url),
		path: url.pathname + url.search,
		// Named outright: neither the address dialled nor a default port of plain http belongs into it.
		headers: {
			...headers,
			host: url.host,
			connection: call.keepAlive ? "keep-alive" : "close",
			...(body !== undefined && {
				"content-length": String(Buffer.byteLength(body)),
			}),
		},
		maxHeaderSize: MOST_HEADER_BYTES,
		call: { url, signal },
	};
	return new Promise((resolve) => {
		const request = startRequest(options);
		let isAnswered = false;
		const settle = (outcome: Attempt) => {
			signal.removeEventListener("abort", abort);
			resolve(outcome);
		};
		const fail = (error: unknown) => {
			const isReset = ["ECONNRESET", "EPIPE"].includes(codeOf(error));
			const isStale = request.reusedSocket && !isAnswered && isReset;
			request.destroy();
			settle({ kind: "error", error, isStale });
		};
		// Settled by ourselves: a request that still waits for its connection would not tell.
		const abort = () => fail(signal.reason);
		signal.addEventListener("abort", abort);
		request.on("error", fail);
		request.once("close", () => {
			if (!isAnswered) fail(new CallFailure("connection_refused"));
		});
		request.once("response", (response) => {
			isAnswered = true;
			readAnswer(response, call.bodyLimitBytes).then(
				(answer) => settle({ kind: "answer", answer }),
				fail,
			);
		});
		request.end(body);
	});
}

function readAnswer(
	response: IncomingMessage,
	limitBytes: number,
): Promise<Answer> {
	const { statusCode: status = 0, headers } = response;
	const chunks: Buffer[] = [];
	let bytes = 0;
	return new Promise((resolve, reject) => {
		response.on("data", (chunk: Buffer) => {
			bytes += chunk.length;
			chunks.push(chunk);
			if (bytes <= limitBytes) return;
			resolve({ status, headers, body: undefined });
			response.destroy();
		});
		response.once("end", () =>
			resolve({ status, headers, body: Buffer.concat(chunks) }),
		);
		response.once("error", reject);
	});
}

interface Limit {
	signal: AbortSignal;
	abort(reason: unknown): void;
	/** Leaves nothing behind. */
	end(): void;
}

/** A signal that ends at the deadline, or with the caller's. `AbortSignal.any` would hold on to a long-lived one. */
function openLimit(
	{ clock, deadlineMs }: { clock: Clock; deadlineMs: number },
	outer: AbortSignal | undefined,
): Limit {
	const limit = new AbortController();
	const cancel = clock.setTimer(
		() => limit.abort(new CallFailure("timeout")),
		deadlineMs,
	);
	const abort = () => limit.abort(outer?.reason);
	if (outer?.aborted) abort();
	outer?.addEventListener("abort", abort);
	return {
		signal: limit.signal,
		abort: (reason) => limit.abort(reason),
		end() {
			cancel();
			outer?.removeEventListener("abort", abort);
		},
	};
}
