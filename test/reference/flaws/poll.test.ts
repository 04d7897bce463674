// Each flaw of poll over a real socket: what an honest server says, and what this one says in its place.
import { describe, expect, it } from "vitest";
import { FLAWS, parseFlaws } from "../../../src/reference/index.ts";
import {
	openControlledServer,
	SPARE,
	STEADY,
} from "../open-controlled-server.ts";
import { ask, type Json, post, streamMessages } from "../wire-client.ts";

type Server = Awaited<ReturnType<typeof openControlledServer>>;

const poll = ({ url }: Server, params: Json = {}) =>
	ask(url, "events/poll", { name: STEADY, arguments: {}, ...params });
const start = async (server: Server) =>
	(await poll(server, { cursor: null })).result?.cursor;

/** The first answer from a place with at least so many events behind it. */
async function pollUntil(
	server: Server,
	params: Json,
	least = 2,
): Promise<Json> {
	for (;;) {
		const { result } = await poll(server, params);
		if (!result || result.events.length >= least) return result;
	}
}

/** A place, and the answer that has some events behind it. */
async function read(server: Server, least = 2) {
	const cursor = await start(server);
	return { cursor, result: await pollUntil(server, { cursor }, least) };
}

const member = (name: string) => async (server: Server) =>
	typeof (await read(server)).result[name];
const ofEvent = (tell: (event: Json) => Json) => async (server: Server) =>
	tell((await read(server)).result.events[0]);
const code = (params: Json) => async (server: Server) =>
	(await poll(server, params)).error?.code;

/** From before the only gap that one can wait for: events that are older than they were asked for. */
async function gap(server: Server): Promise<Json> {
	const { cursor, result: all } = await read(server, 5);
	const answer = await poll(server, { cursor, maxAgeMs: 150 });
	const first = all.events[0].eventId;
	const has = answer.result?.events.some(
		({ eventId }: Json) => eventId === first,
	);
	return { ...answer, has };
}

/** A place that a forgetful type has left behind. */
async function lost(server: Server): Promise<Json> {
	const name = "conformance.forgetful";
	const cursor = (await poll(server, { name })).result.cursor;
	const last = Number(cursor.split(".").at(-1));
	for (;;) {
		const { result } = await poll(server, { name, cursor });
		const [first] = result.events;
		if (result.truncated || first?.data.n > last + 1) return result;
	}
}

async function withoutHeader({ url }: Server, name: string | undefined) {
	const params = { name: STEADY, arguments: {} };
	const headers = { "mcp-name": name };
	return (await post(url, "events/poll", params, { headers })).status;
}

async function afterEvents(server: Server, params: Json) {
	await read(server);
	return (await poll(server, params)).result;
}

/** Ids of the same events, read twice from one place. */
async function idsTwice(server: Server): Promise<boolean> {
	const { cursor, result } = await read(server);
	const again = (await poll(server, { cursor })).result;
	return again.events[0].eventId === result.events[0].eventId;
}

async function idsByPush(server: Server): Promise<boolean> {
	const { cursor, result } = await read(server);
	const params = { name: STEADY, arguments: {}, cursor };
	for await (const message of streamMessages(server.url, params))
		if (message.method?.endsWith("/event"))
			return message.params.eventId === result.events[0].eventId;
	return false;
}

async function cursorWhenQuiet(server: Server): Promise<string> {
	for (;;) {
		const { result } = await poll(server, { cursor: await start(server) });
		if (result.events.length === 0) return typeof result.cursor;
	}
}

/** Numbers of the events of two batches, one after the other. */
async function twoBatches(server: Server): Promise<string> {
	const { result } = await read(server);
	const next = await pollUntil(server, { cursor: result.cursor });
	const numbers = [...result.events, ...next.events].map(({ data }) => data.n);
	const steps = numbers.slice(1).map((n, at) => n - numbers[at]);
	return [...new Set(steps)].join();
}

async function cutAndNext(server: Server): Promise<Json> {
	const { cursor } = await read(server);
	const one = (await poll(server, { cursor, maxEvents: 1 })).result;
	const next = await poll(server, { cursor: one.cursor });
	const { n } = one.events[0].data;
	return {
		events: one.events.length,
		hasMore: one.hasMore,
		next: next.error?.code ?? next.result.events[0]?.data.n - n,
	};
}

const CUT = { events: 1, hasMore: true, next: 1 };

/** The flaw, what is looked at, what an honest server says, what this one does. */
const ROWS: [string, (server: Server) => Promise<Json>, Json, Json][] = [
	["polls-fail", code({}), undefined, -32603],
	[
		"polls-any-name",
		async (server) => {
			await start(server);
			return await code({ name: undefined })(server);
		},
		-32602,
		undefined,
	],
	["refuses-first-poll", code({}), undefined, -32603],
	[
		"no-events-when-quiet",
		async (server) => typeof (await poll(server)).result.events,
		"object",
		"undefined",
	],
	["cursor-in-occurrences", member("cursor"), "string", "undefined"],
	["next-poll-in-seconds", member("nextPollSeconds"), "undefined", "number"],
	["has-more-as-text", member("hasMore"), "boolean", "string"],
	["paces-backlogs", cutAndNext, CUT, { ...CUT, next: -32025 }],
	["hides-backlog", cutAndNext, CUT, { ...CUT, hasMore: false }],
	[
		"ignores-max-events",
		async (server) => (await cutAndNext(server)).events > 1,
		false,
		true,
	],
	[
		"cut-skips-the-rest",
		async (server) => (await cutAndNext(server)).next === 1,
		true,
		false,
	],
	[
		"cursors-once",
		async (server) => code({ cursor: (await read(server, 1)).cursor })(server),
		undefined,
		-32602,
	],
	[
		"errors-in-results",
		code({ arguments: { no: 1 }, cursor: null }),
		-32602,
		undefined,
	],
	["takes-any-arguments", code({ arguments: { no: 1 } }), -32602, undefined],
	[
		"unoffered-as-invalid",
		code({ name: "conformance.no-replay" }),
		-32026,
		-32602,
	],
	[
		"removed-as-forbidden",
		async (server) => {
			await poll(server, { name: SPARE });
			await server.control("catalog", { action: "remove", name: SPARE });
			return await code({ name: SPARE })(server);
		},
		-32023,
		-32024,
	],
	["invalid-as-internal", code({ arguments: "none" }), -32602, -32603],
	[
		"poll-without-name-header",
		(server) => withoutHeader(server, undefined),
		400,
		200,
	],
	[
		"poll-with-any-name-header",
		(server) => withoutHeader(server, SPARE),
		400,
		200,
	],
	["no-result-type-in-poll", member("resultType"), "string", "undefined"],
	[
		"poll-meta-list",
		async (server) => Array.isArray((await poll(server)).result._meta),
		false,
		true,
	],
	[
		"forbidden-in-silence",
		async (server) => {
			await server.control("access", { action: "revoke", name: STEADY });
			return await code({})(server);
		},
		-32024,
		undefined,
	],
	[
		"numbered-ids",
		ofEvent(({ eventId }) => typeof eventId),
		"string",
		"number",
	],
	["bare-names", ofEvent(({ name }) => name), STEADY, "steady"],
	[
		"dates-without-time",
		ofEvent(({ timestamp }) => timestamp.includes("T")),
		true,
		false,
	],
	["payload-as-text", ofEvent(({ data }) => typeof data), "object", "string"],
	[
		"payload-in-halves",
		ofEvent(({ data }) => Object.keys(data)),
		["n", "text"],
		["n"],
	],
	[
		"numbered-positions",
		ofEvent(({ cursor }) => typeof cursor),
		"undefined",
		"number",
	],
	["meta-as-text", ofEvent(({ _meta }) => typeof _meta), "undefined", "string"],
	["one-id-for-all", ofEvent(({ eventId }) => eventId === STEADY), false, true],
	["other-ids-by-poll", idsByPush, true, false],
	["new-ids-each-time", idsTwice, true, false],
	[
		"newest-first",
		async (server) => {
			const [first, second] = (await read(server)).result.events;
			return first.data.n < second.data.n;
		},
		true,
		false,
	],
	["resume-repeats", twoBatches, "1", "1,0"],
	["resume-skips", twoBatches, "1", "1,2"],
	[
		"cursor-as-number",
		async (server) => typeof (await start(server)),
		"string",
		"number",
	],
	[
		"null-replays",
		async (server) =>
			(await afterEvents(server, { cursor: null })).events.length,
		0,
		2,
	],
	[
		"null-gives-an-old-cursor",
		async (server) => {
			const { cursor } = await read(server);
			return (await start(server)) === cursor;
		},
		false,
		true,
	],
	["demands-cursor", code({}), undefined, -32602],
	[
		"cursor-now-and-then",
		async (server) =>
			(await poll(server, { cursor: null, maxAgeMs: 1 })).result.cursor ===
			null,
		false,
		true,
	],
	["no-cursor-when-quiet", cursorWhenQuiet, "string", "undefined"],
	["ignores-max-age", async (server) => (await gap(server)).has, false, true],
	[
		"max-age-drops-all",
		async (server) => (await gap(server)).result.events.length > 0,
		true,
		false,
	],
	[
		"max-age-in-silence",
		async (server) => (await gap(server)).result.truncated,
		true,
		false,
	],
	[
		"max-age-replays",
		async (server) =>
			(await afterEvents(server, { cursor: null, maxAgeMs: 9_000 })).events
				.length,
		0,
		2,
	],
	[
		"forgets-in-silence",
		async (server) => (await lost(server)).truncated,
		true,
		false,
	],
	[
		"truncated-without-cursor",
		async (server) => (await gap(server)).result.cursor === null,
		false,
		true,
	],
	[
		"gap-as-error",
		async (server) => (await gap(server)).error?.code,
		undefined,
		-32602,
	],
	["truncated-as-number", member("truncated"), "boolean", "number"],
	[
		"no-replay-truncated",
		async (server) => {
			const { cursor, truncated } = (
				await poll(server, { name: "conformance.poll-only" })
			).result;
			return [cursor === null, truncated];
		},
		[false, false],
		[true, true],
	],
	["takes-any-cursor", code({ cursor: "none" }), -32602, undefined],
];

const names = FLAWS.filter(({ scenario }) => scenario === "events-poll").map(
	({ name }) => name,
);

const seen: Json[] = [];
const left = [...ROWS.entries()];

/** Most of a look is waiting for events. */
async function lookOn(): Promise<void> {
	for (let next = left.shift(); next; next = left.shift()) {
		const [at, [name, look]] = next;
		await using honest = await openControlledServer();
		const flaws = parseFlaws([name]);
		await using flawed = await openControlledServer({ flaws });
		seen[at] = await Promise.all([look(honest), look(flawed)]);
	}
}
await Promise.all(Array.from({ length: 12 }, lookOn));

describe("a fault of the scenario events-poll", () => {
	it("is looked at by a row below, each", () => {
		expect(new Set(ROWS.map(([name]) => name))).toEqual(new Set(names));
	});

	it.each(
		ROWS.map(([name, , honest, flawed], at) => ({ name, honest, flawed, at })),
	)("$name", ({ honest, flawed, at }) => {
		expect(seen[at]).toEqual([honest, flawed]);
	});
});
