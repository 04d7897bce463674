// A tiny server on node:http that a test scripts by hand: discover is answered, polls and streams are the test's.
import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

export interface Call {
	id: unknown;
	method: string;
	params: { name: string; cursor?: string | null; maxEvents?: number };
	/** The number of this call among those of its method, from 0. */
	nth: number;
	request: IncomingMessage;
	response: ServerResponse;
}

/** Answers one poll or stream. */
export type Handler = (call: Call) => void;

export interface RawServer extends AsyncDisposable {
	url: URL;
	calls: Call[];
	/** Connections that are open now. */
	connections(): Promise<number>;
}

const DISCOVERED = {
	resultType: "complete",
	supportedVersions: ["2026-07-28"],
	capabilities: {
		extensions: { "io.modelcontextprotocol/events": {} },
	},
	serverInfo: { name: "raw", version: "1" },
	ttlMs: 0,
	cacheScope: "private",
};

/** Listens on a free port until it is disposed of. */
export async function openRawServer(handle: Handler): Promise<RawServer> {
	const calls: Call[] = [];
	const server = createServer(async (request, response) => {
		let text = "";
		for await (const chunk of request) text += chunk;
		const { id, method, params } = JSON.parse(text);
		if (method === "server/discover")
			return sendResult({ id, response }, DISCOVERED);
		const nth = calls.filter((call) => call.method === method).length;
		const call = { id, method, params, nth, request, response };
		calls.push(call);
		handle(call);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: new URL(`http://127.0.0.1:${port}/mcp`),
		calls,
		connections: () => countConnections(server),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

const countConnections = (server: Server) =>
	new Promise<number>((resolve, reject) =>
		server.getConnections((error, n) => (error ? reject(error) : resolve(n))),
	);

export function sendResult(
	{ id, response }: Pick<Call, "id" | "response">,
	result: object,
): void {
	response
		.writeHead(200, { "content-type": "application/json" })
		.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

/** Begins the answer of a stream. */
export function openSse({ response }: Call): void {
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.flushHeaders();
}

/** Writes one notification of the stream; false where the client does not keep up. */
export function send(call: Call, kind: string, params: object): boolean {
	const message = {
		jsonrpc: "2.0",
		method: `notifications/events/${kind}`,
		params: {
			...params,
			_meta: { "io.modelcontextprotocol/subscriptionId": call.id },
		},
	};
	return call.response.write(`data: ${JSON.stringify(message)}\n\n`);
}

export const sendEvent = (call: Call, n: number, data: object = {}) =>
	send(call, "event", {
		eventId: `e${n}`,
		name: call.params.name,
		timestamp: "2026-10-01T00:00:00Z",
		data,
		cursor: `c${n}`,
	});
