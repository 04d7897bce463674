import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import type { HttpRoute } from "../../../src/reference/index.ts";
import { createManualClock } from "../manual-clock.ts";
import { NAME, openStdinServer } from "../open-stdin-server.ts";
import { type Json, post, rawRequest } from "../wire-client.ts";

const TOKENS = [
	{ principal: "me", token: "mine" },
	{ principal: "you", token: "yours" },
];
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("a server with tokens", () => {
	const plain = 'Bearer realm="mcp-events"';
	const invalid = /^Bearer realm="mcp-events", error="invalid_token", /;

	it.each([
		[undefined, plain],
		["", plain],
		["Basic bWluZQ==", plain],
		["Bearer", plain],
		["Bearer yourz", invalid],
		["Bearer mine yours", invalid],
	])(
		"answers Authorization %j by 401 and a challenge, the same whatever was asked",
		async (authorization, challenge) => {
			await using server = (await openStdinServer({ tokens: TOKENS })).server;
			const bodies = new Set<string>();
			for (const bend of [
				{},
				{ body: "{" },
				{ body: " ".repeat(3_000_000) },
				{ headers: { "content-type": "text/plain" } },
				{ headers: { "mcp-session-id": "x" } },
			]) {
				const headers = { ...bend.headers, authorization };
				const answer = await post(
					server.url,
					"events/list",
					{},
					{ ...bend, headers },
				);
				expect(answer.status).toBe(401);
				expect(answer.headers.get("www-authenticate")).toMatch(challenge);
				bodies.add(await answer.text());
			}
			expect(bodies.size).toBe(1);
		},
	);

	it.each(["GET", "DELETE", "PUT"])("asks %s for one too", async (method) => {
		await using server = (await openStdinServer({ tokens: TOKENS })).server;
		const without = await rawRequest(server.url, method, {});
		expect(without.status).toBe(401);
		const withOne = await rawRequest(server.url, method, bearer("mine"));
		expect(withOne.status).toBe(405);
	});

	it("lets in who has one, and asks pages of other origins for none", async () => {
		await using server = (await openStdinServer({ tokens: TOKENS })).server;
		const headers = bearer("mine");
		const answer = await post(server.url, "events/list", {}, { headers });
		expect(answer.status).toBe(200);
		const evil = { origin: "https://evil.example" };
		expect((await rawRequest(server.url, "POST", evil)).status).toBe(403);
	});

	it("gives a session to nobody but the principal that opened it", async () => {
		await using server = (await openStdinServer({ tokens: TOKENS })).server;
		const say = (message: Json, headers: Record<string, string>) =>
			post(server.url, message.method, message.params, {
				headers: { ...headers, "mcp-protocol-version": undefined },
				body: JSON.stringify({ jsonrpc: "2.0", ...message }),
			});
		const params = { protocolVersion: "2025-06-18" };
		const hello = { id: 0, method: "initialize", params };
		const opened = await say(hello, bearer("mine"));
		const id = opened.headers.get("mcp-session-id") ?? "";
		const ping = { id: 1, method: "ping" };
		const session = { "mcp-session-id": id };
		const asYou = { ...session, ...bearer("yours") };
		expect((await say(ping, asYou)).status).toBe(404);
		expect((await rawRequest(server.url, "DELETE", asYou)).status).toBe(404);
		expect((await say(ping, { ...session, ...bearer("mine") })).status).toBe(
			200,
		);
	});
});

describe("a caller in a hurry", () => {
	it("is told to wait, without a look at what it wants", async () => {
		const clock = createManualClock();
		const { server } = await openStdinServer({ clock, rateLimit: 1 });
		await using _ = server;
		const call = () => post(server.url, "events/list");
		expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
		const refused = await call();
		expect(refused.status).toBe(429);
		expect(refused.headers.get("retry-after")).toBe("1");
		expect((await refused.json()) as Json).toMatchObject({
			error: { code: -32025, data: { limit: "requests", retryAfterMs: 1_000 } },
		});
		await clock.advance(1_000);
		expect((await call()).status).toBe(200);
	});

	it("holds up no other principal, and guesses at tokens no faster", async () => {
		const clock = createManualClock();
		const options = { clock, rateLimit: 1, tokens: TOKENS };
		await using server = (await openStdinServer(options)).server;
		const call = async (token: string) => {
			const headers = bearer(token);
			return (await post(server.url, "events/list", {}, { headers })).status;
		};
		for (const status of [200, 200, 429])
			expect(await call("mine")).toBe(status);
		expect(await call("yours")).toBe(200);
		for (const status of [401, 401, 429])
			expect(await call("guess")).toBe(status);
		expect(await call("yours")).toBe(200);
	});

	it("may open so many streams, and another as many", async () => {
		const options = { tokens: TOKENS, maxStreamsPerCaller: 1 };
		await using server = (await openStdinServer(options)).server;
		const open = (token: string) =>
			post(
				server.url,
				"events/stream",
				{ name: NAME },
				{ headers: bearer(token) },
			);
		const first = await open("mine");
		const second = await open("mine");
		expect(((await second.json()) as Json).error).toMatchObject({
			code: -32025,
			data: { limit: "streams", max: 1 },
		});
		const other = await open("yours");
		expect(other.headers.get("content-type")).toBe("text/event-stream");
		await first.body?.cancel();
		await other.body?.cancel();
	});
});

describe("an address with many connections", () => {
	it("is let in so often, and again once one is closed", async () => {
		const { server } = await openStdinServer({ maxConnections: 4 });
		await using _ = server;
		const open = async () => {
			const socket = connect(server.port, "127.0.0.1").on("error", () => {});
			await once(socket, "connect");
			return socket;
		};
		const [first, second] = [await open(), await open()];
		await once((await open()).resume(), "close");
		expect([first.destroyed, second.destroyed]).toEqual([false, false]);
		first.destroy();
		const status = async () =>
			(await post(server.url, "events/list").catch(() => undefined))?.status;
		await expect.poll(status).toBe(200);
		second.destroy();
	});
});

describe("a web page", () => {
	it("of an allowed origin is told by its browser that it may call, token or not", async () => {
		const origin = "https://app.example";
		const options = { allowOrigins: [origin], tokens: TOKENS };
		await using server = (await openStdinServer(options)).server;
		const asked = await rawRequest(server.url, "OPTIONS", {
			origin,
			"access-control-request-method": "POST",
			"access-control-request-headers": "content-type, mcp-method",
		});
		expect(asked.status).toBe(204);
		expect(asked.headers).toMatchObject({
			"access-control-allow-origin": origin,
			"access-control-allow-headers": expect.stringContaining("mcp-method"),
			vary: "Origin",
		});
		const refused = await rawRequest(server.url, "POST", { origin });
		expect(refused.headers["access-control-allow-origin"]).toBe(origin);
	});
});

describe("a route beside the endpoint", () => {
	const route: HttpRoute = {
		matches: (_method, path) => path === "/inbound/x",
		maxBodyBytes: 10,
		async handle({ method, body, headers }) {
			return {
				status: 202,
				headers: { "content-type": "text/plain" },
				body: `${method} ${body} ${headers["x-sig"]}`,
			};
		},
	};

	it.each([
		["with what came, and no token", "hello", {}, 202, "POST hello s1"],
		["by 413 where the body is too long", "x".repeat(11), {}, 413, /over 10/],
		[
			"by 403 for a page of another origin",
			"hello",
			{ origin: "https://evil.example" },
			403,
			/Origin/,
		],
	])("is answered %s", async (_how, body, headers, status, text) => {
		const options = { routes: [route], tokens: TOKENS };
		await using server = (await openStdinServer(options)).server;
		const url = server.url.replace("/mcp", "/inbound/x?y=1");
		const answer = await fetch(url, {
			method: "POST",
			body,
			headers: { "x-sig": "s1", ...headers },
		});
		expect(answer.status).toBe(status);
		expect(await answer.text()).toMatch(text);
	});
});
