import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import {
	CORRUPTIONS,
	makeEnvelopeBody,
	makeEventBody,
	newHeaders,
	type Outgoing,
	signCorrupted,
	signDraft,
} from "../../src/captures/index.ts";
import { parseSecret } from "../../src/signing/index.ts";
import { SECRET_TEXT } from "../fixtures/deliveries.ts";

const event = {
	eventId: "evt_1",
	name: "a.made",
	timestampMs: Date.parse("2026-01-01T00:00:00Z"),
	data: ' {"n":1.50} ',
	cursor: undefined,
};

describe("an event of our own making", () => {
	it("has its data as it was written", () => {
		expect(makeEventBody({ ...event, cursor: "c" }).toString()).toBe(
			'{"eventId":"evt_1","name":"a.made","timestamp":"2026-01-01T00:00:00.000Z","data":{"n":1.50},"cursor":"c"}',
		);
	});

	it.each(["[1]", "null", "{", "text"])("cannot have %s as data", (data) => {
		expect(() => makeEventBody({ ...event, data })).toThrow(
			expect.objectContaining({ code: "wrong-use" }),
		);
	});
});

it.each([
	[
		{ type: "gap", cursor: "c1" },
		{ type: "gap", cursor: "c1" },
	],
	[
		{ type: "verification", challenge: "abc" },
		{ type: "verification", challenge: "abc" },
	],
	[
		{ type: "terminated", error: undefined },
		{ type: "terminated", error: { code: -32024, message: "Forbidden" } },
	],
	[
		{ type: "terminated", error: '{"code":-32023,"message":"gone"}' },
		{ type: "terminated", error: { code: -32023, message: "gone" } },
	],
] as const)("the envelope %j is written", (envelope, body) => {
	expect(JSON.parse(makeEnvelopeBody(envelope).toString())).toEqual(body);
});

describe("what is spoiled", () => {
	const draft = {
		webhookId: "msg_1",
		eventId: "evt_1",
		headers: newHeaders({ subscriptionId: "sub_1", userAgent: "t" }),
		body: makeEventBody(event),
	};
	const secret = parseSecret(SECRET_TEXT);
	const verify = ({ headers, body }: Outgoing) =>
		new Webhook(SECRET_TEXT).verify(
			body.toString(),
			Object.fromEntries(headers),
		);

	it("is taken by the standardwebhooks package without that", () => {
		expect(() => verify(signDraft(draft, secret, Date.now()))).not.toThrow();
	});

	it.each([
		["signature", /No matching signature/],
		["timestamp", /timestamp too old/],
		["body", /No matching signature/],
		["id", /No matching signature/],
		["header", /Missing required headers/],
	] as const)("by %s is refused by it", (corruption, reason) => {
		const nowMs = Date.now();
		const spoiled = signCorrupted(draft, corruption, { secret, nowMs });
		expect(() => verify(spoiled)).toThrow(reason);
	});

	it("covers every way there is", () => {
		expect(CORRUPTIONS).toHaveLength(5);
	});
});
