// Clients that share no code with ours keep the server honest.
import { PassThrough } from "node:stream";
import {
	Client,
	StreamableHTTPClientTransport,
	type Transport,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { openStdinSource, serveStdio } from "../../src/reference/index.ts";
import { realClock } from "./manual-clock.ts";
import { NAME, openStdinServer } from "./open-stdin-server.ts";
import { type Json, SUBSCRIPTION } from "./wire-client.ts";

/** A Standard Schema that takes everything. */
const loose = {
	"~standard": {
		version: 1 as const,
		vendor: "test",
		validate: (value: unknown) => ({ value: value as Record<string, Json> }),
	},
};
const EXTENSION = "io.modelcontextprotocol/events";

function openNewClient() {
	return new Client(
		{ name: "test", version: "0" },
		{
			capabilities: { extensions: { [EXTENSION]: {} } },
			versionNegotiation: { mode: { pin: "2026-07-28" } },
		},
	);
}

/** The package derives Mcp-Name for the methods that it knows alone. */
const fetchWithName: typeof fetch = (url, init) => {
	const headers = new Headers(init?.headers);
	const message = typeof init?.body === "string" ? JSON.parse(init.body) : {};
	if (message.params?.name) headers.set("mcp-name", message.params.name);
	return fetch(url, { ...init, headers });
};

async function useNewClient(transport: Transport, emit: (n: number) => void) {
	const client = openNewClient();
	await client.connect(transport);
	expect(client.getServerCapabilities()?.extensions?.[EXTENSION]).toEqual({});
	const list: Json = await client.request({ method: "events/list" }, loose);
	expect(list.events[0].name).toBe(NAME);
	const params = { name: NAME, arguments: {}, cursor: null };
	const polled = await client.request({ method: "events/poll", params }, loose);
	expect(polled).toMatchObject({ events: [], hasMore: false });

	const event = new Promise<Json>((resolve) => {
		for (const kind of ["active", "event"])
			client.setNotificationHandler(
				`notifications/events/${kind}`,
				{ params: loose },
				(params) => (kind === "active" ? emit(1) : resolve(params)),
			);
	});
	const abort = new AbortController();
	const streamed = client.request({ method: "events/stream", params }, loose, {
		signal: abort.signal,
		timeout: 2 ** 31 - 1,
	});
	const { _meta, data, cursor } = await event;
	expect([data, cursor]).toEqual([{ n: 1 }, "v1.run.1"]);
	expect(_meta[SUBSCRIPTION]).toEqual(expect.any(Number));
	const since = { ...params, cursor: "v1.run.0" };
	const again = { method: "events/poll", params: since };
	const { events }: Json = await client.request(again, loose);
	expect(events).toMatchObject([{ data: { n: 1 } }]);
	abort.abort();
	await expect(streamed).rejects.toThrow();
	await client.close();
}

describe("@modelcontextprotocol/client 2 at 2026-07-28", () => {
	it("lists, polls and streams over HTTP", async () => {
		const { server, input, url } = await openStdinServer();
		await using _ = server;
		const transport = new StreamableHTTPClientTransport(new URL(url), {
			fetch: fetchWithName,
		});
		await useNewClient(transport, (n) => input.write(`{"n":${n}}\n`));
	});

	it("lists, polls and streams over stdio", async () => {
		const [toServer, toClient, events] = [1, 2, 3].map(() => new PassThrough());
		if (!toServer || !toClient || !events) throw new Error("no streams");
		const served = serveStdio({
			input: toServer,
			output: toClient,
			sources: [
				openStdinSource({ input: events, clock: realClock, epoch: "run" }),
			],
			clock: realClock,
			version: "0",
		});
		await useNewClient(lineTransport(toServer, toClient), (n) =>
			events.write(`{"n":${n}}\n`),
		);
		await served;
	});
});

/** The package's stdio transport starts a process; this speaks the same lines to streams. */
function lineTransport(toServer: PassThrough, toClient: PassThrough) {
	let text = "";
	const transport: Transport = {
		async start() {
			toClient.on("data", (chunk) => {
				text += chunk;
				const lines = text.split("\n");
				text = lines.pop() ?? "";
				for (const line of lines) transport.onmessage?.(JSON.parse(line));
			});
		},
		async send(message) {
			toServer.write(`${JSON.stringify(message)}\n`);
		},
		async close() {
			toServer.end();
			transport.onclose?.();
		},
	};
	return transport;
}

describe("@modelcontextprotocol/sdk 1 with initialize", () => {
	it("lists, polls and streams over HTTP, and ends its session", async () => {
		const { server, input, url } = await openStdinServer();
		await using _ = server;
		const client = new OldClient({ name: "test", version: "0" });
		const transport = new OldHttp(new URL(url));
		await client.connect(transport as never);
		await client.ping();
		const list: Json = await client.request(
			{ method: "events/list" },
			ResultSchema,
		);
		expect(list.events[0].name).toBe(NAME);
		const params = { name: NAME, arguments: {} };
		const polled: Json = await client.request(
			{ method: "events/poll", params },
			ResultSchema,
		);
		expect(polled.cursor).toBe("v1.run.0");

		const event = new Promise<Json>((resolve) => {
			client.fallbackNotificationHandler = async ({ method, params }) => {
				if (method.endsWith("/active")) input.write('{"n":1}\n');
				if (method.endsWith("/event")) resolve(params);
			};
		});
		const abort = new AbortController();
		const streamed = client.request(
			{ method: "events/stream", params },
			ResultSchema,
			{ signal: abort.signal, timeout: 60_000 },
		);
		expect((await event).data).toEqual({ n: 1 });
		const since = { ...params, cursor: polled.cursor };
		const again = { method: "events/poll", params: since };
		const { events }: Json = await client.request(again, ResultSchema);
		expect(events).toMatchObject([{ data: { n: 1 } }]);
		abort.abort();
		await expect(streamed).rejects.toThrow();
		await transport.terminateSession();
		await client.close();
	});
});
