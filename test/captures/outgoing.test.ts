import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { signDraft } from "../../src/captures/index.ts";
import { parseSecret } from "../../src/signing/index.ts";
import { SECRET_TEXT } from "../fixtures/deliveries.ts";

const draft = {
	webhookId: "msg_1",
	eventId: undefined,
	headers: [
		["Webhook-Signature", "v1,old"],
		["X-A", "1"],
		["webhook-id", "old"],
		["webhook-signature", "v1,older"],
	] as const,
	body: Buffer.from('{"n":1.50}'),
};

it("the headers of a signature take the places that they had, once each", () => {
	const signed = signDraft(draft, parseSecret(SECRET_TEXT), 1_700_000_000_999);
	expect(signed.headers).toEqual([
		["Webhook-Signature", expect.stringMatching(/^v1,[\w+/]{43}=$/)],
		["X-A", "1"],
		["webhook-id", "msg_1"],
		["webhook-timestamp", "1700000000"],
	]);
	expect(signed.body).toBe(draft.body);
});

it("the standardwebhooks package takes what is signed", () => {
	const { headers, body } = signDraft(
		draft,
		parseSecret(SECRET_TEXT),
		Date.now(),
	);
	const named = headers.map(([name, value]) => [name.toLowerCase(), value]);
	const payload = new Webhook(SECRET_TEXT).verify(
		body.toString(),
		Object.fromEntries(named),
	);
	expect(payload).toEqual({ n: 1.5 });
});
