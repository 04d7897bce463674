import { expect, it } from "vitest";
import { parseJsonBytes } from "../../../src/protocol/index.ts";
import type { RefusedDelivery } from "../../../src/receiver/index.ts";
import { openWebhookTail, readMessage } from "../../../src/tail/index.ts";
import { contentOf, deliveryOf, secret } from "../run-webhook.ts";
import { VirtualClock } from "../virtual-clock.ts";

/** The intake of a tail that nobody reads. */
function unread(count?: number) {
	const clock = new VirtualClock();
	const nothing = async () => {};
	const tail = openWebhookTail(
		undefined,
		{
			address: { url: "http://127.0.0.1:1" },
			newSecret: () => secret(1),
			closeReceiver: nothing,
			count,
			subscriptions: [
				{
					subscription: { label: "tick", name: "", arguments: {} },
					path: "/in",
					registration: {
						label: "tick",
						secrets: [secret(1)],
						subscriptionId: undefined,
					},
					memory: {
						saveSecrets: nothing,
						saveUrl: nothing,
						saveGrant: nothing,
						saveCursor: nothing,
						saveEnd: nothing,
						markShown: () => {},
						markLeaving: () => {},
					},
					cursor: undefined,
					known: [],
					backlog: [],
				},
			],
		},
		{
			now: clock.now,
			sleep: clock.sleep,
			random: () => 0.5,
			signal: new AbortController().signal,
			note: () => {},
			warn: () => {},
		},
	);
	return { intake: tail.intake };
}

it("takes no more where the consumer does not read", () => {
	const { intake } = unread();
	const take = (n: number) => {
		const delivery = deliveryOf(contentOf(`e${n}`), `msg_${n}`);
		intake.requireRoom(delivery);
		intake.kept(delivery, `cap_${n}`);
	};
	for (let n = 0; n < 10_000; n++) take(n);
	expect(() => take(10_000)).toThrow(
		expect.objectContaining({
			code: "rate-limited",
			why: expect.stringContaining("wait to be read"),
		}),
	);
});

it("gives the place of a delivery that could not be kept to the next one", () => {
	const { intake } = unread(1);
	const [one, other] = ["a", "b"].map((id) => deliveryOf(contentOf(id), id));
	if (!one || !other) throw new Error("no delivery");
	intake.requireRoom(one);
	expect(() => intake.requireRoom(other)).toThrow("--count is reached");
	intake.notKept(one);
	expect(() => intake.requireRoom(other)).not.toThrow();
});

it("always takes a verification: the subscription would fail without it", () => {
	const { intake } = unread(1);
	const hello = deliveryOf({ kind: "verification", challenge: "x" });
	intake.requireRoom(deliveryOf(contentOf("a")));
	expect(() => intake.requireRoom(hello)).not.toThrow();
	intake.kept(hello, "cap_1");
	expect(intake.isRepeat(hello)).toBe(false);
});

it("leaves room for deliveries however much is rejected", () => {
	const { intake } = unread();
	const refused: RefusedDelivery = {
		receivedAtMs: 0,
		method: "GET",
		path: "/",
		headers: [],
		body: Buffer.alloc(0),
		verdict: { kind: "unknown-path" },
		reason: "unknown-path",
		why: "nothing is received at /",
		answer: { status: 404 },
		candidates: [],
	};
	for (let n = 0; n < 50_000; n++) intake.refused(refused, undefined);
	const delivery = deliveryOf(contentOf("a"));
	expect(() => intake.requireRoom(delivery)).not.toThrow();
});

it.each([
	[
		'{"type":"user.made","timestamp":"2026-01-01T00:00:00Z","data":{}}',
		"user.made",
	],
	["[1,\n2]", "message"],
	['"text"', "message"],
])("shows a message of any sender as it came: %s", (text, name) => {
	const occurrence = readMessage(Buffer.from(text), "msg_1");
	expect(occurrence).toMatchObject({ eventId: "msg_1", name });
	expect(parseJsonBytes(occurrence.raw)).toEqual(JSON.parse(text));
	expect(occurrence.raw.includes("\n")).toBe(false);
});
