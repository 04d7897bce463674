import { expect, it } from "vitest";
import { wrapRequest } from "../../src/session/envelope.ts";

const clientInfo = { name: "t", version: "0" };
const modern = {
	era: "modern",
	protocolVersion: "2026-07-28",
	sessionId: undefined,
} as const;
const legacy = (protocolVersion: string, sessionId?: string) =>
	({ era: "legacy", protocolVersion, sessionId }) as const;
const wrap = (
	method: string,
	params: Record<string, unknown>,
	agreement: Parameters<typeof wrapRequest>[1],
) => wrapRequest({ id: 1, method, params }, agreement, clientInfo);

it.each([
	[
		"events/poll",
		{ name: "a.b" },
		modern,
		{
			"mcp-protocol-version": "2026-07-28",
			"mcp-method": "events/poll",
			"mcp-name": "a.b",
		},
	],
	[
		"events/list",
		{ name: "a.b" },
		modern,
		{ "mcp-protocol-version": "2026-07-28", "mcp-method": "events/list" },
	],
	[
		"events/stream",
		{ name: " é" },
		modern,
		{
			"mcp-protocol-version": "2026-07-28",
			"mcp-method": "events/stream",
			"mcp-name": "=?base64?IMOp?=",
		},
	],
	[
		"events/poll",
		{ name: "a" },
		legacy("2025-11-25", "s"),
		{ "mcp-protocol-version": "2025-11-25", "mcp-session-id": "s" },
	],
	[
		"events/poll",
		{ name: "a" },
		legacy("2025-06-18"),
		{ "mcp-protocol-version": "2025-06-18" },
	],
	[
		"events/poll",
		{ name: "a" },
		legacy("2025-03-26", "s"),
		{ "mcp-session-id": "s" },
	],
])(
	"the headers of %s with %j, agreed %j",
	(method, params, agreement, headers) => {
		expect(wrap(method, params, agreement).headers).toEqual(headers);
	},
);

it("params keep a _meta of their own, and in the legacy era are sent as they are", () => {
	const params = { name: "a", _meta: { mine: 1 } };
	expect(wrap("events/poll", params, modern).params._meta).toMatchObject({
		mine: 1,
	});
	expect(wrap("events/poll", params, legacy("2025-06-18")).params).toBe(params);
});
