import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { resultOf, tellAnswer } from "../../../src/grade/wire/answer.ts";
import { answerJson, listen, readBody } from "../../fixtures/servers/listen.ts";
import { httpTarget } from "../grade-with.ts";
import { openTestWire } from "./open-test-wire.ts";

type Json = Record<string, unknown>;
interface Got {
	headers: IncomingMessage["headers"];
	verb: string;
	body: string;
}

const DISCOVERED = {
	resultType: "complete",
	supportedVersions: ["2026-07-28"],
	capabilities: {},
};

/** Answers discover; every other request by `answer`, and keeps what was asked. */
async function openServer(
	answer: (response: ServerResponse, message: Json) => void = (
		response,
		{ id },
	) =>
		answerJson(
			response,
			200,
			JSON.stringify({ jsonrpc: "2.0", id, result: {} }),
		),
) {
	const got: Got[] = [];
	const server = await listen(async (request, response) => {
		const body = await readBody(request);
		got.push({ headers: request.headers, verb: request.method ?? "", body });
		const message: Json = body.startsWith('{"') ? JSON.parse(body) : {};
		if (message.method !== "server/discover") return answer(response, message);
		const { id } = message;
		answerJson(
			response,
			200,
			JSON.stringify({ jsonrpc: "2.0", id, result: DISCOVERED }),
		);
	});
	return Object.assign(server, { got });
}

describe("a request", () => {
	it("carries what the protocol asks for", async () => {
		await using server = await openServer();
		const { wire } = await openTestWire(httpTarget(server.url));
		await wire.ask("events/poll", { name: "a.b", cursor: null });
		expect(server.got[1]?.headers).toMatchObject({
			"mcp-method": "events/poll",
			"mcp-name": "a.b",
			"mcp-protocol-version": "2026-07-28",
		});
		expect(JSON.parse(server.got[1]?.body ?? "").params).toMatchObject({
			name: "a.b",
			cursor: null,
			_meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
		});
	});

	it("can lack a header, or have a wrong one", async () => {
		await using server = await openServer();
		const { wire } = await openTestWire(httpTarget(server.url));
		const headers = { "mcp-name": undefined, "mcp-method": "other" };
		await wire.ask("events/poll", { name: "a.b" }, { headers });
		expect(server.got[1]?.headers).not.toHaveProperty("mcp-name");
		expect(server.got[1]?.headers["mcp-method"]).toBe("other");
	});

	it("can be anything at all", async () => {
		await using server = await openServer((response) =>
			answerJson(
				response,
				400,
				'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}',
			),
		);
		const { wire } = await openTestWire(httpTarget(server.url));
		const answer = await wire.ask("events/poll", {}, { raw: "{no json" });
		expect(server.got[1]?.body).toBe("{no json");
		expect(tellAnswer(answer)).toBe(
			'error -32700 (ParseError) "no" (HTTP 400)',
		);
	});

	it("can be another principal's, or nobody's", async () => {
		await using server = await openServer();
		const { wire } = await openTestWire(
			httpTarget(server.url, [["Authorization", "Bearer one"]]),
			{ second: [["Authorization", "Bearer two"]] },
		);
		for (const caller of ["first", "second", "nobody"] as const)
			await wire.ask("events/poll", {}, { caller });
		expect(
			server.got.slice(1).map(({ headers }) => headers.authorization),
		).toEqual(["Bearer one", "Bearer two", undefined]);
	});

	it("can have no _meta, another id, and another verb", async () => {
		await using server = await openServer();
		const { wire } = await openTestWire(httpTarget(server.url));
		await wire.ask("events/list", {}, { meta: null, id: 7 });
		await wire.ask("events/list", {}, { verb: "GET" });
		expect(JSON.parse(server.got[1]?.body ?? "")).toEqual({
			jsonrpc: "2.0",
			id: 7,
			method: "events/list",
			params: {},
		});
		expect(server.got[2]).toMatchObject({ verb: "GET", body: "" });
	});
});

const answers: [
	what: string,
	answer: (response: ServerResponse, message: Json) => void,
	told: RegExp,
][] = [
	[
		"a web page",
		(r) => r.writeHead(200, { "content-type": "text/html" }).end("<p>"),
		/^a web page \(text\/html\) \(HTTP 200\)$/,
	],
	[
		"nothing",
		(r) => r.writeHead(202).end(),
		/^nothing: the body is empty \(HTTP 202\)$/,
	],
	[
		"a redirect",
		(r) => r.writeHead(307, { location: "/x" }).end(),
		/^a redirect, which is never followed \(HTTP 307\)$/,
	],
	[
		"another id",
		(r) => answerJson(r, 200, '{"jsonrpc":"2.0","id":"x","result":{}}'),
		/^a response with the id "x" to a request with the id "g2"/,
	],
	[
		"no JSON-RPC",
		(r) => answerJson(r, 200, '{"result":{}}'),
		/^a response with the id/,
	],
	[
		"a result that is no object",
		(r, { id }) =>
			answerJson(r, 200, JSON.stringify({ jsonrpc: "2.0", id, result: 7 })),
		/^a result that is no object/,
	],
	[
		"an error that is no object",
		(r, { id }) =>
			answerJson(r, 200, JSON.stringify({ jsonrpc: "2.0", id, error: "x" })),
		/^an error that is no object/,
	],
	[
		"a cut",
		(r) =>
			r
				.writeHead(200, {
					"content-type": "application/json",
					"content-length": "100",
				})
				.write("{", () => r.destroy()),
		/^an answer that broke off/,
	],
	["silence", () => {}, /^no whole answer in 1000 ms$/],
	[
		"5 MB",
		(r, { id }) =>
			answerJson(
				r,
				200,
				JSON.stringify({ jsonrpc: "2.0", id, result: { a: "x".repeat(5e6) } }),
			),
		/^more than 4194304 bytes/,
	],
	[
		"an unauthorized",
		(r) => r.writeHead(401).end(),
		/^a refusal without a body \(HTTP 401\)$/,
	],
];

describe("an answer", () => {
	it.each(answers)("that is %s is told as such", async (what, answer, told) => {
		await using server = await openServer(answer);
		const { wire } = await openTestWire(httpTarget(server.url));
		const waiting = what === "silence" ? { timeoutMs: 1_000 } : {};
		const got = await wire.ask("events/list", {}, waiting);
		expect(tellAnswer(got)).toMatch(told);
	});

	it("may be an event stream, with other messages before it", async () => {
		await using server = await openServer((response, { id }) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write(
				'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n',
			);
			response.write(
				`data: {"jsonrpc":"2.0",\ndata: "id":"${id}","result":{"a":1}}\n\n`,
			);
		});
		const { wire, trail } = await openTestWire(httpTarget(server.url));
		const answer = await wire.ask("events/list", {});
		expect(resultOf(answer)).toEqual({ a: 1 });
		expect(answer.frames.map(({ kind }) => kind)).toEqual([
			"notification",
			"result",
		]);
		expect(trail.inbound).toHaveLength(3);
		expect(answer.record.map(({ direction }) => direction)).toEqual([
			"sent",
			"received",
			"received",
			"received",
		]);
	});
});

describe("a stream", () => {
	const frame = (params: Json) =>
		`data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params })}\n\n`;

	it("is read as it comes, comments and all", async () => {
		await using server = await openServer((response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.end(`: hello\n\n${frame({ n: 1 })}${frame({ n: 2 })}`);
		});
		const { wire } = await openTestWire(httpTarget(server.url));
		await using stream = wire.openStream("events/stream", { name: "a.b" });
		const second = await stream.waitFor(({ params }) => params.n === 2, 10_000);
		expect(second?.params).toEqual({ n: 2 });
		expect(await stream.waitForEnd(10_000)).toMatchObject({ kind: "ended" });
		expect(stream.head).toMatchObject({ status: 200, isEvents: true });
		expect(stream.counts).toMatchObject({ frames: 2, comments: 1 });
	});

	it("that is refused has the error as its one frame", async () => {
		await using server = await openServer((response, { id }) =>
			answerJson(
				response,
				200,
				JSON.stringify({
					jsonrpc: "2.0",
					id,
					error: { code: -32023, message: "no" },
				}),
			),
		);
		const { wire } = await openTestWire(httpTarget(server.url));
		await using stream = wire.openStream("events/stream", { name: "a.b" });
		await stream.waitForEnd(10_000);
		expect(stream.frames.map(({ error }) => error?.name)).toEqual(["NotFound"]);
	});

	it("waits no longer than it is told to", async () => {
		await using server = await openServer((response) => {
			response
				.writeHead(200, { "content-type": "text/event-stream" })
				.flushHeaders();
		});
		const { wire } = await openTestWire(httpTarget(server.url));
		await using stream = wire.openStream("events/stream", {});
		expect(await stream.waitFor(() => true, 50)).toBeUndefined();
		expect(stream.end).toBeUndefined();
	});

	it("is aborted by a cancel, and by the end of the run", async () => {
		let closed = 0;
		await using server = await openServer((response) => {
			response.on("close", () => closed++);
			response
				.writeHead(200, { "content-type": "text/event-stream" })
				.write(frame({}));
		});
		const { wire, stop } = await openTestWire(httpTarget(server.url));
		const first = wire.openStream("events/stream", {});
		const second = wire.openStream("events/stream", {});
		for (const stream of [first, second])
			await stream.waitFor(() => true, 10_000);
		await first.cancel();
		stop.abort(new Error("over"));
		await second.waitForEnd(10_000);
		expect([first.end?.kind, second.end?.kind]).toEqual([
			"cancelled",
			"cancelled",
		]);
		await expect.poll(() => closed).toBe(2);
	});
});
