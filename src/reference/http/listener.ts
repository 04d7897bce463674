// The sockets of the server: HTTP/1.1, or over TLS that and HTTP/2 on one port. Bounded in number and patience, and
// gone when told to close, whatever the clients do.
import { createServer, type Server } from "node:http";
import {
	createSecureServer,
	type Http2SecureServer,
	type ServerHttp2Session,
} from "node:http2";
import type { Socket } from "node:net";
import { Fault } from "../../faults/index.ts";
import type { Exchange } from "./exchange.ts";
import { callerAt } from "./rate-limit.ts";

export interface TlsIdentity {
	/** PEM: the certificate, and those between it and the root. */
	cert: string;
	/** PEM. */
	key: string;
}

export interface ListenerOptions {
	host: string;
	port: number;
	tls: TlsIdentity | undefined;
	/** Connections at once, and of them from one address. */
	maxConnections: number;
	maxConnectionsPerAddress: number;
	/** Streams that one connection of HTTP/2 may have open at once. */
	maxStreams: number;
}

export interface Listener {
	readonly port: number;
	/** Takes no more connections, and tells those of HTTP/2 to ask for nothing more. */
	stop(): void;
	/** Cuts what is still connected; resolves when the port is free. */
	close(): Promise<void>;
}

const PATIENCE = {
	keepAliveTimeout: 65_000,
	/** From the first byte of a request to the last of its headers… */
	headersTimeout: 10_000,
	/** …and of its body. */
	requestTimeout: 30_000,
	connectionsCheckingInterval: 5_000,
};
const HANDSHAKE_MS = 10_000;
/** Connections that wait to be taken: one too many would not be told, and come again only after a second, or seven. */
const MOST_AT_THE_DOOR = 4_096;
/** What waits to be sent counts, and 1,000 streams may each have some. */
const SESSION_MEMORY_MB = 128;

/** Throws `address-unusable`, and `wrong-use` for a certificate and key that do not work. */
export async function openListener(
	options: ListenerOptions,
	onRequest: (exchange: Exchange) => void,
): Promise<Listener> {
	const sessions = new Set<ServerHttp2Session>();
	const server = options.tls
		? openSecure(options.tls, options.maxStreams, sessions, onRequest)
		: createServer(PATIENCE, (request, response) =>
				onRequest({ request, response }),
			);
	server.maxConnections = options.maxConnections;
	const sockets = trackSockets(server, options.maxConnectionsPerAddress);
	const port = await listen(server, options);
	let closed: Promise<void> | undefined;
	const stop = () => {
		closed ??= new Promise((resolve) => server.close(() => resolve()));
		for (const session of sessions) session.close();
	};
	return {
		port,
		stop,
		async close() {
			stop();
			// Not the sessions: those would first write what waits, to clients that may never read.
			for (const socket of sockets) socket.destroy();
			await closed;
		},
	};
}

function openSecure(
	{ cert, key }: TlsIdentity,
	maxStreams: number,
	sessions: Set<ServerHttp2Session>,
	onRequest: (exchange: Exchange) => void,
): Http2SecureServer {
	let server: Http2SecureServer;
	try {
		server = createSecureServer(
			{
				cert,
				key,
				allowHTTP1: true,
				handshakeTimeout: HANDSHAKE_MS,
				maxSessionMemory: SESSION_MEMORY_MB,
				// Polls beside the streams need room too.
				settings: { maxConcurrentStreams: maxStreams + 100 },
			},
			(request, response) => onRequest({ request, response }),
		);
	} catch (cause) {
		throw new Fault("wrong-use", {
			what: "the TLS certificate and key cannot be used",
			why: cause instanceof Error ? cause.message : "for an unknown reason",
			next: "--tls-cert CERT.pem --tls-key KEY.pem, which belong together",
			cause,
		});
	}
	// The constructor of HTTP/2 does not take them; its connections of HTTP/1.1 heed them.
	Object.assign(server, PATIENCE);
	server.on("session", (session: ServerHttp2Session) => {
		sessions.add(session);
		session.once("close", () => sessions.delete(session));
		closeWhenIdle(session);
	});
	return server;
}

/** A session without a stream is kept as long as an idle connection of HTTP/1.1 is. */
function closeWhenIdle(session: ServerHttp2Session): void {
	let streams = 0;
	session.on("stream", (stream) => {
		streams++;
		stream.once("close", () => streams--);
	});
	session.setTimeout(PATIENCE.keepAliveTimeout, () => {
		if (streams === 0) session.close();
	});
}

/** All that are open, of those that were let in. */
function trackSockets(
	server: Server | Http2SecureServer,
	maxPerAddress: number,
): ReadonlySet<Socket> {
	const sockets = new Set<Socket>();
	const counts = new Map<string, number>();
	server.on("connection", (socket: Socket) => {
		const address = callerAt(socket.remoteAddress);
		const count = counts.get(address) ?? 0;
		if (count >= maxPerAddress) {
			socket.destroy();
			return;
		}
		sockets.add(socket);
		counts.set(address, count + 1);
		socket.once("close", () => {
			sockets.delete(socket);
			const left = (counts.get(address) ?? 1) - 1;
			if (left > 0) counts.set(address, left);
			else counts.delete(address);
		});
	});
	return sockets;
}

async function listen(
	server: Server | Http2SecureServer,
	{ host, port }: ListenerOptions,
): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		const fail = (cause: Error) =>
			reject(
				new Fault("address-unusable", {
					what: `cannot listen on ${host} port ${port}`,
					why: cause.message,
					next: "choose another port, or --port 0 for any free one",
					cause,
				}),
			);
		server.once("error", fail);
		server.listen({ port, host, backlog: MOST_AT_THE_DOOR }, () => {
			server.off("error", fail);
			resolve();
		});
	});
	const address = server.address();
	return typeof address === "object" && address ? address.port : port;
}
