import { describe, expect, it } from "vitest";
import {
	type Capture,
	draftAsCaptured,
	parseJsonEdit,
	type RedraftOptions,
	redraft,
} from "../../src/captures/index.ts";

const capture = (
	webhookId: string,
	body = '{"eventId":"evt_1","n":1.50}',
): Capture => ({
	id: "cap_x_00000000_1",
	receivedAtMs: 0,
	method: "POST",
	path: "/",
	headers: [
		["Webhook-Id", webhookId],
		["X-MCP-Subscription-Id", "sub_1"],
	],
	body: Buffer.from(body),
	verdict: { kind: "valid" },
	answer: { status: 204 },
});

const make = (from: Capture, options: Partial<RedraftOptions> = {}) =>
	redraft(from, {
		webhookId: undefined,
		isNewId: false,
		subscriptionId: undefined,
		edits: [],
		randomBytes: (size) => Buffer.alloc(size, 7),
		...options,
	});

const NEW = "BwcHBwcHBwcHBwcH";

describe("a capture that is sent again", () => {
	it.each([
		["keeps its id", "msg_1", {}, "msg_1", "evt_1"],
		["gets a new id", "msg_1", { isNewId: true }, `msg_${NEW}`, "evt_1"],
		["keeps an id that is the eventId", "evt_1", {}, "evt_1", "evt_1"],
		[
			"gets a new eventId where that is its id",
			"evt_1",
			{ isNewId: true },
			`evt_${NEW}`,
			`evt_${NEW}`,
		],
		["takes the eventId", "msg_1", { webhookId: "event" }, "evt_1", "evt_1"],
		[
			"takes an id of its own",
			"evt_1",
			{ webhookId: "message" },
			`msg_${NEW}`,
			"evt_1",
		],
	] as const)("%s", (_what, id, options, webhookId, eventId) => {
		const draft = make(capture(id), options);
		expect(draft).toMatchObject({ webhookId, eventId });
		expect(draft.body.toString()).toBe(`{"eventId":"${eventId}","n":1.50}`);
	});

	it("keeps the id of an envelope, which has no eventId", () => {
		const envelope = capture("msg_gap_1", '{"type":"gap","cursor":"c"}');
		const draft = make(envelope, { webhookId: "event" });
		expect(draft).toMatchObject({ webhookId: "msg_gap_1", eventId: undefined });
	});

	it("follows an eventId that was set", () => {
		const edits = [parseJsonEdit("eventId=evt_2", "set")];
		expect(make(capture("evt_1"), { edits }).webhookId).toBe("evt_2");
		expect(make(capture("msg_1"), { edits }).webhookId).toBe("msg_1");
	});

	it("may go to another subscription", () => {
		const { headers } = make(capture("msg_1"), { subscriptionId: "sub_2" });
		expect(headers[1]).toEqual(["X-MCP-Subscription-Id", "sub_2"]);
	});

	it("cannot be changed where its body is no JSON", () => {
		const edits = [parseJsonEdit("a=1", "set")];
		expect(() => make(capture("msg_1", "{"), { edits })).toThrow(
			expect.objectContaining({ code: "wrong-use" }),
		);
	});

	it("is itself where it is sent as it was captured", () => {
		const from = capture("msg_1");
		expect(draftAsCaptured(from)).toEqual({
			webhookId: "msg_1",
			eventId: "evt_1",
			headers: from.headers,
			body: from.body,
		});
	});
});
