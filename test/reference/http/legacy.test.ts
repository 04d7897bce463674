import { describe, expect, it } from "vitest";
import { NAME, openStdinServer } from "../open-stdin-server.ts";
import { type Json, SUBSCRIPTION } from "../wire-client.ts";

const INITIALIZE = {
	protocolVersion: "2025-06-18",
	capabilities: {},
	clientInfo: { name: "test", version: "0" },
};

async function post(url: string, message: Json, headers = {}) {
	return await fetch(url, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			accept: "application/json, text/event-stream",
			...headers,
		},
		body: JSON.stringify({ jsonrpc: "2.0", ...message }),
	});
}

async function initialize(url: string, params: Json = INITIALIZE) {
	const response = await post(url, { id: 0, method: "initialize", params });
	const session = response.headers.get("mcp-session-id") ?? "";
	const answer = (await response.json()) as Json;
	const headers = { "mcp-session-id": session };
	const say = (message: Json, more = {}) =>
		post(url, message, { ...headers, ...more });
	return { answer, session, say, headers };
}

describe("an initialize client", () => {
	it.each([
		["2025-03-26", "2025-03-26"],
		["2025-11-25", "2025-11-25"],
		["2024-11-05", "2025-11-25"],
		["2026-07-28", "2025-11-25"],
	])("that asks for %s is given %s", async (asked, given) => {
		await using server = (await openStdinServer()).server;
		const params = { ...INITIALIZE, protocolVersion: asked };
		const { answer, session } = await initialize(server.url, params);
		expect(answer.result).toEqual({
			protocolVersion: given,
			capabilities: { extensions: { "io.modelcontextprotocol/events": {} } },
			serverInfo: { name: "mcp-events", version: "1.2.3" },
		});
		expect(session).toMatch(/^[\x21-\x7e]{16,}$/);
	});

	it("pings, lists and polls in its session, without the modern headers", async () => {
		await using server = (await openStdinServer()).server;
		const { say } = await initialize(server.url);
		const note = { method: "notifications/initialized" };
		expect((await say(note)).status).toBe(202);
		const ping = await (await say({ id: 1, method: "ping" })).json();
		expect(ping).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
		const poll = { id: 2, method: "events/poll", params: { name: NAME } };
		const { result } = (await (await say(poll)).json()) as Json;
		expect(result).toMatchObject({ events: [], resultType: "complete" });
		const unknown = await say({ id: 3, method: "server/discover" });
		expect(unknown.status).toBe(200);
		expect(((await unknown.json()) as Json).error.code).toBe(-32601);
	});

	it("cancels a stream by notification, and nothing more comes", async () => {
		await using server = (await openStdinServer()).server;
		const { say } = await initialize(server.url);
		const params = { name: NAME };
		const stream = await say({ id: "s", method: "events/stream", params });
		const reader = stream.body
			?.pipeThrough(new TextDecoderStream())
			.getReader();
		expect((await reader?.read())?.value).toContain(`"${SUBSCRIPTION}":"s"`);
		const twice = await say({ id: "s", method: "events/stream", params });
		expect(twice.status).toBe(400);
		await say({
			method: "notifications/cancelled",
			params: { requestId: "s" },
		});
		expect(await reader?.read()).toEqual({ done: true, value: undefined });
	});

	it("must keep its session, and may end it", async () => {
		await using server = (await openStdinServer()).server;
		const { say, headers } = await initialize(server.url);
		const ping = { id: 1, method: "ping" };
		const old = { "mcp-protocol-version": "2025-06-18" };
		expect((await post(server.url, ping, old)).status).toBe(400);
		const other = { "mcp-session-id": "made-up" };
		expect((await say(ping, other)).status).toBe(404);
		const odd = { "mcp-protocol-version": "2020-01-01" };
		expect((await say(ping, odd)).status).toBe(400);
		const end = () => fetch(server.url, { method: "DELETE", headers });
		expect((await end()).status).toBe(200);
		expect((await end()).status).toBe(404);
		expect((await say(ping)).status).toBe(404);
		const get = await fetch(server.url, { headers });
		expect(get.status).toBe(405);
	});

	it("that has been idle longest makes room for a new one", async () => {
		const { server } = await openStdinServer({ maxSessions: 2 });
		await using _ = server;
		const [first, second] = [
			await initialize(server.url),
			await initialize(server.url),
		];
		const ping = { id: 1, method: "ping" };
		await first.say(ping);
		await initialize(server.url);
		expect((await first.say(ping)).status).toBe(200);
		expect((await second.say(ping)).status).toBe(404);
	});
});

describe("a server of one era", () => {
	it("modern: tells an initialize client what it speaks", async () => {
		const { server } = await openStdinServer({ era: "modern" });
		await using _ = server;
		const { answer } = await initialize(server.url);
		expect(answer.error).toMatchObject({
			code: -32022,
			data: { supported: ["2026-07-28"], requested: "2025-06-18" },
		});
	});

	it("legacy: knows no discovery", async () => {
		const { server } = await openStdinServer({ era: "legacy" });
		await using _ = server;
		const { say } = await initialize(server.url);
		const answer = await say({ id: 1, method: "server/discover" });
		expect(((await answer.json()) as Json).error.code).toBe(-32601);
	});
});
