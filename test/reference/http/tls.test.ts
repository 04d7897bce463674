import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { answerOf, askH1, messagesOf, openH2, TLS } from "../h2-client.ts";
import { createManualClock } from "../manual-clock.ts";
import { NAME, openStdinServer } from "../open-stdin-server.ts";
import { type Json, SUBSCRIPTION, take } from "../wire-client.ts";

const PEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

describe("one port with TLS", () => {
	it("speaks HTTP/2 and HTTP/1.1, and says so in its URL", async () => {
		await using server = (await openStdinServer({ tls: TLS })).server;
		expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/mcp$/);
		await using client = await openH2(server.url);
		const { status, body } = await client.ask("events/list");
		expect(status).toBe(200);
		expect(client.session.alpnProtocol).toBe("h2");
		const plain = await askH1(server.url, "events/list");
		expect([plain.status, plain.version]).toEqual([200, "1.1"]);
		expect(plain.body.result).toEqual(body.result);
	});

	it.each([
		[{ "content-type": "text/plain" }, 415],
		[{ "mcp-name": "other" }, 400],
		[{ origin: "https://evil.example" }, 403],
		[{ ":authority": "evil.example" }, 403],
		[{ ":authority": "localhost:1" }, 200],
		[{ ":path": "/other" }, 404],
		[{ ":method": "GET" }, 405],
		[{ ":method": "DELETE", "mcp-session-id": "made-up" }, 404],
	])("answers %j over HTTP/2 by %i", async (headers, status) => {
		await using server = (await openStdinServer({ tls: TLS })).server;
		await using client = await openH2(server.url);
		const params = { name: NAME };
		const answer = await client.ask("events/poll", params, headers);
		expect(answer.status).toBe(status);
	});

	it("asks for tokens, and stops a body that is too long without losing the connection", async () => {
		const tokens = [{ principal: "me", token: "mine" }];
		const options = { tls: TLS, tokens, maxRequestBytes: 1_000 };
		await using server = (await openStdinServer(options)).server;
		await using client = await openH2(server.url);
		const refused = await client.ask("events/list", { pad: "x".repeat(1e6) });
		expect(refused.status).toBe(401);
		expect(refused.headers["www-authenticate"]).toBe(
			'Bearer realm="mcp-events"',
		);
		const headers = { authorization: "Bearer mine" };
		const long = await client.ask(
			"events/list",
			{ pad: "x".repeat(1e6) },
			headers,
		);
		expect(long.status).toBe(413);
		expect((await client.ask("events/list", {}, headers)).status).toBe(200);
	});

	it.each([
		["a certificate that is none", { cert: PEM, key: TLS.key }],
		["a key that is none", { cert: TLS.cert, key: "x" }],
	])("is refused to %s", async (_what, tls) => {
		await expect(openStdinServer({ tls })).rejects.toMatchObject({
			code: "wrong-use",
		});
	});
});

describe("streams over HTTP/2", () => {
	it("run side by side on one connection, and end with their final frame", async () => {
		const { server, emit, url } = await openStdinServer({ tls: TLS });
		await using client = await openH2(url);
		const streams = [1, 2, 3].map(() =>
			messagesOf(client.start("events/stream", { name: NAME })),
		);
		for (const stream of streams)
			expect((await take<Json>(stream, 1))[0].method).toMatch(/active$/);
		await emit(1);
		for (const stream of streams)
			expect((await take<Json>(stream, 1))[0].params.data.n).toBe(1);
		const closed = server.close();
		for (const stream of streams) {
			const [last] = await take<Json>(stream, 5);
			expect(last.result._meta[SUBSCRIPTION]).toBe(1);
		}
		await closed;
	});

	it("leave nothing behind when the client resets them or goes", async () => {
		const clock = createManualClock();
		const { server, url } = await openStdinServer({ tls: TLS, clock });
		await using _ = server;
		await using client = await openH2(url);
		const [first, second] = [1, 2].map(() =>
			client.start("events/stream", { name: NAME }),
		);
		for (const stream of [first, second])
			if (stream) await once(stream, "response");
		expect(clock.timers).toBe(2);
		first?.close(8);
		await expect.poll(() => clock.timers).toBe(1);
		client.leave();
		await expect.poll(() => clock.timers).toBe(0);
	});

	it("wait for a client that does not read, and tell it what it missed", async () => {
		const options = { tls: TLS, bufferSize: 20 };
		const { server, emit, url } = await openStdinServer(options);
		await using _ = server;
		await using client = await openH2(url);
		const stream = client.start("events/stream", { name: NAME });
		await once(stream, "response");
		for (let n = 1; n <= 200; n++) await emit(n, n, "x".repeat(20_000));
		// Another call on the connection is not held up by it.
		expect((await client.ask("events/list")).status).toBe(200);
		let isTold = false;
		for await (const { params } of messagesOf(stream)) {
			isTold ||= params.truncated === true;
			if (params.data?.n === 200) break;
		}
		expect(isTold).toBe(true);
	});
});

describe("a client that says nothing", () => {
	it("does not hold up the end: not with half a handshake, half a body, or unread events", async () => {
		const { server, emit, url } = await openStdinServer({ tls: TLS });
		const socket = connect(server.port, "127.0.0.1");
		socket.on("error", () => {});
		await once(socket, "connect");
		socket.write("\x16\x03\x01");
		await using client = await openH2(url);
		const half = client.session.request(
			{
				":method": "POST",
				":path": "/mcp",
				"content-type": "application/json",
			},
			{ endStream: false },
		);
		half.on("error", () => {});
		half.write("{");
		const answer = answerOf(half).catch((cut) => cut);
		const unread = client.start("events/stream", { name: NAME });
		await once(unread, "response");
		await emit(1, 100, "x".repeat(50_000));
		const startedAt = performance.now();
		await server.close();
		expect(performance.now() - startedAt).toBeLessThan(3_000);
		expect(await answer).toBeInstanceOf(Error);
		socket.destroy();
	});
});
