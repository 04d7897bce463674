// The HTTP shell of whatever receives: sockets, their bounds, and bytes in and out. What a request is, others decide.
import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Fault } from "../faults/index.ts";
import type { HeaderPair } from "../protocol/index.ts";
import type { Answer } from "./answer.ts";
import type { RequestHead } from "./judge.ts";
import type { ReceiverLimits } from "./limits.ts";

export interface ShellOptions {
	host: string;
	/** 0 for a free one. */
	port: number;
	/** PEM texts. */
	tls?: { cert: string; key: string } | undefined;
	limits: ReceiverLimits;
	/** Undefined: the connection is closed in place of an answer. Reads the body itself. */
	answer(
		request: IncomingMessage,
		head: RequestHead,
	): Promise<Answer | undefined>;
	/** Told of what `answer` threw; the sender is answered 500. Must not throw. */
	failed(error: unknown): void;
}

export interface Shell {
	/** Scheme, host and port, as one on this machine reaches it. */
	readonly origin: string;
	readonly port: number;
	/** Stops listening, lets requests in progress end for `graceMs`, then cuts them off. */
	close(graceMs?: number): Promise<void>;
}

const GRACE_MS = 2000;
/** How often Node looks for connections that have used up their time. */
const CHECK_EVERY_MS = 1000;

/** Listens. Throws `address-unusable`, or `tls-failed` for an unusable certificate. */
export async function openShell(options: ShellOptions): Promise<Shell> {
	let isClosing = false;
	const server = makeServer(options);
	server.on("request", (request: IncomingMessage, response: ServerResponse) => {
		// A sender that leaves before its answer is no fault of ours.
		response.on("error", () => {});
		const answer = (answer: Answer | undefined) => {
			// A connection that is kept alive would hold up the end.
			response.shouldKeepAlive &&= !isClosing;
			write(response, answer);
		};
		options.answer(request, headOf(request)).then(answer, (error: unknown) => {
			answer({ status: 500 });
			options.failed(error);
		});
	});
	const port = await listen(server, options);
	const host = options.host.includes(":") ? `[${options.host}]` : options.host;
	return {
		origin: `${options.tls ? "https" : "http"}://${host}:${port}`,
		port,
		close(graceMs = GRACE_MS) {
			isClosing = true;
			return closeServer(server, graceMs);
		},
	};
}

const headOf = ({ method, url, rawHeaders }: IncomingMessage): RequestHead => ({
	method: method ?? "",
	target: url ?? "",
	headers: pairsOf(rawHeaders),
});

function makeServer({ tls, limits }: ShellOptions): Server {
	const { headersTimeoutMs, requestTimeoutMs } = limits;
	const http = {
		maxHeaderSize: limits.headerBytes,
		headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
		requestTimeout: requestTimeoutMs,
		keepAliveTimeout: limits.idleTimeoutMs,
		connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, headersTimeoutMs),
	};
	let server: Server;
	try {
		server = tls
			? createTlsServer({ ...http, ...tls, handshakeTimeout: headersTimeoutMs })
			: createServer(http);
	} catch (cause) {
		throw new Fault("tls-failed", {
			what: "the certificate and key cannot be used",
			why: cause instanceof Error ? cause.message : String(cause),
			next: "give a PEM certificate and the key that belongs to it: --tls-cert FILE --tls-key FILE",
			cause,
		});
	}
	server.maxConnections = limits.connections;
	// A connection on which nothing moves at all, whatever state it is in.
	server.timeout = limits.idleTimeoutMs + requestTimeoutMs;
	return server;
}

function pairsOf(rawHeaders: readonly string[]): HeaderPair[] {
	const pairs: HeaderPair[] = [];
	for (let at = 0; at + 1 < rawHeaders.length; at += 2)
		pairs.push([rawHeaders[at] ?? "", rawHeaders[at + 1] ?? ""]);
	return pairs;
}

function write(response: ServerResponse, answer: Answer | undefined): void {
	if (!answer || response.destroyed) {
		response.destroy();
		return;
	}
	response.writeHead(answer.status, answer.headers);
	response.end(answer.body);
}

async function listen(
	server: Server,
	{ host, port }: ShellOptions,
): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		server.once("error", (cause: NodeJS.ErrnoException) =>
			reject(addressFault({ host, port, cause })),
		);
		server.listen({ host, port }, resolve);
	});
	server.removeAllListeners("error");
	// Running out of file descriptors is told here; it passes, and must not end the program.
	server.on("error", () => {});
	const address = server.address();
	return typeof address === "object" && address ? address.port : port;
}

function addressFault(facts: {
	host: string;
	port: number;
	cause: NodeJS.ErrnoException;
}): Fault {
	const { host, port, cause } = facts;
	const isTaken = cause.code === "EADDRINUSE";
	return new Fault("address-unusable", {
		what: `nothing can listen at ${host}, port ${port}`,
		why: isTaken ? "another program listens there (EADDRINUSE)" : cause.message,
		next: isTaken
			? "take a free port: --port 0"
			: "listen on this machine alone: --host 127.0.0.1",
		cause,
	});
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
	if (!server.listening) return;
	const closed = new Promise((resolve) => server.close(resolve));
	server.closeIdleConnections();
	const timer = setTimeout(() => server.closeAllConnections(), graceMs);
	await closed;
	clearTimeout(timer);
}
