// The verdicts in the manual against those that the code gives.
import { expect, it } from "vitest";
import { VERDICT_KINDS } from "../../man/render-captures.ts";
import type { HeaderPair } from "../../src/protocol/index.ts";
import {
	type RefusalReason,
	refusalAnswer,
} from "../../src/receiver/answer.ts";
import { parseSecret, verifyDelivery } from "../../src/signing/index.ts";
import {
	eventBody,
	NOW_MS,
	OTHER_TEXT,
	SECRET_TEXT,
	signedHeaders,
} from "../fixtures/deliveries.ts";

const HOUR_MS = 3_600_000;
const changed = (name: string, value: string | undefined): HeaderPair[] =>
	signedHeaders().flatMap(([key, old]) =>
		key !== name
			? [[key, old] as const]
			: value === undefined
				? []
				: [[key, value] as const],
	);

it.each([
	["valid", signedHeaders()],
	["no-match", signedHeaders({ secretText: OTHER_TEXT })],
	["too-old", signedHeaders({ signedMs: NOW_MS - HOUR_MS })],
	["too-new", signedHeaders({ signedMs: NOW_MS + HOUR_MS })],
	["missing-header", changed("webhook-id", undefined)],
	["malformed-header", changed("webhook-id", "")],
	["malformed-timestamp", changed("webhook-timestamp", "1700000000abc")],
	["no-known-version", changed("webhook-signature", "v9,abc")],
] as const)("%s has the members that the manual gives it", (kind, headers) => {
	const secrets = [{ label: "secret", secret: parseSecret(SECRET_TEXT) }];
	const body = Buffer.from(eventBody());
	const { kind: found, ...members } = verifyDelivery({
		headers,
		body,
		secrets,
		nowMs: NOW_MS,
	});
	expect(found).toBe(kind);
	expect(Object.keys(members).sort()).toEqual(
		Object.keys(VERDICT_KINDS[kind].members ?? {}).sort(),
	);
});

it("has no kind for which the receiver has no answer", () => {
	const refused = Object.keys(VERDICT_KINDS).filter(
		(kind) => kind !== "valid" && kind !== "parked",
	);
	for (const kind of refused)
		expect(
			refusalAnswer(kind as RefusalReason).status,
			kind,
		).toBeGreaterThanOrEqual(400);
});
