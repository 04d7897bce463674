// The HTTP shell of the receiver: sockets, their bounds, and bytes in and out. What a request is, `judge` decides.
import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Fault } from "../faults/index.ts";
import { type HeaderPair, WELL_KNOWN_PATH } from "../protocol/index.ts";
import type { Answer } from "./answer.ts";
import type { Notice } from "./delivery.ts";
import { makeHandler } from "./handle.ts";
import { pathOf } from "./judge.ts";
import type { Accept } from "./keep.ts";
import { RECEIVER_LIMITS, type ReceiverLimits } from "./limits.ts";
import type { Replies } from "./replies.ts";
import type { Route } from "./route.ts";
import { rememberLast, type Seen } from "./seen.ts";
import { answerWellKnown } from "./well-known.ts";

export interface ReceiverOptions {
	host: string;
	/** 0 for a free one. */
	port: number;
	routes: readonly Route[];
	accept: Accept;
	now: () => number;
	/** Told of all that does not go to `accept` or went wrong there. Must not throw. */
	tell?: (notice: Notice) => void;
	limits?: Partial<ReceiverLimits>;
	toleranceSeconds?: number;
	/** PEM texts. */
	tls?: { cert: string; key: string };
	/** Serve the well-known document for this prefix. Off without it. */
	wellKnownPrefix?: string;
	seen?: Seen;
	/** Answers good deliveries by a script, to try a sender. */
	replies?: Replies | undefined;
}

export interface Receiver {
	/** Scheme, host and port, as one on this machine reaches it. */
	readonly origin: string;
	readonly port: number;
	/** Takes deliveries at another path from now on. A route at the same path is replaced. */
	addRoute(route: Route): void;
	removeRoute(path: string): void;
	/** Stops listening, lets requests in progress end for `graceMs`, then cuts them off. */
	close(graceMs?: number): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
}

const GRACE_MS = 2000;
/** How often Node looks for connections that have used up their time. */
const CHECK_EVERY_MS = 1000;

/** Listens for deliveries. Throws `address-unusable`, or `tls-failed` for an unusable certificate. */
export async function openReceiver(
	options: ReceiverOptions,
): Promise<Receiver> {
	const limits = { ...RECEIVER_LIMITS, ...options.limits };
	const { tell = () => {} } = options;
	const routes = new Map(options.routes.map((route) => [route.path, route]));
	const handle = makeHandler({
		routes,
		limits,
		now: options.now,
		accept: options.accept,
		tell,
		seen: options.seen ?? rememberLast(limits.seenKeys),
		toleranceSeconds: options.toleranceSeconds,
		replies: options.replies,
	});
	const prefix = options.wellKnownPrefix;
	let isClosing = false;

	async function answerRequest(
		request: IncomingMessage,
	): Promise<Answer | undefined> {
		const head = {
			method: request.method ?? "",
			target: request.url ?? "",
			headers: pairsOf(request.rawHeaders),
		};
		if (prefix !== undefined && pathOf(head.target) === WELL_KNOWN_PATH) {
			request.resume();
			return answerWellKnown(head, prefix);
		}
		return handle(request, head);
	}

	const server = makeServer(options, limits);
	server.on("request", (request: IncomingMessage, response: ServerResponse) => {
		// A sender that leaves before its answer is no fault of ours.
		response.on("error", () => {});
		const answer = (answer: Answer | undefined) => {
			// A connection that is kept alive would hold up the end.
			response.shouldKeepAlive &&= !isClosing;
			write(response, answer);
		};
		answerRequest(request).then(answer, (error: unknown) => {
			answer({ status: 500 });
			tell({ kind: "defect", error });
		});
	});
	const port = await listen(server, options);
	const host = options.host.includes(":") ? `[${options.host}]` : options.host;
	const close = (graceMs = GRACE_MS) => {
		isClosing = true;
		return closeServer(server, graceMs);
	};
	return {
		origin: `${options.tls ? "https" : "http"}://${host}:${port}`,
		port,
		addRoute: (route) => void routes.set(route.path, route),
		removeRoute: (path) => void routes.delete(path),
		close,
		[Symbol.asyncDispose]: () => close(),
	};
}

function makeServer({ tls }: ReceiverOptions, limits: ReceiverLimits): Server {
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
	response.writeHead(answer.status, { ...answer.headers });
	response.end(answer.body);
}

async function listen(
	server: Server,
	{ host, port }: ReceiverOptions,
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
