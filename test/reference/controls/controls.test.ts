import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDemoSource } from "../../../src/reference/index.ts";
import { openStore } from "../../../src/reference/webhooks/index.ts";
import { createManualClock, realClock } from "../manual-clock.ts";
import {
	isMethod,
	openControlledServer,
	SPARE,
	STEADY,
	until,
} from "../open-controlled-server.ts";
import { openWebhookServer, parseBody } from "../open-webhook-server.ts";
import { ask, type Json, post, streamMessages, take } from "../wire-client.ts";

const active = isMethod("/active");
const event = isMethod("/event");

describe("the tools of a fixture", () => {
	it("are fourteen, six of them only where there are webhooks to work on", async () => {
		await using plain = await openControlledServer();
		const { result } = await ask(plain.url, "tools/list");
		expect(result).toMatchObject({
			resultType: "complete",
			ttlMs: expect.any(Number),
			cacheScope: "private",
		});
		const names = (tools: Json[]) =>
			tools.map(({ name }) => name.replace("events_conformance_", ""));
		expect(names(result.tools)).toEqual([
			"yield_error",
			"yield_gap",
			"terminate",
			"quota",
			"restart",
			"generation",
			"catalog",
			"access",
		]);
		await using full = await openWebhookServer();
		const all = await full.ask("tools/list");
		expect(all.result.tools).toHaveLength(14);
		expect(names(all.result.tools)).toEqual(
			expect.arrayContaining([
				"subscribe_as",
				"subscription_exists",
				"allow_callback_origin",
				"webhook_gap",
				"webhook_terminate",
				"subscription_state",
			]),
		);
	});

	it("are declared, and are there in both eras, behind the switch alone", async () => {
		await using server = await openControlledServer();
		const { result } = await ask(server.url, "server/discover");
		expect(result.capabilities.tools).toEqual({});
		const first = await post(server.url, "initialize", {
			protocolVersion: "2025-06-18",
			_meta: undefined,
		});
		const headers = {
			"mcp-session-id": first.headers.get("mcp-session-id") ?? "",
			"mcp-protocol-version": "2025-06-18",
		};
		const params = { name: "events_conformance_generation", _meta: undefined };
		const call = await post(server.url, "tools/call", params, { headers });
		expect(((await call.json()) as Json).result).toEqual({
			content: [{ type: "text", text: "1" }],
		});
		await using honest = await openControlledServer({
			conformanceControls: false,
		});
		const { error } = await ask(honest.url, "tools/list");
		expect(error.code).toBe(-32601);
	});

	it("say what they cannot do", async () => {
		await using server = await openControlledServer();
		const call = (name: string, args: Json) =>
			ask(server.url, "tools/call", { name, arguments: args });
		const unknown = await call("other", {});
		expect(unknown.error.code).toBe(-32602);
		for (const [tool, args] of [
			["yield_gap", { name: "none" }],
			["yield_error", {}],
			["terminate", { name: 5 }],
			["catalog", { action: "paint", name: SPARE }],
			["catalog", { action: "add", name: SPARE }],
			["catalog", { action: "restore", name: SPARE }],
			["access", { action: "restore", name: SPARE }],
			["access", { action: "revoke", name: "none" }],
		] as const) {
			const { result } = await call(`events_conformance_${tool}`, args);
			expect(result, tool).toMatchObject({ isError: true });
		}
	});
});

describe("events_conformance_yield_error", () => {
	it("is a passing failure of the upstream: streams are told, stay, and go on", async () => {
		await using server = await openControlledServer();
		const messages = streamMessages(server.url, { name: STEADY });
		await until(messages, event);
		await server.control("yield_error", { name: STEADY });
		const told = await until(messages, isMethod("/error"));
		expect(told.params.error).toMatchObject({ code: expect.any(Number) });
		expect(await until(messages, event)).toBeDefined();
	});
});

describe("events_conformance_access", () => {
	it("is taken from everybody: polls are Forbidden and streams end, until it is given back", async () => {
		await using server = await openControlledServer();
		const messages = streamMessages(server.url, { name: SPARE });
		await until(messages, active);
		const poll = async (name: string) =>
			(await ask(server.url, "events/poll", { name })).error?.code;
		await server.control("access", { action: "revoke", name: SPARE });
		expect(await poll(SPARE)).toBe(-32024);
		expect(await poll(STEADY)).toBeUndefined();
		const { params } = await until(messages, isMethod("/terminated"));
		expect(params.error.code).toBe(-32024);
		await server.control("access", { action: "restore", name: SPARE });
		expect(await poll(SPARE)).toBeUndefined();
	});

	it("is given back by a restart", async () => {
		await using server = await openControlledServer();
		await server.control("access", { action: "revoke", name: SPARE });
		await server.control("restart");
		const again = () => server.control("generation");
		await expect.poll(again).toBe("2");
		const { error } = await ask(server.url, "events/poll", { name: SPARE });
		expect(error).toBeUndefined();
	});
});

describe("events_conformance_yield_gap", () => {
	it("loses events: streams and pollers get truncated with a fresh cursor, and go on", async () => {
		await using server = await openControlledServer();
		const messages = streamMessages(server.url, { name: STEADY });
		const before = (await until(messages, active)).params;
		expect(before.truncated).toBe(false);
		await until(messages, event);
		await server.control("yield_gap", { name: STEADY });
		const after = (await until(messages, active)).params;
		expect(after.truncated).toBe(true);
		expect(after.cursor).not.toBe(before.cursor);
		const next = (await until(messages, event)).params;
		const poll = async (cursor: string) =>
			(await ask(server.url, "events/poll", { name: STEADY, cursor })).result;
		const old = await poll(before.cursor);
		expect(old).toMatchObject({ truncated: true, events: [] });
		expect((await poll(old.cursor)).truncated).toBe(false);
		const resumed = await poll(after.cursor);
		expect(resumed.truncated).toBe(false);
		expect(resumed.events[0].eventId).toBe(next.eventId);
	});

	it("says nothing of truncation on a type without replay", async () => {
		await using server = await openControlledServer({ heartbeatMs: 150 });
		const name = "conformance.no-replay";
		const messages = streamMessages(server.url, { name, cursor: "any" });
		const first = await until(messages, active);
		expect(first.params).toMatchObject({ cursor: null, truncated: false });
		await server.control("yield_gap", { name });
		const seen = await take(messages, 8);
		expect(seen.filter(active)).toEqual([]);
		expect(seen.some(event)).toBe(true);
		expect(new Set(seen.map(({ params }) => params.cursor))).toEqual(
			new Set([null]),
		);
	});
});

describe("events_conformance_terminate", () => {
	it("ends a type: terminated, final frame, no more of it until a restart", async () => {
		await using server = await openControlledServer();
		const messages = streamMessages(server.url, { name: SPARE });
		await until(messages, active);
		await server.control("terminate", { name: SPARE });
		const { params } = await until(messages, isMethod("/terminated"));
		expect(params.error).toMatchObject({
			code: -32023,
			data: { kind: "event" },
		});
		const [final] = await take(messages, 1);
		expect(final).toMatchObject({ id: 1, result: { resultType: "complete" } });
		expect((await messages.next()).done).toBe(true);
		expect(await server.names()).not.toContain(SPARE);
		const restore = { action: "restore", name: SPARE };
		expect(await server.control("catalog", restore)).toMatch(/has ended/);
		await server.control("restart");
		await expect.poll(server.names).toContain(SPARE);
	});
});

describe("events_conformance_quota", () => {
	it("names a type of which one stream more than its maximum is refused", async () => {
		await using server = await openControlledServer();
		const { name, max } = JSON.parse(await server.control("quota"));
		expect(await server.names()).toContain(name);
		const streams = Array.from({ length: max }, () =>
			streamMessages(server.url, { name }),
		);
		for (const stream of streams) await until(stream, active);
		const refused = await ask(server.url, "events/stream", { name });
		expect(refused.error).toMatchObject({
			code: -32025,
			data: { limit: "subscriptions", max },
		});
		await streams[0]?.return(undefined);
		const again = async () => {
			const stream = streamMessages(server.url, { name });
			const { value } = await stream.next();
			await stream.return(undefined);
			return active(value);
		};
		await expect.poll(again).toBe(true);
	});
});

describe("events_conformance_catalog", () => {
	it("alter adds an optional field and ends nothing", async () => {
		await using server = await openControlledServer();
		const descriptor = async () =>
			(await ask(server.url, "events/list")).result.events.find(
				({ name }: Json) => name === SPARE,
			);
		const before = await descriptor();
		const messages = streamMessages(server.url, { name: SPARE });
		await until(messages, active);
		await server.control("catalog", { action: "alter", name: SPARE });
		const after = await descriptor();
		const { addedLater, ...kept } = after.payloadSchema.properties;
		expect(addedLater).toMatchObject({ type: "string" });
		expect(kept).toEqual(before.payloadSchema.properties);
		expect(after.payloadSchema.required).toEqual(before.payloadSchema.required);
		const seen = await take(messages, 4);
		expect(seen.every(event)).toBe(true);
	});

	it("break retypes a field, in the schema and in the events, and ends what is open", async () => {
		await using server = await openControlledServer();
		const messages = streamMessages(server.url, { name: SPARE });
		await until(messages, active);
		await server.control("catalog", { action: "break", name: SPARE });
		const { params } = await until(messages, isMethod("/terminated"));
		expect(params.error).toMatchObject({
			code: -32026,
			data: { feature: "payloadSchema", reason: "schema_changed" },
		});
		const again = streamMessages(server.url, { name: SPARE });
		const { data } = (await until(again, event)).params;
		expect(data.n).toEqual([expect.any(Number)]);
		const { result } = await ask(server.url, "events/list");
		const { payloadSchema } = result.events.find(
			({ name }: Json) => name === SPARE,
		);
		expect(payloadSchema.properties.n.type).toBe("array");
		await server.control("catalog", { action: "restore", name: SPARE });
		expect(await until(again, isMethod("/terminated"))).toBeDefined();
	});

	it("remove makes a poll of the name NotFound, and restore brings it back", async () => {
		await using server = await openControlledServer();
		const poll = () => ask(server.url, "events/poll", { name: SPARE });
		await server.control("catalog", { action: "remove", name: SPARE });
		expect((await poll()).error).toMatchObject({
			code: -32023,
			data: { kind: "event" },
		});
		await server.control("catalog", { action: "restore", name: SPARE });
		expect((await poll()).result).toBeDefined();
	});

	it("add makes a type that emits, and removing it undoes that", async () => {
		await using server = await openControlledServer();
		const name = "brand.new";
		await server.control("catalog", { action: "add", name });
		const messages = streamMessages(server.url, { name });
		expect((await until(messages, event)).params.name).toBe(name);
		await server.control("catalog", { action: "restore", name });
		expect(await until(messages, isMethod("/terminated"))).toBeDefined();
		expect(await server.names()).not.toContain(name);
	});
});

describe("events_conformance_restart", () => {
	it("answers first, then ends streams and sessions and counts one generation more", async () => {
		await using server = await openControlledServer();
		const first = await post(server.url, "initialize", {
			protocolVersion: "2025-06-18",
			_meta: undefined,
		});
		const headers = {
			"mcp-session-id": first.headers.get("mcp-session-id") ?? "",
			"mcp-protocol-version": "2025-06-18",
		};
		const messages = streamMessages(server.url, { name: STEADY });
		const { cursor } = (await until(messages, active)).params;
		expect(await server.control("generation")).toBe("1");
		expect(await server.control("restart")).toBe("2");
		await expect.poll(() => server.control("generation")).toBe("2");
		const end = await until(messages, ({ result }) => result !== undefined);
		expect(end.result.resultType).toBe("complete");
		const { result } = await ask(server.url, "events/poll", {
			name: STEADY,
			cursor,
		});
		expect(result.truncated).toBe(true);
		const params = { _meta: undefined };
		const ping = await post(server.url, "ping", params, { headers });
		expect(ping.status).toBe(404);
	});
});

describe("a server with controls", () => {
	it("leaves no timer behind, not even that of a restart to come", async () => {
		const clock = createManualClock();
		const server = await openControlledServer({ clock });
		await server.control("yield_error", { name: STEADY });
		await server.control("restart");
		expect(clock.timers).toBeGreaterThan(2);
		await server.close();
		expect(clock.timers).toBe(0);
	});
});

describe("a restart begins anew", () => {
	it("with sources that are opened again, where they can be", async () => {
		const clock = realClock;
		const opened: string[] = [];
		const reopenSources = () => {
			const epoch = `run${opened.push("again")}`;
			return [openDemoSource({ clock, seed: "1", epoch })];
		};
		const sources = reopenSources();
		await using server = await openControlledServer({ sources, reopenSources });
		const params = { name: "dice.rolled", arguments: { sides: 6 } };
		const poll = async (cursor?: string) =>
			(await ask(server.url, "events/poll", { ...params, cursor })).result;
		const { cursor } = await poll();
		expect(cursor).toMatch(/^v1\.run1\./);
		await server.control("restart");
		await expect.poll(() => server.control("generation")).toBe("2");
		expect(opened).toHaveLength(2);
		expect(await poll(cursor)).toMatchObject({
			truncated: true,
			cursor: expect.stringMatching(/^v1\.run2\./),
		});
	});

	it("with the subscriptions that the store kept, and without one with none", async () => {
		for (const isKept of [true, false]) {
			const path = join(mkdtempSync(join(tmpdir(), "controls-")), "store");
			const owner = { pid: process.pid, host: "here", isAlive: () => true };
			const note = () => {};
			const store = isKept
				? await openStore(
						{ path, owner },
						{ randomBytes, note, clock: realClock },
					)
				: undefined;
			await using server = await openWebhookServer({}, () => 204, { store });
			const { id } = (await server.subscribe(SPARE)).result;
			await server.control("restart");
			await expect.poll(() => server.control("generation")).toBe("2");
			expect(await server.control("subscription_state", { id })).toBe(
				isKept ? "active" : "absent",
			);
			const count = server.delivered().length;
			if (isKept)
				await expect
					.poll(() => server.delivered().length)
					.toBeGreaterThan(count);
		}
	});
});

describe("the controls of webhooks", () => {
	const NAME = SPARE;

	it("subscribe another principal apart from the caller", async () => {
		await using server = await openWebhookServer();
		const url = server.receiver.url;
		const own = (await server.subscribe(NAME)).result.id;
		const place = { principal: "bob", name: NAME, url };
		expect(await server.control("subscription_exists", place)).toBe("false");
		const other = await server.control("subscribe_as", place);
		expect(other).not.toBe(own);
		expect(await server.control("subscription_exists", place)).toBe("true");
		await server.ask("events/unsubscribe", {
			name: NAME,
			arguments: {},
			delivery: { url },
		});
		expect(await server.control("subscription_state", { id: own })).toBe(
			"absent",
		);
		expect(await server.control("subscription_state", { id: other })).toBe(
			"active",
		);
	});

	it("send a gap, and an end after which nothing is there", async () => {
		await using server = await openWebhookServer();
		const { id } = (await server.subscribe(NAME)).result;
		const cursor = await server.control("webhook_gap", { id });
		const envelopes = () =>
			server.delivered().map(({ body }) => parseBody(body));
		await expect.poll(envelopes).toContainEqual({ type: "gap", cursor });
		await server.control("webhook_terminate", { id });
		await expect.poll(envelopes).toContainEqual({
			type: "terminated",
			error: expect.objectContaining({ code: -32023 }),
		});
		expect(await server.control("subscription_state", { id })).toBe("absent");
	});

	it("let one origin be called that the rules forbid, and say which", async () => {
		await using server = await openWebhookServer();
		const delivery = { mode: "webhook", url: "http://127.0.0.1:9/x" };
		const forbidden = await server.subscribe(NAME, {
			delivery: { ...delivery, secret: `whsec_${"A".repeat(32)}` },
		});
		expect(forbidden.error.code).toBe(-32602);
		const origin = "http://127.0.0.1:9";
		expect(await server.control("allow_callback_origin", { origin })).toBe(
			origin,
		);
		const reached = await server.subscribe(NAME, {
			delivery: { ...delivery, secret: `whsec_${"A".repeat(32)}` },
		});
		expect(reached.error).toMatchObject({
			code: -32027,
			data: { reason: "connection_refused" },
		});
		const path = { origin: `${origin}/x` };
		expect(await server.control("allow_callback_origin", path)).toMatch(
			/origin must be/,
		);
	});

	it("tell webhook subscribers of lost events and of a removed type too", async () => {
		await using server = await openWebhookServer();
		await server.subscribe(NAME);
		const types = () =>
			server.delivered().map(({ body }) => parseBody(body).type);
		await expect.poll(types).toContain(undefined);
		await server.control("yield_gap", { name: NAME });
		await expect.poll(types).toContain("gap");
		await server.control("catalog", { action: "remove", name: NAME });
		await expect.poll(types).toContain("terminated");
	});
});
