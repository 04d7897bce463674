// Whose a request is and who signed it, by hand. The signatures are made by the library of Standard Webhooks.
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import {
	judgeEnvelopes,
	judgeSignatures,
	judgeSubscription,
} from "../../../src/grade/delivery/signed-requests.ts";
import { noEvent, type Probe } from "../../../src/grade/delivery/stage.ts";
import { isEvent } from "../../../src/grade/receiving/callback-request.ts";
import { newSecret } from "../../../src/signing/index.ts";
import {
	answerOf,
	NOW_MS,
	OCCURRENCE,
	probeOf,
	type Sent,
	stageOf,
	subOf,
	wordOf,
} from "./by-hand.ts";

const secret = newSecret(randomBytes);
const other = newSecret(randomBytes);
const ID = "x-mcp-subscription-id";
const GAP = { type: "gap", cursor: "c" };

/** Signed with a secret; `headers` come on top. */
const signed = (
	by: typeof secret,
	headers: Sent["headers"] = {},
	body: object = OCCURRENCE,
): Sent => ({
	headers: {
		"webhook-signature": new Webhook(by.reveal()).sign(
			"m1",
			new Date(NOW_MS),
			JSON.stringify(body),
		),
		...headers,
	},
	body,
});
const named = (id: string | undefined): Sent => ({ headers: { [ID]: id } });
const nameless = subOf(answerOf(), { id: undefined });

describe("the id of its subscription on an event", () => {
	it.each<[string, Probe, string]>([
		["right", probeOf([named("s1")]), "holds"],
		["another", probeOf([named("s1"), named("s2")]), "broken"],
		["missing", probeOf([named(undefined)]), "broken"],
		["of no event", probeOf([]), "untestable traffic"],
		[
			"at a URL of several",
			probeOf([named("s2")], { isShared: true }),
			"untestable traffic",
		],
		[
			"of a subscription that told none",
			probeOf([named("s2")], { sub: nameless }),
			"untestable traffic",
		],
	])("%s", (_about, probe, word) => {
		expect(wordOf(judgeSubscription([probe]))).toBe(word);
	});
});

describe("the signature of an event", () => {
	const by = (sent: Sent, more: Partial<Probe> = {}) =>
		probeOf([sent], { secrets: [secret], ...more });
	const isShared = true;
	const foreign = signed(other, { [ID]: "s2" });

	it.each<[string, Probe, string]>([
		["by its secret", by(signed(secret)), "holds"],
		["by another", by(signed(other)), "broken"],
		[
			"by a newer one",
			by(signed(other), { secrets: [secret, other] }),
			"holds",
		],
		[
			"with another behind it",
			by({ ...signed(secret), body: { ...OCCURRENCE, data: 1 } }),
			"broken",
		],
		[
			"missing",
			by(signed(other, { "webhook-signature": undefined })),
			"untestable traffic",
		],
		[
			"without an id",
			by(signed(other, { "webhook-id": undefined })),
			"untestable traffic",
		],
		[
			"without a time",
			by(signed(other, { "webhook-timestamp": undefined })),
			"untestable traffic",
		],
		["of an envelope", by(signed(other, {}, GAP)), "untestable traffic"],
		["of another principal", by(foreign, { isShared }), "untestable traffic"],
		["of another subscription", by(foreign), "broken"],
		[
			"of its own at a URL of several",
			by(signed(other, { [ID]: "s1" }), { isShared }),
			"broken",
		],
		[
			"of nobody at a URL of several",
			by(signed(other), { isShared }),
			"broken",
		],
		[
			"at a URL of several without an id",
			by(foreign, { isShared, sub: nameless }),
			"broken",
		],
	])("%s", (_about, probe, word) => {
		expect(wordOf(judgeSignatures([probe], isEvent, noEvent()))).toBe(word);
	});

	it("of one that is wrong beside one that is right", () => {
		const probe = probeOf([signed(secret), signed(other)], {
			secrets: [secret],
		});
		expect(judgeSignatures([probe], isEvent, noEvent())).toMatchObject({
			kind: "broken",
			found: "1 of 2 do not verify with the secret that was sent",
		});
	});
});

describe("an envelope", () => {
	it.each<[string, Sent, string]>([
		["signed and named", signed(secret, { [ID]: "s1" }, GAP), "holds"],
		["signed by another", signed(other, { [ID]: "s1" }, GAP), "broken"],
		["without a name", signed(secret, {}, GAP), "broken"],
		[
			"without a signature",
			{ headers: { [ID]: "s1", "webhook-signature": undefined }, body: GAP },
			"broken",
		],
		["that did not come", signed(other), "untestable traffic"],
	])("%s", (_about, sent, word) => {
		const main = probeOf([sent], { secrets: [secret] });
		expect(wordOf(judgeEnvelopes(stageOf({ main })))).toBe(word);
	});

	it("is told with what it lacks", () => {
		const headers = { "webhook-id": undefined, "webhook-signature": undefined };
		const main = probeOf([{ headers, body: GAP }]);
		expect(judgeEnvelopes(stageOf({ main }))).toMatchObject({
			found: "a gap lacks webhook-id and webhook-signature",
		});
	});
});
