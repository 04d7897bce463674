import {
	createSecureServer,
	type Http2SecureServer,
	type ServerHttp2Stream,
} from "node:http2";
import type { Server } from "node:net";
import { describe, expect, it } from "vitest";
import type { Message } from "../../../src/protocol/index.ts";
import { freePort } from "../../helpers/free-port.ts";
import {
	CA,
	certificate,
	collect,
	failureOf,
	gate,
	type Handler2,
	JSON_TYPE,
	listen,
	listenH2,
	listenHttp,
	listenTls,
	notification,
	openTo,
	request,
	result,
	SSE_TYPE,
	texts,
} from "./harness.ts";

const STREAMS = 20;

/** Streams that live until the client leaves; each says when it was left. */
function streaming() {
	let open = 0;
	const left = gate();
	const writers: (() => void)[] = [];
	const handler = (_request: unknown, response: Parameters<Handler2>[1]) => {
		open++;
		response.writeHead(200, SSE_TYPE);
		const write = () => response.write(`data: ${notification(1)}\n\n`);
		writers.push(write);
		write();
		response.on("close", () => {
			if (--open === 0) left.resolve();
		});
	};
	return { handler: handler as Handler2, writers, left: left.promise };
}

type Batches = AsyncIterator<Message[]>;
const nextOfAll = (all: Batches[]) =>
	Promise.all(all.map((batches) => batches.next()));

describe("20 streams", () => {
	it.each([
		["HTTP/1.1 over TLS", listenTls, "https", STREAMS, STREAMS],
		["plain HTTP", listenHttp, "http", STREAMS, STREAMS],
		["HTTP/2", listenH2, "https", 2, 4],
	] as const)(
		"live side by side on %s",
		async (_what, listenOn, scheme, least, most) => {
			const { handler, writers, left } = streaming();
			const server = await (listenOn as typeof listenH2)(handler);
			const transport = await openTo({
				url: `${scheme}://localhost:${server.port}/`,
				ca: CA,
				options: { streams: STREAMS },
			});
			const all = Array.from({ length: STREAMS }, (_, at) =>
				transport.exchange(request(at))[Symbol.asyncIterator](),
			);
			await nextOfAll(all);
			for (const write of writers) write();
			expect((await nextOfAll(all)).every(({ done }) => done === false)).toBe(
				true,
			);
			expect(server.sockets.length).toBeGreaterThanOrEqual(least);
			expect(server.sockets.length).toBeLessThanOrEqual(most);
			await Promise.all(all.map((batches) => batches.return?.()));
			await left;
		},
	);

	it("leave room for polls beside them on HTTP/2, on connections that stand already", async () => {
		const { handler } = streaming();
		const server = await listenH2((asked, response) => {
			if (asked.headers["mcp-method"] === "events/poll")
				response.writeHead(200, JSON_TYPE).end(result("poll"));
			else handler(asked, response);
		});
		const transport = await openTo({
			url: `https://localhost:${server.port}/`,
			ca: CA,
		});
		const all = Array.from({ length: 5 }, (_, at) =>
			transport.exchange(request(at, "events/stream"))[Symbol.asyncIterator](),
		);
		await nextOfAll(all);
		for (let at = 0; at < 5; at++)
			expect(texts(await collect(transport.exchange(request("poll"))))).toEqual(
				[result("poll")],
			);
		expect(server.sockets).toHaveLength(1);
		await Promise.all(all.map((batches) => batches.return?.()));
	});

	it("are spread further where an HTTP/2 server allows 3 on a connection", async () => {
		const { handler } = streaming();
		const settings = { maxConcurrentStreams: 3 };
		const server = await listen(
			createSecureServer({ ...certificate(), settings }, handler) as Server,
		);
		const transport = await openTo({
			url: `https://localhost:${server.port}/`,
			ca: CA,
		});
		const all = Array.from({ length: STREAMS }, (_, at) =>
			transport.exchange(request(at))[Symbol.asyncIterator](),
		);
		await nextOfAll(all);
		expect(server.sockets).toHaveLength(7);
		await Promise.all(all.map((batches) => batches.return?.()));
	});
});

/** An HTTP/2 server that does something to each stream after its first event. */
async function listenAndThen(act: (stream: ServerHttp2Stream) => void) {
	const server: Http2SecureServer = createSecureServer(certificate());
	server.on("stream", (stream) => {
		stream.on("error", () => {});
		stream.respond({ ":status": 200, ...SSE_TYPE });
		stream.write(`data: ${notification(1)}\n\n`, () =>
			setImmediate(act, stream),
		);
	});
	return listen(server as Server);
}

describe("over HTTP/2", () => {
	it.each<[string, (stream: ServerHttp2Stream) => void]>([
		["the session is ended", (stream) => stream.session?.destroy()],
		["the server goes away", (stream) => stream.session?.goaway(0)],
	])("a stream is told that it was cut where %s", async (_what, act) => {
		const server = await listenAndThen(act);
		const transport = await openTo({
			url: `https://localhost:${server.port}/`,
			ca: CA,
		});
		expect(await failureOf(transport.exchange(request()))).toMatchObject({
			code: "connection-failed",
		});
	});

	it("a JSON answer that is reset is not taken for a whole one", async () => {
		const server: Http2SecureServer = createSecureServer(certificate());
		server.on("stream", (stream) => {
			stream.on("error", () => {});
			stream.respond({ ":status": 200, ...JSON_TYPE, "content-length": "36" });
			stream.write('{"jsonrpc":"2.0"', () =>
				setImmediate(() => stream.close(2)),
			);
		});
		const { port } = await listen(server as Server);
		const transport = await openTo({
			url: `https://localhost:${port}/`,
			ca: CA,
		});
		expect(await failureOf(transport.exchange(request()))).toMatchObject({
			code: "connection-failed",
		});
	});

	it("a slow reader of one stream does not hold up another on the same connection", async () => {
		const frame = `data: ${notification(1)}${" ".repeat(1_000)}\n\n`;
		const server = await listenH2((asked, response) => {
			if (asked.headers["mcp-method"] === "events/poll")
				return response.writeHead(200, JSON_TYPE).end(result(1));
			response.writeHead(200, SSE_TYPE);
			const pump = () => {
				while (!response.destroyed && response.write(frame));
			};
			response.on("drain", pump);
			pump();
		});
		const transport = await openTo({
			url: `https://localhost:${server.port}/`,
			ca: CA,
		});
		const slow = transport
			.exchange(request(2, "events/stream"))
			[Symbol.asyncIterator]();
		await slow.next();
		for (let at = 0; at < 20; at++)
			expect(
				await collect(transport.exchange(request(1), { timeoutMs: 5_000 })),
			).toHaveLength(1);
		expect(server.sockets).toHaveLength(1);
		await slow.return?.();
	});
});

it("a server that comes back with another protocol is learned anew", async () => {
	let h2: Http2SecureServer | undefined;
	const first = createSecureServer(certificate(), (_asked, response) =>
		response.writeHead(200, JSON_TYPE).end(result(1)),
	);
	h2 = first;
	// Nobody else is given it while nobody listens there.
	const port = await freePort();
	const { sockets } = await listen(first as Server, port);
	const transport = await openTo({ url: `https://localhost:${port}/`, ca: CA });
	await collect(transport.exchange(request()));
	for (const socket of sockets) socket.destroy();
	await new Promise((done) => h2?.close(done));
	const { createServer } = await import("node:https");
	const second = createServer(certificate(), (_asked, response) =>
		response.writeHead(200, JSON_TYPE).end(result(1)),
	);
	await new Promise<void>((done) => second.listen(port, "127.0.0.1", done));
	try {
		const outcomes: unknown[] = [];
		for (let at = 0; at < 3; at++)
			outcomes.push(
				await collect(transport.exchange(request(), { timeoutMs: 5_000 })).then(
					texts,
					(fault) => fault.code,
				),
			);
		expect(outcomes.at(-1)).toEqual([result(1)]);
		for (const outcome of outcomes.slice(0, -1))
			expect(["connection-failed", [result(1)]]).toContainEqual(outcome);
	} finally {
		await transport.close();
		await new Promise((done) => second.close(done));
	}
});
