// The connections to one server, shaped by what it speaks: over HTTP/2 a few that carry many streams, over HTTP/1.1 one
// for each. The first TLS connection tells which (ALPN); undici only takes them over.
import type { Socket } from "node:net";
import type { Client, Dispatcher } from "undici";
import { Fault } from "../../faults/index.ts";
import type { Connector, ProxyServer } from "../../network/index.ts";
import { type H2Clients, makeH2Clients } from "./h2-clients.ts";
import { readStreamLimit } from "./h2-settings.ts";
import type { HeaderPairs } from "./headers.ts";

export interface WireRequest {
	method: "POST" | "DELETE";
	headers: HeaderPairs;
	body?: string;
	signal: AbortSignal;
}

export interface Connections {
	/** Sends one request as soon as a connection stands. Rejects with a fault, or with undici's error. */
	send(request: WireRequest): Promise<Dispatcher.ResponseData>;
	/** Ends all of them; what runs on them rejects with `reason`. */
	destroy(reason: Error): Promise<void>;
}

export interface ConnectionsOptions {
	url: URL;
	proxy: ProxyServer | undefined;
	connector: Connector;
	/** How many streams will be open side by side, where that is known. */
	streams: number | undefined;
	/** Ends connection attempts. */
	closing: AbortSignal;
	note: (text: string) => void;
}

type Undici = typeof import("undici");
/** What both shapes can do. */
type Carrier = H2Clients;

/** More than these are worth a note. */
const H1_MANY_STREAMS = 10;
const H2_CONNECTIONS = 4;
const H2_STREAMS_AT_LEAST = 8;
/** What servers allow on one connection where they do not say, by the advice of RFC 9113, 6.5.2. */
const H2_STREAMS_UNSAID = 100;
/** However many a server allows: one connection that is cut takes no more than these with it. More open more of them. */
const H2_STREAMS_AT_MOST = 256;
/** From so many streams on a connection each may hold less in memory while nobody reads it. */
const H2_MANY_STREAMS = 32;
/** What RFC 9113, 6.9.2 begins with; undici's own is four times as much. */
const H2_SMALL_WINDOW_BYTES = 65_535;

/** Loads undici, opens nothing yet: the first request does. After a failure the next request begins anew. */
export async function openConnections(
	options: ConnectionsOptions,
): Promise<Connections> {
	const undici = await import("undici");
	const { closing } = options;
	const carriers = new Set<Carrier>();
	let current: Promise<Carrier> | undefined;
	const forget = () => {
		current = undefined;
	};
	const open = async () => {
		try {
			const carrier = await openCarrier(undici, options, forget);
			carriers.add(carrier);
			if (closing.aborted) await carrier.destroy(closing.reason);
			return carrier;
		} catch (error) {
			forget();
			throw error;
		}
	};
	return {
		async send(request) {
			current ??= open();
			const carrier = await current;
			return await carrier.request(toUndici(request, options));
		},
		async destroy(reason) {
			await Promise.all([...carriers].map((each) => each.destroy(reason)));
		},
	};
}

async function openCarrier(
	{ Client, Pool }: Undici,
	options: ConnectionsOptions,
	forget: () => void,
): Promise<Carrier> {
	const { url, connector, closing, streams, note } = options;
	const protocols = url.protocol === "https:" ? ["h2", "http/1.1"] : [];
	let first: Socket | undefined = await connector.connect(protocols, closing);
	const isH2 = speaksH2(first);
	const limit = isH2 ? await readStreamLimit(first) : undefined;
	note(`${url.host} speaks ${isH2 ? "HTTP/2" : "HTTP/1.1"}`);

	// Faults come out of here as they are: undici hands a connector's error to every request that waited for it.
	const next = async () => {
		const kept = first;
		first = undefined;
		if (kept && !kept.destroyed) return kept;
		const socket = await connector.connect(protocols, closing);
		if (speaksH2(socket) === isH2) return socket;
		socket.destroy();
		forget();
		throw changedProtocol(url, isH2);
	};
	const connect: Client.Options["connect"] = (_where, done) => {
		next().then(
			(socket) => done(null, socket),
			(error: Error) => done(error, null),
		);
	};
	const shared = { headersTimeout: 0, bodyTimeout: 0, connect };
	if (isH2) {
		const streamsEach = streamsPerConnection(streams, limit);
		const isShared = streamsEach >= H2_MANY_STREAMS;
		const window = isShared ? { initialWindowSize: H2_SMALL_WINDOW_BYTES } : {};
		const h2 = {
			...{ ...shared, ...window },
			...{ allowH2: true, pipelining: streamsEach },
		};
		return makeH2Clients(() => new Client(url.origin, h2), streamsEach);
	}
	if (streams !== undefined && streams > H1_MANY_STREAMS)
		note(
			`over HTTP/1.1 each open stream is a connection: ${streams} of them at most`,
		);
	// One exchange for each connection: a second would wait for the end of the first, and a stream has none.
	return new Pool(url.origin, { ...shared, pipelining: 1, connections: null });
}

/** `limit` is what the server allows. */
function streamsPerConnection(
	streams: number | undefined,
	limit: number | undefined,
): number {
	const allowed = limit ?? H2_STREAMS_UNSAID;
	const most = Math.max(1, Math.min(allowed, H2_STREAMS_AT_MOST));
	if (streams === undefined) return most;
	const share = Math.ceil(streams / H2_CONNECTIONS);
	return Math.min(most, Math.max(H2_STREAMS_AT_LEAST, share));
}

function speaksH2(socket: Socket): boolean {
	return "alpnProtocol" in socket && socket.alpnProtocol === "h2";
}

function changedProtocol(url: URL, wasH2: boolean): Fault {
	const [before, after] = wasH2
		? ["HTTP/2", "HTTP/1.1"]
		: ["HTTP/1.1", "HTTP/2"];
	return new Fault("connection-failed", {
		what: `${url.host} changed from ${before} to ${after} between two connections`,
		why: "the connections are shaped for the one that it spoke first",
		next: "try again",
	});
}

function toUndici(
	{ method, headers, body, signal }: WireRequest,
	{ url, proxy }: ConnectionsOptions,
): Dispatcher.RequestOptions {
	const path = `${url.pathname}${url.search}`;
	const flat = headers.flat();
	const throughProxy = proxy !== undefined && url.protocol === "http:";
	// To a proxy, plain HTTP names the whole URL (RFC 9112, 3.2.2).
	if (throughProxy && proxy.authorization)
		flat.push("proxy-authorization", proxy.authorization);
	return {
		method,
		path: throughProxy ? `${url.origin}${path}` : path,
		headers: flat,
		body: body ?? null,
		signal,
		// undici lets POSTs share a connection only where it is told that they may be sent again; it never does so itself.
		idempotent: true,
	};
}
