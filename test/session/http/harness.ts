// Servers of a few lines for the tests of the HTTP transport, and a transport to one of them.
import { readFileSync } from "node:fs";
import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
} from "node:http";
import {
	createSecureServer,
	type Http2ServerRequest,
	type Http2ServerResponse,
} from "node:http2";
import { createServer as createTlsServer } from "node:https";
import type { Server as NetServer } from "node:net";
import {
	type AddressInfo,
	createServer as createTcp,
	type Socket,
} from "node:net";
import { onTestFinished } from "vitest";
import type { Message } from "../../../src/protocol/index.ts";
import {
	type HttpOptions,
	type HttpTarget,
	type HttpTransport,
	openHttpTransport,
} from "../../../src/session/http/index.ts";

export const readTls = (name: string) =>
	readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url));
export const CA = readTls("ca.pem");

export const certificate = (name = "localhost") => ({
	cert: readTls(`${name}.pem`),
	key: readTls(`${name}.key`),
});

export interface Listening {
	port: number;
	/** Every TCP connection there ever was. */
	sockets: Socket[];
}

/** Listens on 127.0.0.1, on a free port unless one is given, until the test is over. */
export async function listen(server: NetServer, at = 0): Promise<Listening> {
	const sockets: Socket[] = [];
	server.on("connection", (socket: Socket) => {
		sockets.push(socket);
		socket.on("error", () => {});
	});
	await new Promise<void>((done) => server.listen(at, "127.0.0.1", done));
	onTestFinished(async () => {
		for (const socket of sockets) socket.destroy();
		await new Promise((done) => server.close(done));
	});
	return { port: (server.address() as AddressInfo).port, sockets };
}

export const listenHttp = (handler: RequestListener) =>
	listen(createServer(handler));

export const listenTls = (handler: RequestListener, name?: string) =>
	listen(createTlsServer(certificate(name), handler));

export type Handler2 = (
	request: Http2ServerRequest,
	response: Http2ServerResponse,
) => void;

export const listenH2 = (handler: Handler2) =>
	listen(createSecureServer(certificate(), handler) as NetServer);

export const listenTcp = (talk: (socket: Socket) => void) =>
	listen(createTcp(talk));

/** An answer of fixed parts. */
export const answering =
	(
		status: number,
		headers: Record<string, string>,
		body: string | Buffer = "",
	) =>
	(_request: IncomingMessage, response: ServerResponse) => {
		response.writeHead(status, headers).end(body);
	};

export const JSON_TYPE = { "content-type": "application/json" };
export const SSE_TYPE = { "content-type": "text/event-stream" };

export const result = (id: number | string, value: object = {}) =>
	JSON.stringify({ jsonrpc: "2.0", id, result: value });
export const notification = (at: number) =>
	JSON.stringify({ jsonrpc: "2.0", method: "n", params: { at } });
export const rpcError = (id: number | null, code: number) =>
	JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "no" } });

export interface TestTarget extends Partial<Omit<HttpTarget, "url">> {
	url: string;
	options?: Partial<HttpOptions>;
}

/** A transport that is closed when the test is over; `notes` collects what it has to say. */
export async function openTo(
	target: TestTarget,
): Promise<HttpTransport & { notes: string[] }> {
	const notes: string[] = [];
	const { url, options, ...rest } = target;
	const transport = await openHttpTransport(
		{ headers: [], env: {}, ...rest, url: new URL(url) },
		{
			connectTimeoutMs: 5_000,
			maxMessageBytes: 1024 * 1024,
			note: (text) => notes.push(text),
			...options,
		},
	);
	onTestFinished(() => transport.close());
	return Object.assign(transport, { notes });
}

export const request = (id: number | string = 1, method = "events/poll") => ({
	id,
	method,
	params: { name: "a.b" },
	headers: { "mcp-method": method },
});

/** All messages of one exchange. */
export async function collect(
	batches: AsyncIterable<Message[]>,
): Promise<Message[]> {
	const all: Message[] = [];
	for await (const batch of batches) all.push(...batch);
	return all;
}

export const texts = (messages: Message[]) =>
	messages.map(({ bytes }) => bytes.toString());

/** What an exchange throws. */
export async function failureOf(
	batches: AsyncIterable<Message[]>,
): Promise<unknown> {
	return collect(batches).then(
		(all) => {
			throw new Error(`no fault, but ${texts(all)}`);
		},
		(fault) => fault,
	);
}

export type { Server };

/** A promise that is opened from outside. */
export function gate() {
	let resolve: () => void = () => {};
	const promise = new Promise<void>((open) => {
		resolve = open;
	});
	return { promise, resolve };
}
