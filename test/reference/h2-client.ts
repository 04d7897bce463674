// A client that speaks HTTP/2 by hand, over one connection, with the CA of the tests.
import { readFileSync } from "node:fs";
import {
	type ClientHttp2Session,
	type ClientHttp2Stream,
	connect,
	type IncomingHttpHeaders,
} from "node:http2";
import { request } from "node:https";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { type Json, META, modernHeaders } from "./wire-client.ts";

const folder = join(import.meta.dirname, "../fixtures/tls");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
export const CA = read("ca.pem");
export const TLS = { cert: read("localhost.pem"), key: read("localhost.key") };

export interface H2Answer {
	status: number;
	headers: IncomingHttpHeaders;
	body: Json;
}

export async function openH2(url: string) {
	const { hostname: host, port, origin } = new URL(url);
	const socket = connectTls({
		host,
		port: Number(port),
		ca: CA,
		ALPNProtocols: ["h2"],
	});
	const session = connect(origin, { createConnection: () => socket });
	session.on("error", () => {});
	const start = (method: string, params: Json = {}, headers: Json = {}) =>
		startCall(session, { url, method, params, headers });
	return {
		session,
		start,
		ask: (method: string, params: Json = {}, headers: Json = {}) =>
			answerOf(start(method, params, headers)),
		/** Goes without a word. Node can loop for ever in `session.destroy()` where a body is half written. */
		leave: () => socket.destroy(),
		[Symbol.asyncDispose]: async () => {
			socket.destroy();
		},
	};
}

function startCall(
	session: ClientHttp2Session,
	call: { url: string; method: string; params: Json; headers: Json },
): ClientHttp2Stream {
	const { url, method, params, headers } = call;
	const stream = session.request({
		":method": "POST",
		":path": new URL(url).pathname,
		...modernHeaders(method, params),
		...headers,
	});
	stream.on("error", () => {});
	const message = { method, params: { _meta: META, ...params } };
	if (!stream.writableEnded)
		stream.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }));
	return stream;
}

export async function answerOf(stream: ClientHttp2Stream): Promise<H2Answer> {
	const headers = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
		const cut = new Error("the stream was closed without an answer");
		stream.once("response", resolve).once("close", () => reject(cut));
	});
	let text = "";
	for await (const chunk of stream.setEncoding("utf8")) text += chunk;
	const status = Number(headers[":status"]);
	return { status, headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** The messages of a stream of events; leaving the loop resets it. */
export async function* messagesOf(
	stream: ClientHttp2Stream,
): AsyncGenerator<Json> {
	let text = "";
	for await (const chunk of stream.setEncoding("utf8")) {
		text += chunk;
		const frames = text.split("\n\n");
		text = frames.pop() ?? "";
		for (const frame of frames) yield JSON.parse(frame.replace(/^data: /, ""));
	}
}

/** One call over TLS in HTTP/1.1. */
export function askH1(url: string, method: string): Promise<Json> {
	const message = { jsonrpc: "2.0", id: 1, method, params: { _meta: META } };
	return new Promise((resolve, reject) => {
		const headers = modernHeaders(method, {});
		const options = { method: "POST", headers, ca: CA, agent: false } as const;
		request(url, options, async (response) => {
			let text = "";
			for await (const chunk of response.setEncoding("utf8")) text += chunk;
			resolve({
				status: response.statusCode,
				version: response.httpVersion,
				body: JSON.parse(text),
			});
		})
			.on("error", reject)
			.end(JSON.stringify(message));
	});
}
