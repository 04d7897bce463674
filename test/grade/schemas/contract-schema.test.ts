import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { findProblems } from "../../../src/arguments/index.ts";
import {
	contractSchema,
	type Definition,
} from "../../../src/grade/schemas/contract-schema.ts";
import document from "../../../src/grade/schemas/mcp-events.schema.json" with {
	type: "json",
};

const META = { "io.modelcontextprotocol/subscriptionId": "r1" };
const occurrence = {
	eventId: "e1",
	name: "a.b",
	timestamp: "2026-11-30T12:00:00Z",
	data: {},
};
const result = (members: object) => ({
	jsonrpc: "2.0",
	id: 1,
	result: { resultType: "complete", ...members },
});
const notice = (method: string, params: object) => ({
	jsonrpc: "2.0",
	method: `notifications/events/${method}`,
	params: { _meta: META, ...params },
});
const error = { code: -32023, message: "gone", data: { kind: "event" } };

/** A message of each kind, and what is wrong with another. */
const messages: [Definition, good: unknown, wrong: unknown][] = [
	[
		"DiscoverResponse",
		result({ supportedVersions: ["2026-07-28"], capabilities: {} }),
		result({ capabilities: {} }),
	],
	["ListResponse", result({ events: [] }), result({ events: {} })],
	[
		"PollResponse",
		result({ events: [occurrence], cursor: null, hasMore: false }),
		result({ events: [], cursor: 7 }),
	],
	[
		"SubscribeResponse",
		result({ id: "i", refreshBefore: null, cursor: "c", truncated: false }),
		result({ id: "i", refreshBefore: "soon" }),
	],
	["UnsubscribeResponse", result({}), { jsonrpc: "2.0", id: 1, result: {} }],
	["StreamResponse", result({ _meta: META }), result({ _meta: [] })],
	[
		"ErrorResponse",
		{ jsonrpc: "2.0", id: null, error },
		{ jsonrpc: "2.0", id: 1, error: { code: "x", message: "" } },
	],
	[
		"ActiveNotification",
		notice("active", { cursor: "c", truncated: false }),
		notice("active", { cursor: 1 }),
	],
	[
		"EventNotification",
		notice("event", occurrence),
		notice("event", { ...occurrence, timestamp: "2026-11-30" }),
	],
	[
		"HeartbeatNotification",
		notice("heartbeat", { cursor: null }),
		{ ...notice("heartbeat", {}), params: {} },
	],
	[
		"ErrorNotification",
		notice("error", { error }),
		notice("error", { error: -1 }),
	],
	[
		"TerminatedNotification",
		notice("terminated", { error }),
		notice("terminated", {}),
	],
	[
		"AcknowledgedNotification",
		{
			jsonrpc: "2.0",
			method: "notifications/subscriptions/acknowledged",
			params: { notifications: {} },
		},
		{
			jsonrpc: "2.0",
			method: "notifications/subscriptions/acknowledged",
			params: {},
		},
	],
	["Delivery", occurrence, { ...occurrence, eventId: 7 }],
	[
		"Delivery",
		{ type: "verification", challenge: "x" },
		{ type: "verification" },
	],
	["Delivery", { type: "gap", cursor: "c" }, { type: "gap" }],
	["Delivery", { type: "terminated", error }, { type: "terminated" }],
	["WellKnownReceiver", { receivers: ["/hooks/"] }, { receivers: "/hooks/" }],
];

describe("the schemas", () => {
	it.each(messages)(
		"%s takes what is right, and not what is wrong",
		async (name, good, wrong) => {
			const schema = contractSchema(name, { isResultTyped: true });
			expect(await findProblems(good, schema)).toEqual([]);
			expect(await findProblems(wrong, schema)).not.toEqual([]);
		},
	);

	it.each(messages)("%s says the same as published", (name, good, wrong) => {
		const whole = { ...document, $ref: `#/$defs/${name}` };
		const validator = new Validator(whole, "2020-12");
		expect(validator.validate(good).valid).toBe(true);
		expect(validator.validate(wrong).valid).toBe(false);
	});

	it("let resultType go where a dialect has none", async () => {
		const untyped = { jsonrpc: "2.0", id: 1, result: { events: [] } };
		const typed = contractSchema("ListResponse", { isResultTyped: true });
		const loose = contractSchema("ListResponse", { isResultTyped: false });
		expect(await findProblems(untyped, typed)).not.toEqual([]);
		expect(await findProblems(untyped, loose)).toEqual([]);
	});
});
