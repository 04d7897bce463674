// Poll against servers that keep its rules, in each profile and with less to look at; and bent by hand in ways that no
// --fault has.
import { describe, expect, it } from "vitest";
import type { Hooks } from "../../../src/reference/flaws/flaw.ts";
import { onError, refuse } from "../../../src/reference/flaws/hooks.ts";
import { onPoll, refuseWith } from "../../../src/reference/flaws/poll-flaw.ts";
import { openDemoSource, type Source } from "../../../src/reference/index.ts";
import { realClock } from "../../reference/manual-clock.ts";
import type { Graded } from "../grade-with.ts";
import { secondLook } from "../second-look.ts";
import {
	accusedOf,
	type Bent,
	gradeEach,
	gradePoll,
	QUIET,
	tellRest,
} from "./poll-reference.ts";

const openDemo = () =>
	openDemoSource({ clock: realClock, seed: "test", epoch: "test" });

/** A type that is polled and remembers nothing: its cursor is always null. */
const withoutReplay: Source = {
	types: openDemo().types.map((type) => ({ ...type, hasReplay: false })),
	close: () => {},
};

const isPoll = (method: string) => method === "events/poll";

const lastCursors = new Map<string, unknown>();

const ALIKE = {
	timestamp: "2026-10-01T12:00:00Z",
	data: { n: 1, text: "one" },
};

/** Right in another way than the reference server is. */
const GOOD: Record<string, () => Bent> = {
	"as it is": () => ({}),
	"beside other sources": () => ({ sources: [QUIET, openDemo()] }),
	"by the sketch": () => ({ profile: "sketch" }),
	"with _meta in events": () => ({
		hooks: onPoll(({ events }) => {
			for (const event of events) event._meta = { "example.com/a": 1 };
		}),
	}),
	"with events that are all alike but for their ids": () => ({
		hooks: {
			message({ result, params }, { method }) {
				const events =
					method === "events/poll"
						? result?.events
						: method === "events/stream" && [params];
				for (const event of events || [])
					if (event?.eventId) Object.assign(event, ALIKE);
			},
		},
	}),
	"whose streams say nothing of their subscription": () => ({
		hooks: {
			message({ params }, { method }) {
				if (method === "events/stream") delete Object(params)._meta;
			},
		},
	}),
	"with a type that has no replay": () => ({ sources: [QUIET, withoutReplay] }),
	"without what may be left out": () => ({
		hooks: onPoll((result) => {
			if (!result.truncated) delete result.truncated;
			if (!result.hasMore) delete result.hasMore;
			delete result.events.at(-1)?.cursor;
		}),
	}),
	"that tells of strange cursors by truncated": () => ({
		hooks: {
			message(message, { method, params }) {
				const { name, cursor, arguments: args } = Object(params);
				if (message.result) lastCursors.set(name, message.result.cursor);
				const isCursor = typeof cursor === "string" && Object(args) === args;
				if (!isPoll(method) || !isCursor || message.error?.code !== -32602)
					return;
				delete message.error;
				message.result = {
					resultType: "complete",
					events: [],
					cursor: lastCursors.get(name),
					truncated: true,
					nextPollMs: 60,
				};
			},
		},
	}),
};

/** Bends what comes after a batch once that has been asked for before. */
function whenAgain(bend: (events: unknown[], before: unknown) => void): Hooks {
	const ends = new Map<string, unknown>();
	const asked = new Set<string>();
	return onPoll(({ events, cursor: next }, { name, cursor }) => {
		const key = `${name} ${cursor}`;
		const own = events.at(-1);
		const before = ends.get(key);
		if (own === undefined) return;
		if (before !== undefined && asked.has(key)) bend(events, before);
		asked.add(key);
		ends.set(`${name} ${next}`, own);
	});
}

const METHOD_NOT_FOUND = { code: -32601, message: "Method not found" };

type Row = [row: string, verdict: string, what: string, hooks: () => Hooks];

const internal = (is: (params: Record<string, unknown>) => boolean) => () =>
	refuse(({ method, params }) => isPoll(method) && is(params), {
		code: -32603,
		message: "no",
	});
const asks = (member: string) => (params: Record<string, unknown>) =>
	typeof params.cursor === "string" && member in params;

const BENT: readonly Row[] = [
	[
		"poll-implemented",
		"FAILURE",
		"an empty result",
		() =>
			onPoll((result) => {
				for (const member of Object.keys(result))
					if (member !== "resultType") delete result[member];
			}),
	],
	[
		"poll-one-subscription-per-request",
		"WARNING",
		"another code without a name",
		() =>
			onError("InvalidParams", (error, { params }) => {
				if (params.name === undefined) error.code = -32600;
			}),
	],
	[
		"poll-mode-unsupported",
		"WARNING",
		"no word of what is not offered",
		() =>
			onError("Unsupported", (error) => {
				error.data = {};
			}),
	],
	[
		"poll-response-cursor",
		"FAILURE",
		"the cursor of before",
		() =>
			onPoll((result, { cursor }) => {
				if (typeof cursor === "string" && result.events.length > 0)
					result.cursor = cursor;
			}),
	],
	["poll-max-events-cap", "FAILURE", "refused", internal(asks("maxEvents"))],
	["max-age-ms-floor", "FAILURE", "refused", internal(asks("maxAgeMs"))],
	[
		"max-age-ms-ignored-when-cursor-null",
		"FAILURE",
		"refused",
		internal(
			({ cursor, maxAgeMs }) => cursor === null && typeof maxAgeMs === "number",
		),
	],
	[
		"max-age-ms-ignored-when-cursor-null",
		"FAILURE",
		"truncated",
		() =>
			onPoll((result, { cursor, maxAgeMs }) => {
				if (cursor === null && maxAgeMs) result.truncated = true;
			}),
	],
	[
		"max-age-ms-floor",
		"FAILURE",
		"a long age that is one of seconds",
		() =>
			onPoll((result, { cursor, maxAgeMs }) => {
				if (typeof cursor === "string" && maxAgeMs > 100_000)
					result.events = [];
			}),
	],
	[
		"cursor-unservable-is-gap",
		"FAILURE",
		"a failure",
		() =>
			onError("InvalidParams", (error, { params }) => {
				const { cursor, arguments: args } = Object(params);
				if (typeof cursor === "string" && Object(args) === args)
					error.code = -32603;
			}),
	],
	[
		"cursor-absent-equals-null",
		"FAILURE",
		"events from before",
		() => {
			let events: unknown[] = [];
			return onPoll((result, params) => {
				if (result.events.length > 0) events = result.events;
				if (!("cursor" in params)) result.events = events;
			});
		},
	],
	[
		"poll-errors-are-jsonrpc",
		"FAILURE",
		"an unknown name that is served",
		() => ({
			message(message, { method, params: { name } }) {
				if (!isPoll(method) || !`${name}`.startsWith("conformance.non")) return;
				delete message.error;
				message.result = { resultType: "complete", events: [] };
			},
		}),
	],
	[
		"removal-poll-not-found",
		"FAILURE",
		"another code for an unknown name",
		() =>
			onError("NotFound", (error) => {
				error.code = -32024;
			}),
	],
	[
		"mcp-name-mismatch-rejected",
		"FAILURE",
		"encoded names that are not read",
		() => ({
			reply(reply, { method, params: { name } }) {
				if (!isPoll(method) || !`${name}`.includes("ü")) return;
				const { id } = JSON.parse(reply.body);
				const error = { code: -32020, message: "they differ" };
				reply.body = JSON.stringify({ jsonrpc: "2.0", id, error });
				reply.status = 400;
			},
		}),
	],
	[
		"mcp-name-missing-rejected",
		"FAILURE",
		"another status",
		() => ({
			reply(reply) {
				if (reply.body.includes("Mcp-Name is missing")) reply.status = 200;
			},
		}),
	],
	[
		"resume-exactly-once",
		"FAILURE",
		"an event again, where one goes on a second time",
		() => whenAgain((events, before) => events.unshift(before)),
	],
	[
		"resume-exactly-once",
		"FAILURE",
		"an event less, where one goes on a second time",
		() => whenAgain((events) => events.shift()),
	],
	[
		"poll-max-events-cap",
		"FAILURE",
		"a part with a cursor that is refused",
		() =>
			onPoll((result, { maxEvents }) => {
				if (maxEvents !== undefined) result.cursor = "part";
			}),
	],
	[
		"truncated-returns-fresh-cursor",
		"FAILURE",
		"a cursor that is refused",
		() =>
			onPoll((result, { cursor }, message) => {
				if (cursor === "fresh") refuseWith(message, -32603, "no");
				if (result.truncated) result.cursor = "fresh";
			}),
	],
	[
		"truncated-poll-never-an-error",
		"FAILURE",
		"lost events of which nothing is said",
		() =>
			onPoll((result) => {
				if (result.events.length === 0) result.truncated = false;
			}),
	],
	[
		"max-age-ms-floor",
		"FAILURE",
		"an age that is not read, in batches of one",
		() => ({
			request({ method, params }) {
				if (!isPoll(method)) return;
				delete params.maxAgeMs;
				params.maxEvents ??= 1;
			},
		}),
	],
	[
		"poll-implemented",
		"FAILURE",
		"a method that is not there",
		() => refuse(({ method }) => isPoll(method), METHOD_NOT_FOUND),
	],
	[
		"poll-next-poll-ms",
		"WARNING",
		"a text",
		() =>
			onPoll((result) => {
				result.nextPollMs = String(result.nextPollMs);
			}),
	],
];

const keyOf = ([row, , what]: Row) => `${row}: ${what}`;
const grade = (key: string) => {
	const row = BENT.find((one) => keyOf(one) === key);
	return gradePoll(row ? { hooks: row[3]() } : GOOD[key]?.());
};
const look = secondLook(
	await gradeEach([...Object.keys(GOOD), ...BENT.map(keyOf)], grade),
	grade,
);
const found = async (key: string): Promise<Graded> => {
	const one = await look(key);
	expect(one.defects).toEqual([]);
	return one;
};
const restOf = ({ report }: Graded) =>
	report.rows
		.filter(({ verdict }) => verdict !== "SUCCESS")
		.map(({ id, verdict }) => `${id.replace("sep-3415-", "")} ${verdict}`);

describe("a server that is right", () => {
	it("keeps every rule, and two that have nothing to look at", async () => {
		const one = await found("as it is");
		expect(restOf(one), tellRest(one)).toEqual([
			"occurrence-meta-ungoverned SKIPPED",
			"truncated-false-when-no-replay SKIPPED",
		]);
	});

	it.each(Object.keys(GOOD))("%s is accused of nothing", async (key) => {
		const one = await found(key);
		expect(accusedOf(one), tellRest(one)).toEqual([]);
		expect(one.report.counts.UNTESTABLE, tellRest(one)).toBe(0);
	});

	it("shows the rest with _meta, and with a type that has no replay", async () => {
		const key = "events-poll/occurrence-meta-ungoverned";
		const meta = await found("with _meta in events");
		expect(meta.verdictOf(key)).toBe("SUCCESS");
		const without = await found("with a type that has no replay");
		expect(
			without.verdictOf("events-poll/truncated-false-when-no-replay"),
		).toBe("SUCCESS");
	});
});

describe("one thing that is wrong", () => {
	it.each(
		BENT.map((row) => ({ key: keyOf(row), row: row[0], verdict: row[1] })),
	)("$key", async ({ key, row, verdict }) => {
		const one = await found(key);
		expect(accusedOf(one), tellRest(one)).toEqual([`${row} ${verdict}`]);
	});
});
