import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import {
	type Delivery,
	explainCapture,
	parseCapture,
	reverify,
	writeCaptureLine,
} from "../../src/captures/index.ts";
import { parseSecret } from "../../src/signing/index.ts";

const text = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
const body = '{"eventId":"e"}';
const receivedAtMs = 1_700_000_000_000;
const signature = new Webhook(text).sign("msg_1", new Date(receivedAtMs), body);
const delivery: Delivery = {
	receivedAtMs,
	method: "POST",
	path: "/",
	headers: [
		["webhook-id", "msg_1"],
		["webhook-timestamp", "1700000000"],
		["webhook-signature", signature],
	],
	body: Buffer.from(body),
	verdict: { kind: "valid" },
	answer: { status: 204 },
};
const secrets = [{ label: "s", secret: parseSecret(text) }];
const reread = (change: Partial<Delivery>) =>
	parseCapture(
		writeCaptureLine("c", { ...delivery, ...change }).subarray(0, -1),
	);

it("a capture is valid for good, as of its arrival", () => {
	expect(reverify(reread({}), { secrets })).toEqual({
		kind: "valid",
		version: "v1",
		label: "s",
	});
});

it("a capture that arrived too late stays too old", () => {
	expect(
		reverify(reread({ receivedAtMs: receivedAtMs + 400_000 }), { secrets }),
	).toMatchObject({ kind: "too-old", seconds: 400 });
});

it("a capture explains what was wrong with it", () => {
	const explanation = explainCapture(
		reread({ body: Buffer.from(`${body}\n`) }),
		{ secrets },
	);
	expect(explanation).toMatchObject({ cause: { kind: "trailing-newline" } });
});
