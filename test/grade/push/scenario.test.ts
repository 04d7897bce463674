// Servers with less to look at, or another right way: what is told of them, and what is left untried.
import { describe, expect, it } from "vitest";
import { findRows } from "../../../src/grade/index.ts";
import type { Hooks, Json } from "../../../src/reference/flaws/flaw.ts";
import {
	onDescriptors,
	onError,
	onNotification,
	onResult,
} from "../../../src/reference/flaws/hooks.ts";
import type { Graded } from "../grade-with.ts";
import { secondLook } from "../second-look.ts";
import { type Bent, gradeEach, gradePush } from "./push-reference.ts";

const on = (name: string, change: (params: Json) => void): Hooks =>
	onNotification(`notifications/events/${name}`, (params) => {
		change(params);
		return undefined;
	});

const together = (...all: readonly Hooks[]): Hooks => ({
	message(message, about) {
		for (const { message: bend } of all) bend?.(message, about);
		return undefined;
	},
});

const withoutCursor = (params: Json) => {
	delete params.cursor;
};
const nullCursor = (params: Json) => {
	params.cursor = null;
};

const onSubscribed = (answer: Json): Hooks => ({
	message: (message, { method }) =>
		method === "events/subscribe"
			? { jsonrpc: "2.0", id: message.id, ...answer }
			: undefined,
});
const SUBSCRIBE_REFUSED = { error: { code: -32603, message: "not now" } };
const SUBSCRIBE_TAKEN = {
	result: { resultType: "complete", id: "sub", cursor: null },
};

/** What is no success, but for the rule that is about stdio alone: `VERDICT id: ` and what the message has. */
const SERVERS: Record<string, [bent: Bent, ...rest: string[]]> = {
	"by the sketch": [
		{ profile: "sketch" },
		"SKIPPED mcp-name-missing-rejected: ",
		"SKIPPED mcp-name-mismatch-rejected: ",
		"SKIPPED result-type-complete: ",
	],
	"without positions": [
		{
			hooks: together(
				on("active", (params) => {
					params.cursor = null;
					params.truncated = false;
				}),
				on("event", withoutCursor),
				on("heartbeat", nullCursor),
			),
		},
		"SKIPPED stream-gap-resends-active: ",
		"SKIPPED resume-exactly-once: the event type has no replay",
		'SKIPPED stream-max-age-ms: "conformance.steady" has no replay',
		"UNTESTABLE heartbeat-cursor-resumes: ",
	],
	"whose events have no cursors": [
		{ hooks: on("event", withoutCursor) },
		"UNTESTABLE resume-exactly-once: ",
		"UNTESTABLE stream-max-age-ms: ",
	],
	"that cannot be polled": [
		{
			hooks: onDescriptors((descriptor) => {
				const { delivery } = descriptor;
				const others = delivery.filter((mode: string) => mode !== "poll");
				if (others.length > 0) descriptor.delivery = others;
			}),
		},
	],
	"that takes no webhook": [
		{ hooks: onSubscribed(SUBSCRIBE_REFUSED) },
		"UNTESTABLE removal-terminates-subscriptions: not tried, for want of an answer",
	],
	"that takes a webhook, and calls nobody": [
		{
			hooks: {
				...onSubscribed(SUBSCRIBE_TAKEN),
				request({ method, params }) {
					if (method === "events/subscribe") params.delivery = {};
				},
			},
		},
		"UNTESTABLE removal-terminates-subscriptions: not tried, for want of traffic: a request to the callback",
	],
	"whose types offer no webhook": [
		{
			hooks: onDescriptors((descriptor) => {
				descriptor.delivery = descriptor.delivery.filter(
					(mode: string) => mode !== "webhook",
				);
			}),
		},
	],
	"whose changes of a schema do not show": [
		{
			hooks: onResult("events/list", ({ events }) => {
				for (const type of events)
					type.payloadSchema = type.inputSchema = { type: "object" };
			}),
		},
		"UNTESTABLE removal-additive-no-terminate: ",
	],
	"that refuses a mode as invalid": [
		{
			hooks: onError("Unsupported", (error, { method }) => {
				if (method === "events/stream") error.code = -32602;
			}),
		},
		"FAILURE stream-mode-unsupported: ",
	],
};

const grade = (name: string) => gradePush(SERVERS[name]?.[0]);
const look = secondLook(
	await gradeEach(Object.keys(SERVERS), (name) => SERVERS[name]?.[0] ?? {}),
	grade,
);

const restOf = ({ report }: Graded) =>
	report.rows
		.filter(({ verdict }) => verdict !== "SUCCESS")
		.map(({ id, verdict, message }) => `${verdict} ${id.slice(9)}: ${message}`)
		.filter((told) => !told.includes("stdio-streams: "));

describe("a server", () => {
	it.each(Object.entries(SERVERS))("%s", async (name, [, ...rest]) => {
		const found = await look(name);
		expect(found.defects).toEqual([]);
		const told = restOf(found);
		expect(told).toEqual(rest.map((part) => expect.stringContaining(part)));
	});
});

it("may have a limit of streams, that is told by its name", async () => {
	const row = "events-push/stream-exempt-from-concurrency-cap";
	const found = await gradePush(
		{
			faults: ["streams-count-as-requests"],
			hooks: onError("ResourceExhausted", (error) => {
				error.data = { limit: "streams at once" };
			}),
		},
		{ only: findRows(row, "--only") },
	);
	expect(found.verdictOf(row)).toBe("UNTESTABLE");
	expect(found.messageOf(row)).toContain('its limit "streams at once"');
});
