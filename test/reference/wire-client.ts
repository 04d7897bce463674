// A client that knows nothing of our code: JSON-RPC by hand over fetch, every header open to be bent.
import { request } from "node:http";

const VERSION = "2026-07-28";
export const META = {
	"io.modelcontextprotocol/protocolVersion": VERSION,
	"io.modelcontextprotocol/clientCapabilities": {},
};
export const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path, and a wrong one fails the test
export type Json = any;

interface Bend {
	headers?: Record<string, string | undefined>;
	/** Takes the place of the whole message. */
	body?: string;
	id?: string | number;
	signal?: AbortSignal;
	/** Of a stream: events/stream by default. */
	method?: string;
}

export function modernHeaders(method: string, params: Json) {
	return {
		"content-type": "application/json",
		accept: "application/json, text/event-stream",
		"mcp-protocol-version": VERSION,
		"mcp-method": method,
		...(typeof params.name === "string" && { "mcp-name": params.name }),
	};
}

export async function post(
	url: string,
	method: string,
	params: Json = {},
	{ headers = {}, body, id = 1, signal }: Bend = {},
): Promise<Response> {
	const all: Record<string, string | undefined> = {
		...modernHeaders(method, params),
		...headers,
	};
	const kept = Object.entries(all).filter(
		(entry): entry is [string, string] => entry[1] !== undefined,
	);
	const message = {
		jsonrpc: "2.0",
		id,
		method,
		params: { _meta: META, ...params },
	};
	return await fetch(url, {
		method: "POST",
		headers: kept,
		body: body ?? JSON.stringify(message),
		signal: signal ?? null,
	});
}

/** The JSON-RPC answer to one modern request. */
export async function ask(
	url: string,
	method: string,
	params: Json = {},
): Promise<Json> {
	const response = await post(url, method, params);
	return await response.json();
}

/** Opens a stream and yields its messages; leaving the loop aborts it. */
export async function* streamMessages(
	url: string,
	params: Json,
	bend: Bend = {},
): AsyncGenerator<Json> {
	const abort = new AbortController();
	const { method = "events/stream" } = bend;
	const { signal } = abort;
	const response = await post(url, method, params, { ...bend, signal });
	try {
		for await (const frame of sseFrames(response)) yield JSON.parse(frame);
	} finally {
		abort.abort();
	}
}

/** The text of each frame of an answer that is a stream. */
export async function* sseFrames(response: Response): AsyncGenerator<string> {
	let text = "";
	const decoder = new TextDecoder();
	for await (const chunk of response.body ?? []) {
		text += decoder.decode(chunk as Uint8Array, { stream: true });
		const frames = text.split("\n\n");
		text = frames.pop() ?? "";
		for (const frame of frames) yield frame.replace(/^data: /, "");
	}
}

export async function take<Item>(
	items: AsyncIterator<Item>,
	count: number,
): Promise<Item[]> {
	const taken: Item[] = [];
	while (taken.length < count) {
		const { value, done } = await items.next();
		if (done) break;
		taken.push(value);
	}
	return taken;
}

/** One request with any method and headers, the forbidden ones of fetch too. */
export function rawRequest(
	url: string,
	method: string,
	headers: Record<string, string>,
): Promise<{ status: number; headers: Json }> {
	return new Promise((resolve, reject) => {
		request(url, { method, headers, agent: false }, (response) => {
			response.resume();
			resolve({ status: response.statusCode ?? 0, headers: response.headers });
		})
			.on("error", reject)
			.end();
	});
}
