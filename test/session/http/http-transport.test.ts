import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import type {
	ResponseFacts,
	RpcTraceEntry,
} from "../../../src/session/transport.ts";
import {
	answering,
	CA,
	collect,
	failureOf,
	gate,
	JSON_TYPE,
	listenH2,
	listenHttp,
	listenTls,
	notification,
	openTo,
	request,
	result,
	rpcError,
	SSE_TYPE,
	texts,
} from "./harness.ts";

interface Asked {
	method: string | undefined;
	url: string | undefined;
	headers: IncomingMessage["headers"];
	body: string;
}

/** Notes what it is asked, and answers each with the next of some parts, or with the last. */
async function recording(...answers: Parameters<typeof answering>[]) {
	const asked: Asked[] = [];
	const server = await listenHttp(async (incoming, response) => {
		const { method, url, headers } = incoming;
		let body = "";
		for await (const chunk of incoming) body += chunk;
		asked.push({ method, url, headers, body });
		const answer: Parameters<typeof answering> = answers[
			Math.min(asked.length, answers.length) - 1
		] ?? [200, JSON_TYPE, result(1)];
		answering(...answer)(incoming, response);
	});
	return {
		...server,
		asked,
		url: `http://127.0.0.1:${server.port}/mcp?key=secret`,
	};
}

describe("a request", () => {
	it("is one POST of one JSON-RPC message with its routing headers", async () => {
		const server = await recording();
		const transport = await openTo({
			url: server.url,
			bearer: "t0ken",
			headers: [["X-Mine", "1"]],
		});
		await collect(transport.exchange(request()));
		expect(server.asked).toHaveLength(1);
		const { method, url, headers, body } = server.asked[0] as Asked;
		expect([method, url]).toEqual(["POST", "/mcp?key=secret"]);
		expect(JSON.parse(body)).toEqual({
			jsonrpc: "2.0",
			id: 1,
			method: "events/poll",
			params: { name: "a.b" },
		});
		expect(headers).toMatchObject({
			"content-type": "application/json",
			accept: "application/json, text/event-stream",
			"accept-encoding": "identity",
			"mcp-method": "events/poll",
			authorization: "Bearer t0ken",
			"x-mine": "1",
		});
	});

	it("is not sent before its first batch is asked for", async () => {
		const server = await recording();
		const transport = await openTo({ url: server.url });
		transport.exchange(request());
		await collect(transport.exchange(request(2)));
		expect(server.asked).toHaveLength(1);
	});

	it("tells the head of its answer before anything else", async () => {
		const server = await recording([
			404,
			{ "Mcp-Session-Id": "s", ...JSON_TYPE },
			rpcError(1, -32601),
		]);
		const transport = await openTo({ url: server.url });
		const facts: ResponseFacts[] = [];
		await collect(
			transport.exchange(request(), { onResponse: (head) => facts.push(head) }),
		);
		expect(
			facts.map((head) => [
				head.status,
				head.header("MCP-Session-Id"),
				head.header("x"),
			]),
		).toEqual([[404, "s", undefined]]);
	});

	it("never follows a redirect, so that credentials go nowhere else", async () => {
		const other = await recording();
		const server = await recording([307, { location: `${other.url}` }]);
		const transport = await openTo({ url: server.url, bearer: "t0ken" });
		const fault = await failureOf(transport.exchange(request()));
		expect(fault).toMatchObject({
			code: "redirected",
			what: expect.stringContaining(`127.0.0.1:${other.port}/mcp?key=***`),
		});
		expect(other.asked).toEqual([]);
	});

	it("passes a fault of its listener on as it is", async () => {
		const server = await recording();
		const transport = await openTo({ url: server.url });
		const defect = new TypeError("ours");
		const onResponse = () => {
			throw defect;
		};
		await expect(
			collect(transport.exchange(request(), { onResponse })),
		).rejects.toBe(defect);
	});
});

/** Sends one event and then nothing, until it is left. */
function endless() {
	const left = gate();
	const handler = (
		_asked: unknown,
		response: Parameters<Parameters<typeof listenH2>[0]>[1],
	) => {
		response.writeHead(200, SSE_TYPE).write(`data: ${notification(1)}\n\n`);
		response.on("close", left.resolve);
	};
	return { handler, left: left.promise };
}

describe.each([
	["HTTP/1.1", listenTls],
	["HTTP/2", listenH2],
] as const)("an exchange over %s", (_what, listenOn) => {
	const start = async () => {
		const { handler, left } = endless();
		const { port } = await (listenOn as typeof listenH2)(handler);
		const transport = await openTo({
			url: `https://localhost:${port}/`,
			ca: CA,
		});
		return { transport, left };
	};

	it("closes its stream where the reader leaves the loop", async () => {
		const { transport, left } = await start();
		for await (const batch of transport.exchange(request())) {
			expect(texts(batch)).toEqual([notification(1)]);
			break;
		}
		await left;
	});

	it("closes its stream and throws the caller's reason where the caller aborts", async () => {
		const { transport, left } = await start();
		const caller = new AbortController();
		const batches = transport
			.exchange(request(), { signal: caller.signal })
			[Symbol.asyncIterator]();
		await batches.next();
		const ended = expect(batches.next()).rejects.toBe("enough");
		caller.abort("enough");
		await ended;
		await left;
	});

	it("is timed-out when its whole time is over, and names --timeout", async () => {
		const { transport, left } = await start();
		const fault = await failureOf(
			transport.exchange(request(), { timeoutMs: 1_000 }),
		);
		expect(fault).toMatchObject({
			code: "timed-out",
			next: expect.stringContaining("--timeout"),
		});
		await left;
	});

	it("ends with connection-failed where the transport is closed", async () => {
		const { transport, left } = await start();
		const batches = transport.exchange(request())[Symbol.asyncIterator]();
		await batches.next();
		const closed = expect(batches.next()).rejects.toMatchObject({
			code: "connection-failed",
			what: expect.stringContaining("was closed"),
		});
		await transport.close();
		await closed;
		await left;
	});
});

describe("an abort", () => {
	it("before the request sends nothing", async () => {
		const server = await recording();
		const transport = await openTo({ url: server.url });
		const exchange = transport.exchange(request(), {
			signal: AbortSignal.abort("early"),
		});
		await expect(collect(exchange)).rejects.toBe("early");
		expect(server.sockets).toEqual([]);
	});

	it("while no answer has come is the caller's reason too", async () => {
		const asked = gate();
		const { port } = await listenHttp(() => asked.resolve());
		const transport = await openTo({ url: `http://127.0.0.1:${port}/` });
		const caller = new AbortController();
		const outcome = failureOf(
			transport.exchange(request(), { signal: caller.signal }),
		);
		await asked.promise;
		caller.abort("late");
		expect(await outcome).toBe("late");
	});
});

it("a closed transport sends nothing more", async () => {
	const server = await recording();
	const transport = await openTo({ url: server.url });
	await transport.close();
	await transport.close();
	expect(await failureOf(transport.exchange(request()))).toMatchObject({
		code: "connection-failed",
	});
	expect(server.sockets).toEqual([]);
});

describe("what is answered by nothing", () => {
	it.each([200, 202, 204])(
		"a notification is done with HTTP %i",
		async (status) => {
			const server = await recording([status, {}]);
			const transport = await openTo({ url: server.url });
			await transport.notify(
				"notifications/cancelled",
				{ requestId: 1 },
				{ "mcp-method": "notifications/cancelled" },
			);
			expect(JSON.parse(server.asked[0]?.body ?? "")).toEqual({
				jsonrpc: "2.0",
				method: "notifications/cancelled",
				params: { requestId: 1 },
			});
		},
	);

	it.each([
		[400, "http-unexpected"],
		[401, "unauthorized"],
		[503, "server-failing"],
	])("a notification that meets HTTP %i is %s", async (status, code) => {
		const server = await recording([status, {}, "no"]);
		const transport = await openTo({ url: server.url });
		await expect(transport.notify("n", {}, {})).rejects.toMatchObject({ code });
	});

	it("a notification can be aborted", async () => {
		const { port } = await listenHttp(() => {});
		const transport = await openTo({ url: `http://127.0.0.1:${port}/` });
		await expect(
			transport.notify("n", {}, {}, AbortSignal.timeout(50)),
		).rejects.toMatchObject({ name: "TimeoutError" });
	});

	it("an answer to the server is POSTed as it is", async () => {
		const server = await recording([202, {}]);
		const transport = await openTo({ url: server.url });
		await transport.respond(
			{ jsonrpc: "2.0", id: "s1", result: {} },
			{ "mcp-session-id": "abc" },
		);
		expect(server.asked[0]).toMatchObject({
			body: '{"jsonrpc":"2.0","id":"s1","result":{}}',
			headers: { "mcp-session-id": "abc" },
		});
	});

	it.each([200, 405, 500])(
		"a session is ended by DELETE, HTTP %i is fine",
		async (status) => {
			const server = await recording([status, {}]);
			const transport = await openTo({ url: server.url });
			await transport.endSession({ "mcp-session-id": "abc" });
			expect(server.asked[0]).toMatchObject({
				method: "DELETE",
				body: "",
				headers: { "mcp-session-id": "abc" },
			});
		},
	);

	it("a session is ended without a word where nobody is there", async () => {
		const transport = await openTo({ url: "http://127.0.0.1:1/" });
		await expect(transport.endSession({})).resolves.toBeUndefined();
	});
});

describe("the trace", () => {
	it("holds every message both ways, and no secret", async () => {
		const text = `data: ${notification(1)}\n\ndata: ${result(1)}\n\n`;
		const server = await recording([
			200,
			{ ...SSE_TYPE, "set-cookie": "secret" },
			text,
		]);
		const trace: RpcTraceEntry[] = [];
		const transport = await openTo({
			url: server.url,
			bearer: "secret",
			headers: [["X-Key", "secret"]],
			options: { trace: (entry) => trace.push(entry) },
		});
		await collect(transport.exchange(request()));
		expect(
			trace.map(({ direction, message }) => [direction, message.toString()]),
		).toEqual([
			["sent", server.asked[0]?.body],
			["received", notification(1)],
			["received", result(1)],
		]);
		expect(
			trace.map(
				({ headers }) => headers?.["set-cookie"] ?? headers?.authorization,
			),
		).toEqual(["***", "***", undefined]);
		expect(JSON.stringify(trace)).not.toContain("secret");
	});
});

it("an event of another type is told of once", async () => {
	const text = `event: ping\ndata: {}\n\nevent: pong\ndata: {}\n\ndata: ${result(1)}\n\n`;
	const server = await recording([200, SSE_TYPE, text]);
	const transport = await openTo({ url: server.url });
	await collect(transport.exchange(request()));
	expect(
		transport.notes.filter(
			(note) => note.includes('"ping"') || note.includes('"pong"'),
		),
	).toHaveLength(1);
});
