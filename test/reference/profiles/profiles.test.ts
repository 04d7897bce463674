import { describe, expect, it } from "vitest";
import type { ProfileName, ServedEras } from "../../../src/reference/index.ts";
import { NAME, openStdinServer } from "../open-stdin-server.ts";
import { openWebhookServer, parseBody } from "../open-webhook-server.ts";
import {
	ask,
	type Json,
	post,
	SUBSCRIPTION,
	streamMessages,
} from "../wire-client.ts";

const EXTENSION = "io.modelcontextprotocol/events";

async function open(profile: ProfileName, era?: ServedEras) {
	const all = await openStdinServer({ profile, era });
	return { ...all, [Symbol.asyncDispose]: () => all.server.close() };
}

/** A session of an initialize client: its handshake's result, and a way to ask on. */
async function initialize(url: string) {
	const say = (message: Json, headers = {}) =>
		fetch(url, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				accept: "application/json, text/event-stream",
				...headers,
			},
			body: JSON.stringify({ jsonrpc: "2.0", ...message }),
		});
	const params = {
		protocolVersion: "2025-06-18",
		capabilities: {},
		clientInfo: { name: "test", version: "0" },
	};
	const first = await say({ id: 0, method: "initialize", params });
	const session = {
		"mcp-session-id": first.headers.get("mcp-session-id") ?? "",
	};
	const answer = (await first.json()) as Json;
	const call = (method: string, more: Json = {}) =>
		say({ id: 1, method, params: more }, session);
	return { answer, session, call };
}

describe("a profile decides where the capability stands", () => {
	it.each<[ProfileName, string[]]>([
		["final", ["extensions"]],
		["chatgpt", ["events", "extensions"]],
		["sketch", ["events"]],
	])("%s: %j, in either era", async (profile, places) => {
		await using server = await open(profile, "both");
		const { result } = await ask(server.url, "server/discover");
		const { answer } = await initialize(server.url);
		for (const { capabilities } of [result, answer.result]) {
			expect(Object.keys(capabilities).sort()).toEqual(places);
			for (const place of places)
				expect(capabilities[place]).toEqual(
					place === "events" ? {} : { [EXTENSION]: {} },
				);
		}
	});
});

describe("a profile that is named decides the era, unless one is asked for", () => {
	const MODERN = [true, false];
	const LEGACY = [false, true];
	const BOTH = [true, true];
	it.each<[ProfileName, ServedEras | undefined, boolean[]]>([
		["final", undefined, MODERN],
		["chatgpt", undefined, BOTH],
		["sketch", undefined, LEGACY],
		["final", "legacy", LEGACY],
		["sketch", "modern", MODERN],
		["sketch", "both", BOTH],
	])(
		"%s with --era %s: discover, initialize %j",
		async (profile, era, served) => {
			await using server = await open(profile, era);
			const discovered = await ask(server.url, "server/discover");
			const { answer } = await initialize(server.url);
			expect([discovered, answer].map((one) => "result" in one)).toEqual(
				served,
			);
		},
	);
});

describe("a profile numbers the errors", () => {
	it.each<[ProfileName, number]>([
		["final", -32023],
		["chatgpt", -32011],
		["sketch", -32011],
	])("%s: NotFound is %i", async (profile, code) => {
		await using server = await open(profile, "modern");
		const { error } = await ask(server.url, "events/poll", { name: "none" });
		expect(error).toMatchObject({ code, data: { kind: "event" } });
	});

	it.each<[ProfileName, Json]>([
		["final", { code: -32024 }],
		["chatgpt", { code: -32012 }],
		["sketch", { code: -32012 }],
	])("%s: Forbidden is %j", async (profile, error) => {
		await using server = await open(profile, "modern");
		const answer = await ask(server.url, "events/subscribe", { name: NAME });
		expect(answer.error).toMatchObject(error);
	});
});

describe("a profile decides which results carry resultType", () => {
	it.each<[ProfileName, string | undefined]>([
		["final", "complete"],
		["chatgpt", undefined],
		["sketch", undefined],
	])(
		"%s: %s after initialize, and always after discover",
		async (profile, type) => {
			await using server = await open(profile, "both");
			const modern = await ask(server.url, "events/list");
			expect(modern.result.resultType).toBe("complete");
			const { call } = await initialize(server.url);
			const legacy = (await (await call("events/list")).json()) as Json;
			expect(legacy.result.resultType).toBe(type);
		},
	);
});

describe("a profile decides what Mcp-Name must be", () => {
	it.each<[ProfileName, string | undefined, number]>([
		["final", undefined, -32020],
		["final", "other", -32020],
		["chatgpt", undefined, -32011],
		["chatgpt", "other", -32020],
		["sketch", undefined, -32011],
		["sketch", "other", -32011],
	])("%s with the header %s: %i", async (profile, header, code) => {
		await using server = await open(profile, "modern");
		const params = { name: "none" };
		const bend = { headers: { "mcp-name": header } };
		const response = await post(server.url, "events/poll", params, bend);
		expect(response.status).toBe(code === -32020 ? 400 : 200);
		expect(((await response.json()) as Json).error.code).toBe(code);
	});
});

describe("a profile decides how a stream ends", () => {
	it.each<[ProfileName, ServedEras, Json]>([
		["final", "modern", { [SUBSCRIPTION]: 1 }],
		["final", "legacy", { [SUBSCRIPTION]: 1 }],
		["sketch", "legacy", {}],
	])("%s, %s: _meta %j", async (profile, era, meta) => {
		await using server = await open(profile, era);
		const { call } = await initialize(server.url);
		const params = { name: NAME };
		const response =
			era === "modern"
				? await post(server.url, "events/stream", params)
				: await call("events/stream", params);
		await server.server.close();
		const frames = (await response.text()).trim().split("\n\n");
		const { result } = JSON.parse(frames.at(-1)?.slice(6) ?? "");
		const { "io.modelcontextprotocol/serverInfo": _, ...rest } = result._meta;
		expect(rest).toEqual(meta);
	});
});

describe("a profile decides the modes and what webhooks do", () => {
	it.each<[ProfileName, string[]]>([
		["final", ["poll", "push", "webhook"]],
		["chatgpt", ["webhook"]],
		["sketch", ["poll", "push", "webhook"]],
	])("%s offers %j", async (profile, modes) => {
		await using server = await openWebhookServer({ profile, era: "modern" });
		const { result } = await server.ask("events/list");
		expect(result.events[0].delivery).toEqual(modes);
		const params = { name: "conformance.steady" };
		const { error } = await server.ask("events/poll", params);
		expect(error?.code).toBe(profile === "chatgpt" ? -32014 : undefined);
	});

	it.each<[ProfileName, number | undefined]>([
		["final", -32023],
		["chatgpt", undefined],
		["sketch", -32011],
	])("%s answers an unsubscribe of nothing by %s", async (profile, code) => {
		await using server = await openWebhookServer({ profile, era: "modern" });
		const answer = await server.ask("events/unsubscribe", {
			name: "conformance.steady",
			arguments: {},
			delivery: { url: server.receiver.url },
		});
		expect(answer.error?.code).toBe(code);
	});

	it.each<[ProfileName, boolean]>([
		["final", false],
		["chatgpt", true],
		["sketch", true],
	])("%s: webhook-id is the eventId: %s", async (profile, isEventId) => {
		await using server = await openWebhookServer({ profile, era: "modern" });
		await server.subscribe("conformance.steady");
		await expect.poll(() => server.delivered().length).toBeGreaterThan(0);
		const [first] = server.delivered();
		const { eventId } = parseBody(first?.body ?? Buffer.of());
		expect(first?.header("webhook-id") === eventId).toBe(isEventId);
	});

	it.each<[ProfileName, string | undefined]>([
		["final", "terminated"],
		["chatgpt", undefined],
		["sketch", "terminated"],
	])("%s: the end of a type is told by %s", async (profile, type) => {
		await using server = await openWebhookServer({ profile, era: "modern" });
		const { result } = await server.subscribe("conformance.spare");
		await server.control("catalog", {
			action: "remove",
			name: "conformance.spare",
		});
		const state = () => server.control("subscription_state", { id: result.id });
		await expect.poll(state).toBe("absent");
		const envelopes = () =>
			server.delivered().map(({ body }) => parseBody(body).type);
		if (type) await expect.poll(envelopes).toContain(type);
		else expect(envelopes().filter(Boolean)).toEqual([]);
	});
});

describe("a stream without a profile", () => {
	it("is that of final, for clients of both eras", async () => {
		const { server, url } = await openStdinServer();
		await using _ = server;
		const stream = streamMessages(url, { name: NAME });
		expect((await stream.next()).value.method).toMatch(/active$/);
		await stream.return(undefined);
		expect((await initialize(url)).answer.result).toBeDefined();
	});
});
