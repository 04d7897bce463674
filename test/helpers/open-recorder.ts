// A handler that keeps every request as it came, and answers as it is told.
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { HeaderPair } from "../../src/protocol/index.ts";

export interface RecordedRequest {
	method: string;
	path: string;
	headers: HeaderPair[];
	/** By names in lower case; the last one counts. */
	header: (name: string) => string | undefined;
	body: Buffer;
	atMs: number;
}

export interface Recorder {
	url: string;
	port: number;
	requests: RecordedRequest[];
	/** How many connections there ever were. */
	connections: () => number;
	sockets: Socket[];
}

export interface RecorderOptions {
	/** The status, and the body, of the nth answer, counted from 0. */
	answer?: (n: number, request: RecordedRequest) => number | [number, string];
	tls?: { cert: Buffer; key: Buffer };
	onRequest?: (request: RecordedRequest) => Promise<void>;
}

/** Listens on a free port of 127.0.0.1 until the test is over. */
export async function openRecorder(
	options: RecorderOptions = {},
): Promise<Recorder> {
	const requests: RecordedRequest[] = [];
	const sockets: Socket[] = [];
	const handle: RequestListener = async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { rawHeaders } = request;
		const headers = rawHeaders.flatMap((name, at): HeaderPair[] =>
			at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""]] : [],
		);
		const recorded: RecordedRequest = {
			method: request.method ?? "",
			path: request.url ?? "",
			headers,
			header: (name) =>
				headers.findLast(([key]) => key.toLowerCase() === name)?.[1],
			body: Buffer.concat(chunks),
			atMs: performance.now(),
		};
		const n = requests.push(recorded) - 1;
		await options.onRequest?.(recorded);
		const answer = options.answer?.(n, recorded) ?? 204;
		const [status, body] = Array.isArray(answer) ? answer : [answer, ""];
		const location = status === 302 ? { location: "/elsewhere" } : {};
		response.writeHead(status, location).end(body);
	};
	const server = options.tls
		? createTlsServer(options.tls, handle)
		: createServer(handle);
	let connections = 0;
	server.on("connection", (socket: Socket) => {
		connections++;
		sockets.push(socket);
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `${options.tls ? "https" : "http"}://127.0.0.1:${port}/hook`,
		port,
		requests,
		connections: () => connections,
		sockets,
	};
}
