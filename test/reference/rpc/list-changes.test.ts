import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { ProfileName, ServedEras } from "../../../src/reference/index.ts";
import { serveStdio } from "../../../src/reference/index.ts";
import { realClock } from "../manual-clock.ts";
import { openControlledServer, SPARE } from "../open-controlled-server.ts";
import { openStdinServer } from "../open-stdin-server.ts";
import {
	ask,
	type Json,
	META,
	post,
	SUBSCRIPTION,
	sseFrames,
	streamMessages,
} from "../wire-client.ts";

const WANTED = { notifications: { eventsListChanged: true } };
const NOTICE = "notifications/events/list_changed";
const listen = (url: string, params: Json = WANTED) =>
	streamMessages(url, params, { method: "subscriptions/listen", id: "l" });

describe("listChanged", () => {
	it.each<[ProfileName, boolean, boolean]>([
		["final", true, false],
		["chatgpt", false, false],
		["sketch", false, true],
	])(
		"of %s is declared to discover: %s, to initialize: %s",
		async (profile, modern, legacy) => {
			const options = { profile, era: "both" as const };
			await using server = await openControlledServer(options);
			const { result } = await ask(server.url, "server/discover");
			const initialize = await post(server.url, "initialize", {
				protocolVersion: "2025-06-18",
				_meta: undefined,
			});
			const told = ((await initialize.json()) as Json).result;
			const settings = [result, told].map(({ capabilities }) =>
				Object.values(capabilities.extensions ?? { only: capabilities.events }),
			);
			expect(settings).toEqual(
				[modern, legacy].map((is) => [is ? { listChanged: true } : {}]),
			);
		},
	);
});

describe("subscriptions/listen", () => {
	it("acknowledges first, then tells of each change, and ends with its id", async () => {
		await using server = await openControlledServer();
		const messages = listen(server.url);
		const meta = { [SUBSCRIPTION]: "l" };
		expect((await messages.next()).value).toEqual({
			jsonrpc: "2.0",
			method: "notifications/subscriptions/acknowledged",
			params: { notifications: { eventsListChanged: true }, _meta: meta },
		});
		for (const action of ["alter", "restore", "remove", "restore"]) {
			await server.control("catalog", { action, name: SPARE });
			const { value } = await messages.next();
			expect(value).toMatchObject({ method: NOTICE, params: { _meta: meta } });
		}
		void server.close();
		const { value } = await messages.next();
		expect(value).toMatchObject({ id: "l", result: { _meta: meta } });
		expect(value.result.resultType).toBe("complete");
		expect((await messages.next()).done).toBe(true);
	});

	it.each<[string, Json, Partial<Parameters<typeof openControlledServer>[0]>]>([
		["where nobody asked", { notifications: {} }, {}],
		[
			"where other things were asked",
			{ notifications: { toolsListChanged: true } },
			{},
		],
		["under a profile without notices", WANTED, { profile: "chatgpt" }],
		[
			"where the catalogue stays as it is",
			WANTED,
			{ conformanceControls: false },
		],
	])("honours nothing %s", async (_why, params, options) => {
		await using server = await openControlledServer(options);
		const messages = listen(server.url, params);
		const { value } = await messages.next();
		expect(value.params.notifications).toEqual({});
		await server.control("catalog", { action: "remove", name: SPARE });
		void server.close();
		expect((await messages.next()).value.result).toBeDefined();
	});

	it("refuses a filter that is none, and is no method of the older era", async () => {
		await using server = await openControlledServer();
		const { error } = await ask(server.url, "subscriptions/listen");
		expect(error.code).toBe(-32602);
		const { server: old, url } = await openStdinServer({ era: "legacy" });
		await using _ = old;
		const first = await post(url, "initialize", {
			protocolVersion: "2025-06-18",
		});
		const session = first.headers.get("mcp-session-id") ?? "";
		const headers = {
			"mcp-session-id": session,
			"mcp-protocol-version": "2025-06-18",
		};
		const answer = await post(url, "subscriptions/listen", WANTED, { headers });
		expect(((await answer.json()) as Json).error.code).toBe(-32601);
	});
});

describe("an initialize client of the sketch", () => {
	it("hears of changes on the GET stream of its session", async () => {
		await using server = await openControlledServer({ profile: "sketch" });
		const first = await post(server.url, "initialize", {
			protocolVersion: "2025-06-18",
		});
		const session = first.headers.get("mcp-session-id") ?? "";
		const headers = {
			accept: "text/event-stream",
			"mcp-session-id": session,
		};
		const stream = await fetch(server.url, { headers });
		expect(stream.headers.get("content-type")).toBe("text/event-stream");
		const call = {
			name: "events_conformance_catalog",
			arguments: { action: "remove", name: SPARE },
		};
		await post(server.url, "tools/call", call, {
			headers: {
				"mcp-session-id": session,
				"mcp-protocol-version": "2025-06-18",
			},
		});
		const frames = sseFrames(stream);
		expect((await frames.next()).value).toMatch(/^:/);
		const { value } = await frames.next();
		expect(JSON.parse(value ?? "")).toEqual({ jsonrpc: "2.0", method: NOTICE });
		const stranger = await fetch(server.url, {
			headers: { accept: "text/event-stream" },
		});
		expect(stranger.status).toBe(400);
	});

	it("makes room for others though its GET was refused", async () => {
		const limits = { maxStreams: 1, maxSessions: 2 };
		const options = { profile: "sketch", ...limits } as const;
		await using server = await openControlledServer(options);
		const initialize = () =>
			post(server.url, "initialize", { protocolVersion: "2025-06-18" });
		const listenAs = async (opened: Response) => {
			const session = opened.headers.get("mcp-session-id") ?? "";
			const headers = { "mcp-session-id": session };
			return await fetch(server.url, { headers });
		};
		const stream = await listenAs(await initialize());
		const refused = await (await listenAs(await initialize())).json();
		expect(refused).toMatchObject({ error: { data: { limit: "streams" } } });
		const third = (await (await initialize()).json()) as Json;
		expect(third.error).toBeUndefined();
		await stream.body?.cancel();
	});
});

describe("over stdio", () => {
	async function open(profile: ProfileName, era: ServedEras) {
		const input = new PassThrough();
		const output = new PassThrough();
		const serving = serveStdio({
			sources: [],
			version: "0",
			clock: realClock,
			conformanceControls: true,
			profile,
			era,
			input,
			output,
		});
		const lines = output[Symbol.asyncIterator]();
		let text = "";
		return {
			say: (message: Json) =>
				input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
			async next(): Promise<Json> {
				while (!text.includes("\n")) text += (await lines.next()).value;
				const end = text.indexOf("\n");
				const line = text.slice(0, end);
				text = text.slice(end + 1);
				return JSON.parse(line);
			},
			async close() {
				input.end();
				await serving;
			},
		};
	}
	const remove = {
		name: "events_conformance_catalog",
		arguments: { action: "remove", name: SPARE },
	};

	it("a listen request hears of changes until it is cancelled", async () => {
		const { say, next, close } = await open("final", "modern");
		const call = (id: string, method: string, params: Json) =>
			say({ id, method, params: { ...params, _meta: META } });
		call("l", "subscriptions/listen", WANTED);
		expect((await next()).method).toMatch(/acknowledged$/);
		call("t", "tools/call", remove);
		const both = [await next(), await next()];
		expect(both.map(({ method, id }) => method ?? id).sort()).toEqual([
			NOTICE,
			"t",
		]);
		say({ method: "notifications/cancelled", params: { requestId: "l" } });
		const { arguments: args } = remove;
		call("u", "tools/call", {
			...remove,
			arguments: { ...args, action: "restore" },
		});
		expect((await next()).id).toBe("u");
		await close();
	});

	it("an initialize client of the sketch hears of changes unasked", async () => {
		const { say, next, close } = await open("sketch", "legacy");
		const params = { protocolVersion: "2025-06-18" };
		say({ id: 0, method: "initialize", params });
		expect((await next()).result.capabilities.events.listChanged).toBe(true);
		say({ id: 1, method: "tools/call", params: remove });
		const both = [await next(), await next()];
		expect(both).toContainEqual({ jsonrpc: "2.0", method: NOTICE });
		await close();
	});
});
