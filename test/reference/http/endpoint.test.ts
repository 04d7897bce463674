import { describe, expect, it } from "vitest";
import { NAME, openStdinServer } from "../open-stdin-server.ts";
import { type Json, META, post, rawRequest } from "../wire-client.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const named = { name: NAME };

async function send(method: string, params: Json, bend: Json, options = {}) {
	const { server } = await openStdinServer(options);
	await using _ = server;
	const response = await post(server.url, method, params, bend);
	const text = await response.text();
	const error = text ? (JSON.parse(text) as Json).error : undefined;
	return { status: response.status, code: error?.code, error };
}

describe("the headers of a modern request", () => {
	it.each([
		["mcp-protocol-version", undefined],
		["mcp-protocol-version", "2025-06-18"],
		["mcp-method", undefined],
		["mcp-method", "events/stream"],
		["mcp-method", "Events/Poll"],
		["mcp-name", undefined],
		["mcp-name", "other"],
		["mcp-name", "=?base64?AAAA?="],
		["mcp-name", "=?base64?/w==?="],
	])("%s: %s is refused as a mismatch", async (header, value) => {
		const answer = await send("events/poll", named, {
			headers: { [header]: value },
		});
		expect([answer.status, answer.code]).toEqual([400, -32020]);
	});

	it("may carry the name in the Base64 form", async () => {
		const name = `=?base64?${Buffer.from(NAME).toString("base64")}?=`;
		const answer = await send("events/poll", named, {
			headers: { "mcp-name": name },
		});
		expect([answer.status, answer.code]).toEqual([200, undefined]);
	});

	it("need no name for events/list, and a session id is nothing to them", async () => {
		const answer = await send(
			"events/list",
			{},
			{
				headers: { "mcp-session-id": "whatever" },
			},
		);
		expect(answer.status).toBe(200);
	});
});

describe("what a modern request says of itself", () => {
	it.each([
		["no protocol version", { [CAPABILITIES_KEY]: {} }],
		["no capabilities", { [VERSION_KEY]: "2026-07-28" }],
		["nothing", {}],
		["something else", "x"],
	])("with %s it is refused", async (_what, meta) => {
		const answer = await send("events/list", { _meta: meta }, {});
		expect([answer.status, answer.code]).toEqual([400, -32602]);
	});

	it("in a revision that is not spoken, it is told which is", async () => {
		const meta = { ...META, [VERSION_KEY]: "2030-01-01" };
		const headers = { "mcp-protocol-version": "2030-01-01" };
		const answer = await send("events/list", { _meta: meta }, { headers });
		expect(answer).toMatchObject({
			status: 400,
			code: -32022,
			error: {
				data: { supported: ["2026-07-28"], requested: "2030-01-01" },
			},
		});
	});

	it.each(["tools/list", "ping", "initialise", "events/frobnicate"])(
		"that it wants %s is answered 404",
		async (method) => {
			const answer = await send(method, {}, {});
			expect([answer.status, answer.code]).toEqual([404, -32601]);
		},
	);
});

describe("a body", () => {
	it.each([
		["that is no JSON", "{", 400, -32700],
		["that is empty", "", 400, -32700],
		["that is a batch", "[]", 400, -32600],
		["that is no JSON-RPC", '{"method":"x","id":1}', 400, -32600],
		["with a null id", '{"jsonrpc":"2.0","id":null,"method":"x"}', 400, -32600],
		[
			"with a broken id",
			'{"jsonrpc":"2.0","id":1.5,"method":"x"}',
			400,
			-32600,
		],
		["over the limit", " ".repeat(5_000), 413, -32600],
	])("%s is refused", async (_what, body, status, code) => {
		const options = { maxRequestBytes: 4_000 };
		const answer = await send("events/list", {}, { body }, options);
		expect([answer.status, answer.code]).toEqual([status, code]);
	});

	it("that is a notification or an answer is taken with 202", async () => {
		for (const body of [
			'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
			'{"jsonrpc":"2.0","id":1,"result":{}}',
		]) {
			const answer = await send("events/list", {}, { body });
			expect([answer.status, answer.error]).toEqual([202, undefined]);
		}
	});

	it.each([
		["content-type", "text/plain", 415],
		["content-type", undefined, 415],
		["accept", "text/html", 406],
		["accept", "application/json", 406],
	])("with %s: %s is refused for a stream", async (name, value, status) => {
		const headers = { [name]: value };
		// fetch would put a type and an Accept of its own.
		const bend = { headers: value === undefined ? { [name]: "" } : headers };
		expect((await send("events/stream", named, bend)).status).toBe(status);
	});
});

describe("who may call", () => {
	it.each([
		["POST", { origin: "https://evil.example" }, 403],
		["POST", { origin: "null" }, 403],
		["POST", { origin: "http://localhost.evil.example" }, 403],
		["POST", { host: "evil.example" }, 403],
		["POST", { origin: "http://localhost:6274" }, 415],
		["POST", { origin: "https://app.example" }, 415],
		["POST", { host: "mine.example:80" }, 415],
		["POST", { host: "localhost:1" }, 415],
		["POST", { host: "[::1]" }, 415],
		["GET", {}, 405],
		["DELETE", {}, 405],
		["OPTIONS", {}, 405],
		["GET", { origin: "https://evil.example" }, 403],
	])("%s with %j is answered %i", async (method, headers, status) => {
		const { server } = await openStdinServer({
			allowOrigins: ["https://app.example"],
			allowHosts: ["mine.example"],
		});
		await using _ = server;
		const answer = await rawRequest(
			server.url,
			method,
			headers as Record<string, string>,
		);
		expect(answer.status).toBe(status);
	});

	it("and where: any other path is not found", async () => {
		await using server = (await openStdinServer()).server;
		const other = server.url.replace("/mcp", "/other");
		expect((await rawRequest(other, "POST", {})).status).toBe(404);
	});
});
