import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/faults/index.ts";
import {
	answering,
	collect,
	failureOf,
	JSON_TYPE,
	listenHttp,
	listenTcp,
	notification,
	openTo,
	request,
	result,
	rpcError,
	SSE_TYPE,
	texts,
} from "./harness.ts";

type Answering = [
	status: number,
	headers: Record<string, string>,
	body?: string | Buffer,
];

async function exchangeWith(...answer: Answering) {
	const { port } = await listenHttp(answering(...answer));
	const transport = await openTo({ url: `http://127.0.0.1:${port}/mcp` });
	return transport.exchange(request(), { timeoutMs: 5_000 });
}

const event = (text: string) => `data: ${text}\n\n`;
const HTML = "<!doctype html>\n<title>Hello</title>";

describe("an answer", () => {
	it.each<[string, ...Answering]>([
		["JSON", 200, JSON_TYPE, result(1)],
		[
			"JSON with parameters and in capitals",
			200,
			{ "content-type": "Application/JSON; charset=utf-8" },
			result(1),
		],
		["JSON behind a byte order mark", 200, JSON_TYPE, `\ufeff${result(1)}`],
		["JSON without a type", 200, {}, result(1)],
		["JSON of a wrong type", 200, { "content-type": "text/plain" }, result(1)],
		["JSON under 202", 202, JSON_TYPE, result(1)],
		["a batch", 200, JSON_TYPE, `[${result(1)}]`],
		["an event stream", 200, SSE_TYPE, event(result(1))],
		[
			"an event stream with parameters and in capitals",
			200,
			{ "content-type": "TEXT/Event-Stream;charset=utf-8" },
			event(result(1)),
		],
		[
			"an event stream without a type",
			200,
			{},
			`\ufeff: hello\n\n${event(result(1))}`,
		],
		[
			"an answer that says it is not encoded",
			200,
			{ ...JSON_TYPE, "content-encoding": "Identity" },
			result(1),
		],
	])("may be %s", async (_what, ...answer) => {
		expect(texts(await collect(await exchangeWith(...answer)))).toEqual([
			result(1),
		]);
	});

	it.each([200, 400, 404, 401, 302, 429, 500, 503])(
		"may be a JSON-RPC error under HTTP %i",
		async (status) => {
			const text = rpcError(1, -32601);
			for (const [type, body] of [
				[JSON_TYPE, text],
				[SSE_TYPE, event(text)],
				[{}, text],
			] as const)
				expect(
					texts(await collect(await exchangeWith(status, type, body))),
				).toEqual([text]);
		},
	);

	it("may be an error that names no request", async () => {
		const messages = await collect(
			await exchangeWith(400, JSON_TYPE, rpcError(null, -32700)),
		);
		expect(messages).toMatchObject([{ kind: "error", id: undefined }]);
	});
});

describe("an answer that is none", () => {
	it.each<[code: string, what: string, ...Answering]>([
		["redirected", "a redirect", 307, { location: "http://other.example/mcp" }],
		["unauthorized", "401", 401, { "www-authenticate": "Bearer" }],
		["http-forbidden", "403", 403, {}],
		[
			"http-not-found",
			"404 with a page",
			404,
			{ "content-type": "text/html" },
			HTML,
		],
		["http-not-allowed", "405", 405, { allow: "GET" }],
		["http-not-acceptable", "406", 406, {}],
		["rate-limited", "429", 429, { "retry-after": "3" }],
		["server-failing", "500", 500, JSON_TYPE, "{}"],
		[
			"server-failing",
			"503 with a result all the same",
			503,
			JSON_TYPE,
			result(1),
		],
		[
			"server-failing",
			"502 with events but no error",
			502,
			SSE_TYPE,
			event(notification(1)),
		],
		[
			"server-failing",
			"503, compressed",
			503,
			{ "content-encoding": "gzip" },
			gzipSync(HTML),
		],
		[
			"http-unexpected",
			"400 with text",
			400,
			{ "content-type": "text/plain" },
			"no",
		],
		["empty-body", "202 with nothing", 202, {}],
		["empty-body", "204", 204, {}],
		["empty-body", "200 with nothing", 200, JSON_TYPE],
		["empty-body", "200 with white space", 200, JSON_TYPE, " \r\n"],
		["not-json", "a page", 200, { "content-type": "text/html" }, HTML],
		["not-json", "a page that says it is JSON", 200, JSON_TYPE, HTML],
		["not-json", "text", 200, { "content-type": "text/plain" }, "hello"],
		["not-json", "half of JSON", 200, JSON_TYPE, '{"jsonrpc"'],
		[
			"not-json",
			"bytes that are no UTF-8",
			200,
			JSON_TYPE,
			Buffer.from([0x22, 0xff, 0x22]),
		],
		[
			"not-json",
			"gzip",
			200,
			{ ...JSON_TYPE, "content-encoding": "gzip" },
			gzipSync(result(1)),
		],
		[
			"not-json",
			"brotli in an event stream",
			200,
			{ ...SSE_TYPE, "content-encoding": "br" },
			brotliCompressSync(event(result(1))),
		],
		["wrong-shape", "JSON of another kind", 200, JSON_TYPE, '{"hello":1}'],
		[
			"too-large",
			"too long a body",
			200,
			JSON_TYPE,
			" ".repeat(1024 * 1024 + 1),
		],
		[
			"too-large",
			"too long an event",
			200,
			SSE_TYPE,
			event(" ".repeat(1024 * 1024 + 1)),
		],
	])("is the fault %s: %s", async (code, _what, ...answer) => {
		const fault = await failureOf(await exchangeWith(...answer));
		expect(fault).toBeInstanceOf(Fault);
		expect(fault).toMatchObject({ code });
	});

	it("tells of a page that it looks like one, and quotes its start", async () => {
		const fault = await failureOf(
			await exchangeWith(200, { "content-type": "text/html" }, HTML),
		);
		expect(fault).toMatchObject({
			what: expect.stringContaining("web page"),
			why: expect.stringContaining('"<!doctype html>\\n<title>'),
		});
	});

	it("hands on how long to wait", async () => {
		const fault = await failureOf(
			await exchangeWith(429, { "retry-after": "3" }),
		);
		expect(fault).toMatchObject({ retryAfterMs: 3_000, httpStatus: 429 });
	});
});

describe("an answer that grows without end", () => {
	it.each([
		["JSON", "content-type: application/json\r\n", " ".repeat(65_536)],
		[
			"an event",
			"content-type: text/event-stream\r\n\r\ndata: ",
			"x".repeat(65_536),
		],
		[
			"a comment",
			"content-type: text/event-stream\r\n\r\n:",
			"x".repeat(65_536),
		],
		["of no type", "", " ".repeat(65_536)],
	])("is stopped at the limit: %s", async (_what, head, more) => {
		let sent = 0;
		const { port } = await listenTcp((socket) => {
			socket.on("error", () => {});
			const pump = () => {
				while (!socket.destroyed && socket.write(more)) sent += more.length;
			};
			socket.once("data", () => {
				socket.write(
					`HTTP/1.1 200 OK\r\n${head}${head.includes("\r\n\r\n") ? "" : "\r\n"}`,
				);
				socket.on("drain", pump);
				pump();
			});
		});
		const transport = await openTo({ url: `http://127.0.0.1:${port}/` });
		const fault = await failureOf(
			transport.exchange(request(), { timeoutMs: 10_000 }),
		);
		expect(fault).toMatchObject({ code: "too-large" });
		expect(sent).toBeLessThan(16 * 1024 * 1024);
	});
});

it("a status is judged even where its body never ends", async () => {
	const { port } = await listenHttp((_request, response) => {
		response.writeHead(404, { "content-type": "text/plain" });
		const pump = () => {
			while (!response.destroyed && response.write("x".repeat(65_536)));
		};
		response.on("drain", pump);
		pump();
	});
	const transport = await openTo({ url: `http://127.0.0.1:${port}/` });
	expect(await failureOf(transport.exchange(request()))).toMatchObject({
		code: "http-not-found",
	});
});

it.each([
	[
		"a JSON body",
		"content-length: 100\r\ncontent-type: application/json\r\n\r\n{",
	],
	[
		"chunks",
		"transfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\n9\r\n{",
	],
	[
		"an event stream",
		`transfer-encoding: chunked\r\ncontent-type: text/event-stream\r\n\r\n9\r\ndata: `,
	],
])("a connection cut within %s is connection-failed", async (_what, head) => {
	const { port } = await listenTcp((socket) => {
		socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\n${head}`));
	});
	const transport = await openTo({ url: `http://127.0.0.1:${port}/` });
	expect(await failureOf(transport.exchange(request()))).toMatchObject({
		code: "connection-failed",
	});
});
