// The reference server as its modes are compared: right, or bent in one of them by hooks; and grading it with short waits.
import { randomBytes } from "node:crypto";
import type { GradeOptions } from "../../../src/grade/index.ts";
import type { Hooks } from "../../../src/reference/flaws/flaw.ts";
import {
	type HttpOptions,
	openReferenceServer,
} from "../../../src/reference/index.ts";
import {
	descriptor,
	openEventsDouble,
} from "../../fixtures/servers/events-double.ts";
import { realClock } from "../../reference/manual-clock.ts";
import { type Graded, gradeWith, httpTarget } from "../grade-with.ts";

export const AUTHORIZATION: [string, string] = [
	"authorization",
	"Bearer me-token",
];

/** Its first type counts ten times a second by every mode; polls come every 50 ms. */
export function openModesServer(
	hooks: Hooks = {},
	options: Partial<HttpOptions> = {},
) {
	const flaw = {
		name: "by-hand",
		scenario: "events-modes",
		rule: "none",
		about: "is bent by a test",
		make: () => hooks,
	};
	return openReferenceServer({
		sources: [],
		version: "0.0.0",
		clock: realClock,
		conformanceControls: true,
		pollIntervalMs: 50,
		tokens: [{ principal: "me", token: "me-token" }],
		flaws: [{ flaw, value: 0 }],
		delivery: {
			random: () => 0,
			randomBytes,
			callbacks: { deadlineMs: 20_000 },
		},
		...options,
	});
}

/** Only events-modes; a mode that leaves an event out is waited for two seconds. */
export async function gradeModes(
	url: string,
	options: Partial<GradeOptions> = {},
): Promise<Graded> {
	return await gradeWith(httpTarget(url, [AUTHORIZATION]), {
		scenarios: ["events-modes"],
		timeoutMs: 10_000,
		budgetMs: 60_000,
		...options,
		waits: {
			pollAgainMinMs: 50,
			modesWindowMs: 4_000,
			modesSettleMs: 2_000,
			activeMs: 2_000,
			...options.waits,
		},
	});
}

/** Grades a server that is bent so. */
export async function gradeBent(
	hooks: Hooks,
	options: Partial<GradeOptions> = {},
): Promise<Graded> {
	await using server = await openModesServer(hooks);
	return await gradeModes(server.url, options);
}

/** Each row's verdict by its id, without what all of them begin with. */
export const verdictsOf = ({ report }: Graded) =>
	Object.fromEntries(
		report.rows.map(({ id, verdict }) => [
			id.replace("sep-3415-modes-", ""),
			verdict,
		]),
	);

type Json = Record<string, unknown>;

/**
 * One type with poll and push, by hand: what a poll brings, and what a stream says behind its confirmation; `say` is
 * false once nobody listens.
 */
export function openTwoModes(lies: {
	poll(cursor: unknown): Json;
	stream(say: (method: string, params: Json) => boolean, params: Json): void;
}) {
	return openEventsDouble({
		pages: [[descriptor("a.b", { delivery: ["poll", "push"] })]],
		answers: {
			"events/poll": ({ cursor }) => ({
				result: {
					resultType: "complete",
					...{ events: [], cursor: "c0", hasMore: false, nextPollMs: 0 },
					...(cursor === null ? {} : lies.poll(cursor)),
				},
			}),
		},
		stream(response, { id, params }) {
			response.writeHead(200, { "content-type": "text/event-stream" });
			const say = (name: string, params: Json) => {
				const _meta = { "io.modelcontextprotocol/subscriptionId": id };
				const method = `notifications/events/${name}`;
				const message = {
					jsonrpc: "2.0",
					method,
					params: { ...params, _meta },
				};
				response.write(`data: ${JSON.stringify(message)}\n\n`);
				return !response.destroyed;
			};
			say("active", { cursor: params.cursor ?? "c0", truncated: false });
			lies.stream(say, params);
			response.on("close", () => response.destroy());
		},
	});
}

export const occurrence = (eventId: unknown, more: Json = {}): Json => ({
	...{ eventId, name: "a.b", timestamp: "2026-11-30T12:00:00Z", data: {} },
	...more,
});
