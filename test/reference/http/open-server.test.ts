import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import {
	openDemoSource,
	openReferenceServer,
} from "../../../src/reference/index.ts";
import { createManualClock, realClock } from "../manual-clock.ts";
import { NAME, openStdinServer } from "../open-stdin-server.ts";
import {
	ask,
	type Json,
	post,
	rawRequest,
	SUBSCRIPTION,
	streamMessages,
	take,
} from "../wire-client.ts";

describe("discovery", () => {
	it("tells the revision, the extension and how long that holds", async () => {
		await using server = (await openStdinServer()).server;
		const { result } = await ask(server.url, "server/discover");
		expect(result).toEqual({
			resultType: "complete",
			supportedVersions: ["2026-07-28"],
			capabilities: { extensions: { "io.modelcontextprotocol/events": {} } },
			ttlMs: expect.any(Number),
			cacheScope: "private",
			_meta: {
				"io.modelcontextprotocol/serverInfo": {
					name: "mcp-events",
					version: "1.2.3",
				},
			},
		});
	});

	it("refuses two sources of one event type, and a port that is taken", async () => {
		await using one = (await openStdinServer()).server;
		const clock = createManualClock();
		const source = openDemoSource({ clock, seed: "1", epoch: "run" });
		const base = { clock: realClock, version: "0" };
		await expect(
			openReferenceServer({ ...base, sources: [source, source] }),
		).rejects.toMatchObject({ code: "wrong-use" });
		await expect(
			openReferenceServer({ ...base, sources: [source], port: one.port }),
		).rejects.toMatchObject({ code: "address-unusable" });
		expect(clock.timers).toBe(0);
	});
});

describe("events/poll", () => {
	it("begins now without a cursor, and goes on from the cursor given", async () => {
		await using server = (await openStdinServer()).server;
		const { result } = await ask(server.url, "events/poll", { name: NAME });
		expect(result).toMatchObject({
			events: [],
			cursor: "v1.run.0",
			truncated: false,
			hasMore: false,
			nextPollMs: 1_000,
			resultType: "complete",
		});
	});

	it("gives no occurrence a cursor, and stops at maxEvents", async () => {
		const { server, emit, url } = await openStdinServer();
		await using _ = server;
		await emit(1, 3);
		const params = { name: NAME, arguments: {}, cursor: "v1.run.0" };
		const first = await ask(url, "events/poll", { ...params, maxEvents: 2 });
		expect(first.result).toMatchObject({ cursor: "v1.run.2", hasMore: true });
		expect(first.result.events.map((e: Json) => [e.data.n, e.cursor])).toEqual([
			[1, undefined],
			[2, undefined],
		]);
		const { cursor } = first.result;
		const second = await ask(url, "events/poll", { ...params, cursor });
		expect(second.result).toMatchObject({ cursor: "v1.run.3", hasMore: false });
	});

	it("says truncated when the ring has lost the place", async () => {
		const { server, emit, url } = await openStdinServer({ bufferSize: 2 });
		await using _ = server;
		await emit(1, 5);
		const params = { name: NAME, cursor: "v1.run.1" };
		const { result } = await ask(url, "events/poll", params);
		expect(result.truncated).toBe(true);
		expect(result.events.map((e: Json) => e.data.n)).toEqual([4, 5]);
	});

	it("keeps one answer far below the size that clients refuse", async () => {
		const { server, emit, url } = await openStdinServer();
		await using _ = server;
		await emit(1, 8, "x".repeat(900_000));
		const params = { name: NAME, cursor: "v1.run.0" };
		const { result } = await ask(url, "events/poll", params);
		expect(result).toMatchObject({ cursor: "v1.run.4", hasMore: true });
		expect(result.events).toHaveLength(4);
	});
});

describe("a request that cannot be served", () => {
	it.each([
		["events/poll", {}, -32602, undefined],
		["events/poll", { name: "no.such" }, -32023, { kind: "event" }],
		["events/stream", { name: "no.such" }, -32023, { kind: "event" }],
		["events/poll", { name: NAME, arguments: { x: 1 } }, -32602, undefined],
		["events/stream", { name: NAME, arguments: [] }, -32602, undefined],
		["events/poll", { name: NAME, cursor: 5 }, -32602, undefined],
		["events/poll", { name: NAME, cursor: "rubbish" }, -32602, undefined],
		["events/stream", { name: NAME, cursor: "rubbish" }, -32602, undefined],
		["events/poll", { name: NAME, maxEvents: 0 }, -32602, undefined],
		["events/poll", { name: NAME, maxAgeMs: -1 }, -32602, undefined],
		["events/poll", { name: NAME, maxAgeMs: "5" }, -32602, undefined],
		["events/list", { cursor: "page-99" }, -32602, undefined],
		["events/list", { cursor: 7 }, -32602, undefined],
		["events/subscribe", { name: NAME }, -32024, undefined],
	])("%s %j is answered %i", async (method, params, code, data) => {
		await using server = (await openStdinServer()).server;
		const response = await post(server.url, method, params);
		expect(response.status).toBe(200);
		expect(response.headers.get("content-type")).toBe("application/json");
		const { error, id } = (await response.json()) as Json;
		expect([error.code, error.data, id]).toEqual([code, data, 1]);
	});
});

describe("events/stream", () => {
	it.each([["seven"], [7]])(
		"sends active, then events, each with the subscription id %j",
		async (id) => {
			const { server, emit, url } = await openStdinServer();
			await using _ = server;
			const stream = streamMessages(url, { name: NAME }, { id });
			const [active] = await take(stream, 1);
			await emit(1, 2);
			const events = await take(stream, 2);
			const messages: Json[] = [active, ...events];
			expect(messages.map((m) => m.params._meta[SUBSCRIPTION])).toEqual([
				id,
				id,
				id,
			]);
			expect(active).toMatchObject({
				method: "notifications/events/active",
				params: { cursor: "v1.run.0", truncated: false },
			});
			expect(events[1]).toMatchObject({
				method: "notifications/events/event",
				params: { name: NAME, data: { n: 2 }, cursor: "v1.run.2" },
			});
			await stream.return(undefined);
		},
	);

	it("replays from the cursor, exactly what a poll gives", async () => {
		const { server, emit, url } = await openStdinServer();
		await using _ = server;
		await emit(1, 3);
		const params = { name: NAME, cursor: "v1.run.1" };
		const { result } = await ask(url, "events/poll", params);
		const stream = streamMessages(url, params);
		const [active, ...events]: Json[] = await take(stream, 3);
		expect(active.params.cursor).toBe("v1.run.1");
		const plain = events.map(({ params: { cursor, _meta, ...rest } }) => rest);
		expect(plain).toEqual(result.events);
		await stream.return(undefined);
	});

	it("beats with data frames while all is quiet, with the cursor it has reached", async () => {
		const clock = createManualClock();
		const { server, emit, url } = await openStdinServer({ clock });
		await using _ = server;
		const stream = streamMessages(url, { name: NAME });
		await take(stream, 1);
		await emit(1);
		await take(stream, 1);
		await clock.advance(25_000);
		const [beat]: Json[] = await take(stream, 1);
		expect(beat).toMatchObject({
			method: "notifications/events/heartbeat",
			params: { cursor: "v1.run.1", _meta: { [SUBSCRIPTION]: 1 } },
		});
		await stream.return(undefined);
	});

	it("is told apart from a buffering proxy's idea of a response", async () => {
		await using server = (await openStdinServer()).server;
		const response = await post(server.url, "events/stream", { name: NAME });
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		expect(response.headers.get("x-accel-buffering")).toBe("no");
		await response.body?.cancel();
	});

	it("has a limit of its own, which leaves polls alone", async () => {
		const { server, url } = await openStdinServer({ maxStreams: 1 });
		await using _ = server;
		const stream = streamMessages(url, { name: NAME });
		await take(stream, 1);
		const refused = await ask(url, "events/stream", { name: NAME });
		expect(refused.error).toMatchObject({
			code: -32025,
			data: { limit: "streams", max: 1 },
		});
		const polled = await ask(url, "events/poll", { name: NAME });
		expect(polled.result.cursor).toBe("v1.run.0");
		await stream.return(undefined);
	});

	it("ends with its final frame when the server closes", async () => {
		const { server, url } = await openStdinServer();
		const stream = streamMessages(url, { name: NAME }, { id: "s" });
		await take(stream, 1);
		const closed = server.close();
		const rest: Json[] = await take(stream, 5);
		await closed;
		expect(rest).toEqual([
			{
				jsonrpc: "2.0",
				id: "s",
				result: {
					resultType: "complete",
					_meta: expect.objectContaining({ [SUBSCRIPTION]: "s" }),
				},
			},
		]);
	});
});

describe("nothing is left behind", () => {
	it("when clients abort their streams: no timer, no watcher", async () => {
		const clock = createManualClock();
		const { server, source, url } = await openStdinServer({ clock });
		await using _ = server;
		const watch = source.types[0]?.watch;
		let watchers = 0;
		if (source.types[0] && watch)
			source.types[0].watch = (args, wake) => {
				watchers++;
				const stop = watch(args, wake);
				return () => {
					watchers--;
					stop();
				};
			};
		const params = { name: NAME };
		const streams = [1, 2, 3].map(() => streamMessages(url, params));
		for (const stream of streams) await take(stream, 1);
		expect([watchers, clock.timers]).toEqual([3, 3]);
		for (const stream of streams) await stream.return(undefined);
		await expect.poll(() => [watchers, clock.timers]).toEqual([0, 0]);
	});

	it("when the server closes: no socket, no listener", async () => {
		const { server, url } = await openStdinServer();
		const before = process.getActiveResourcesInfo().filter(isSocket).length;
		const streams = [1, 2].map(() => streamMessages(url, { name: NAME }));
		for (const stream of streams) await take(stream, 1);
		await server.close();
		for (const stream of streams) await take(stream, 5);
		await expect
			.poll(() => process.getActiveResourcesInfo().filter(isSocket).length)
			.toBeLessThan(before);
		expect((await rawRequest(url, "GET", {}).catch((e) => e)).code).toBe(
			"ECONNREFUSED",
		);
	});
});

const isSocket = (kind: string) => /TCP/.test(kind);

describe("a client that does not read", () => {
	it("costs no memory, and is told what it missed when it reads on", async () => {
		const { server, emit, url } = await openStdinServer({ bufferSize: 20 });
		await using _ = server;
		const { socket, bodyOf } = openRawStream(url);
		await new Promise((resolve) => socket.once("readable", resolve));
		const pad = "x".repeat(100_000);
		for (let n = 1; n <= 200; n++) await emit(n, n, pad);
		const messages: Json[] = [];
		for await (const message of bodyOf()) {
			messages.push(message);
			if (message.params.data?.n === 200) break;
		}
		const again = messages.findLastIndex((m) => m.method.endsWith("/active"));
		expect(again).toBeGreaterThan(0);
		expect(messages[again].params.truncated).toBe(true);
		const last = messages.slice(again + 1).map((m) => m.params.data.n);
		expect(last).toEqual(
			Array.from({ length: last.length }, (_v, i) => 201 - last.length + i),
		);
		expect(messages[again].params.cursor).toBe(`v1.run.${200 - last.length}`);
		socket.destroy();
	});
});

/** A stream over a bare socket, which reads nothing until its body is asked for. */
function openRawStream(url: string) {
	const { port } = new URL(url);
	const socket = connect(Number(port), "127.0.0.1");
	const params = {
		name: NAME,
		_meta: {
			"io.modelcontextprotocol/protocolVersion": "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": {},
		},
	};
	const body = JSON.stringify({
		jsonrpc: "2.0",
		id: 1,
		method: "events/stream",
		params,
	});
	socket.write(
		`POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: events/stream\r\nMcp-Name: ${NAME}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
	);
	async function* bodyOf(): AsyncGenerator<Json> {
		let text = "";
		for await (const chunk of socket) {
			text += chunk;
			const lines = text.split("\n");
			text = lines.pop() ?? "";
			// Chunk sizes stand on lines of their own, and a frame may be cut by none: one write is one chunk.
			for (const line of lines)
				if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
		}
	}
	return { socket, bodyOf };
}
