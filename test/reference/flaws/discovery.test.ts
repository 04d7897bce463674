// Each flaw of the first scenario over a real socket: what an honest server says, and what this one says in its place.
import { describe, expect, it } from "vitest";
import { FLAWS, parseFlaws } from "../../../src/reference/index.ts";
import {
	openControlledServer,
	SPARE,
	STEADY,
} from "../open-controlled-server.ts";
import { ask, type Json, post, streamMessages } from "../wire-client.ts";

/** The rules of the scenario, as the catalogue of checks has them. */
const RULES = [
	"capability-events-object",
	"capability-list-changed-flag",
	"capability-empty-settings",
	"capability-list-changed-gated",
	"capability-client-declaration",
	"fallback-method-not-found",
	"list-implemented",
	"list-pagination",
	"descriptor-name",
	"descriptor-description",
	"descriptor-delivery-subset",
	"descriptor-input-schema",
	"descriptor-payload-schema",
	"descriptor-meta",
	"schema-evolution-additive",
	"breaking-change-new-name",
	"list-changed-notification",
	"error-not-found",
	"error-server-range",
	"result-type-complete",
	"wire-schema-valid",
];

const EXTENSION = "io.modelcontextprotocol/events";

type Server = Awaited<ReturnType<typeof openControlledServer>>;

async function openBoth(...faults: string[]) {
	const flaws = parseFlaws(faults);
	const honest = await openControlledServer();
	const flawed = await openControlledServer({ flaws });
	return {
		honest,
		flawed,
		async [Symbol.asyncDispose]() {
			await honest.close();
			await flawed.close();
		},
	};
}

const settingsOf = async ({ url }: Server) =>
	(await ask(url, "server/discover")).result.capabilities.extensions?.[
		EXTENSION
	];
const list = ({ url }: Server) => ask(url, "events/list");
const first = async (server: Server) => (await list(server)).result.events[0];
const unknown = async ({ url }: Server) =>
	(await ask(url, "events/poll", { name: "none" })).error?.code;

const WANTED = { notifications: { eventsListChanged: true } };
const acknowledgedOf = async ({ url }: Server) => {
	const method = "subscriptions/listen";
	const messages = streamMessages(url, WANTED, { method });
	const { value } = await messages.next();
	await messages.return(undefined);
	return value.params.notifications;
};

/** Whether a change of the catalogue is told before the server closes. */
async function isTold(server: Server): Promise<boolean> {
	const method = "subscriptions/listen";
	const messages = streamMessages(server.url, WANTED, { method });
	await messages.next();
	await server.control("catalog", { action: "remove", name: SPARE });
	void server.close();
	return (await messages.next()).value.method !== undefined;
}

async function fieldsAfterAlter(server: Server): Promise<string[]> {
	await server.control("catalog", { action: "alter", name: STEADY });
	return Object.keys((await first(server)).payloadSchema.properties);
}

async function namesAfterAdd(server: Server): Promise<boolean> {
	const name = `${SPARE}.v2`;
	await server.control("catalog", { action: "add", name });
	return (await server.names()).includes(SPARE);
}

async function polledUndeclared({ url }: Server): Promise<number | undefined> {
	return (await ask(url, "events/poll", { name: STEADY })).error?.code;
}

/** The flaw, what is looked at, what an honest server says, what this one does. */
const ROWS: [string, (server: Server) => Promise<Json>, Json, Json][] = [
	["capability-true", settingsOf, { listChanged: true }, true],
	[
		"list-changed-as-text",
		settingsOf,
		{ listChanged: true },
		{ listChanged: "yes" },
	],
	["declares-and-lacks", settingsOf, { listChanged: true }, {}],
	["declares-and-lacks", polledUndeclared, undefined, -32601],
	["notices-undeclared", settingsOf, { listChanged: true }, {}],
	[
		"notices-undeclared",
		acknowledgedOf,
		{ eventsListChanged: true },
		{ eventsListChanged: true },
	],
	["demands-declaration", polledUndeclared, undefined, -32021],
	["undeclared-internal-error", settingsOf, { listChanged: true }, undefined],
	["undeclared-internal-error", polledUndeclared, undefined, -32603],
	[
		"catalogue-by-name",
		async (server) => Array.isArray((await list(server)).result.events),
		true,
		false,
	],
	[
		"nameless-type",
		async (server) => (await list(server)).result.events.at(-1).name,
		"conformance.poll-only",
		undefined,
	],
	[
		"no-descriptions",
		async (server) => typeof (await first(server)).description,
		"string",
		"undefined",
	],
	[
		"mode-listed-twice",
		async (server) => (await first(server)).delivery,
		["poll", "push"],
		["poll", "push", "poll"],
	],
	[
		"no-input-schema",
		async (server) => typeof (await first(server)).inputSchema,
		"object",
		"undefined",
	],
	[
		"payload-schema-as-text",
		async (server) => typeof (await first(server)).payloadSchema,
		"object",
		"string",
	],
	[
		"descriptor-meta-list",
		async (server) => (await first(server))._meta,
		undefined,
		[],
	],
	[
		"narrowing-change",
		fieldsAfterAlter,
		["n", "text", "addedLater"],
		["addedLater"],
	],
	["no-overlap", namesAfterAdd, true, false],
	["silent-changes", isTold, true, false],
	["unknown-name-unsupported", unknown, -32023, -32026],
	["error-code-404", unknown, -32023, 404],
	[
		"no-result-type-in-list",
		async (server) => (await list(server)).result.resultType,
		"complete",
		undefined,
	],
	[
		"versions-as-text",
		async ({ url }) =>
			(await ask(url, "server/discover")).result.supportedVersions,
		["2026-07-28"],
		"2026-07-28",
	],
];

describe("a fault of the scenario events-discovery", () => {
	it("is there for each rule of the scenario, and for no other", () => {
		const rules = FLAWS.filter(
			({ scenario }) => scenario === "events-discovery",
		).map(({ rule }) => rule);
		expect(rules).toEqual(RULES);
	});

	it("is looked at by a row below, each", () => {
		const looked = new Set(ROWS.map(([name]) => name)).add("endless-pages");
		const all = FLAWS.filter(({ rule }) => rule !== "chaos");
		for (const { name, scenario } of all)
			if (scenario === "events-discovery") expect(looked).toContain(name);
	});

	it.each(ROWS)("%s", async (name, look, honest, flawed) => {
		await using both = await openBoth(name);
		expect(await look(both.honest)).toEqual(honest);
		expect(await look(both.flawed)).toEqual(flawed);
	});

	it("endless-pages", async () => {
		await using both = await openBoth("endless-pages");
		const { url } = both.flawed;
		const one = await ask(url, "events/list");
		const { nextCursor: cursor } = one.result;
		const two = await ask(url, "events/list", { cursor });
		expect(two.result).toEqual(one.result);
		const honest = await ask(both.honest.url, "events/list");
		expect(honest.result).not.toHaveProperty("nextCursor");
	});

	it("demands-declaration serves who declares", async () => {
		const flaws = parseFlaws(["demands-declaration"]);
		await using server = await openControlledServer({ flaws });
		const capabilities = { extensions: { [EXTENSION]: {} } };
		const params = {
			_meta: {
				"io.modelcontextprotocol/protocolVersion": "2026-07-28",
				"io.modelcontextprotocol/clientCapabilities": capabilities,
			},
		};
		const response = await post(server.url, "events/list", params);
		expect(((await response.json()) as Json).result).toBeDefined();
	});

	it("keeps to the column of errors that the profile has", async () => {
		const flaws = parseFlaws(["unknown-name-unsupported"]);
		const profile = "sketch" as const;
		await using server = await openControlledServer({
			flaws,
			profile,
			era: "modern",
		});
		expect(await unknown(server)).toBe(-32014);
	});
});
