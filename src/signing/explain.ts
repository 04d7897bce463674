// Finds the one mistake that explains why a signature does not fit. For a person to read: what it finds out must
// never be told to the sender.
import { createHmac } from "node:crypto";
import {
	type HeaderPair,
	headerValues,
	isRecord,
	SIGNATURE_TOLERANCE_SECONDS,
	WEBHOOK_HEADERS,
} from "../protocol/index.ts";
import { type Attempt, attemptsFor, type SignedFacts } from "./attempts.ts";
import { decodeCanonical } from "./base64.ts";
import type { Cause } from "./cause.ts";
import { readEntries } from "./delivery-headers.ts";
import { encodedElsewise, millisecondsSent } from "./header-mistakes.ts";
import type { NamedSecret } from "./secret.ts";
import { signedPrefix } from "./sign.ts";
import { tellVerdict } from "./tell-verdict.ts";
import {
	type DeliveryToVerify,
	type Verdict,
	verifyDelivery,
} from "./verify.ts";

export interface DeliveryToExplain extends DeliveryToVerify {
	/** Secrets of ours that this delivery should not have been signed with. */
	otherSecrets?: readonly NamedSecret[];
}

export type Explanation =
	| { kind: "valid"; verdict: Verdict }
	| {
			kind: "explained";
			verdict: Verdict;
			cause: Cause;
			/** Beside the cause: how much older than now the timestamp is (negative: ahead), where that alone would refuse it. */
			skewSeconds?: number;
	  }
	/** No single mistake that we know explains it: two at once, another secret, or bytes that changed on the way. */
	| { kind: "unexplained"; verdict: Verdict; skewSeconds?: number };

/** Says whether a delivery is valid, or which ONE mistake explains that it is not. */
export function explainMismatch(delivery: DeliveryToExplain): Explanation {
	const verdict = verifyDelivery(delivery);
	if (verdict.kind === "valid") return { kind: "valid", verdict };
	if (verdict.kind === "too-old" || verdict.kind === "too-new")
		return { kind: "explained", verdict, cause: skewCause(verdict) };
	if (verdict.kind === "missing-header") return explainHeader(verdict);
	const cause = searchCause(delivery, verdict) ?? truncation(delivery);
	const skewSeconds = skewOf(delivery);
	const skew = skewSeconds === undefined ? {} : { skewSeconds };
	if (cause) return { kind: "explained", verdict, cause, ...skew };
	if (verdict.kind === "no-match")
		return { kind: "unexplained", verdict, ...skew };
	return explainHeader(verdict);
}

function skewCause(verdict: Verdict & { kind: "too-old" | "too-new" }): Cause {
	const { kind, seconds, toleranceSeconds, label } = verdict;
	const side = kind === "too-old" ? "older" : "newer";
	// A zone's offset taken for UTC shows as whole half hours, give or take the time of travel.
	const halfHours = Math.round(seconds / 1800);
	const isZone =
		halfHours > 0 &&
		halfHours <= 28 &&
		Math.abs(seconds - halfHours * 1800) <= 10;
	const zone = isZone
		? `; that is ${halfHours / 2} h: local time taken for UTC?`
		: "";
	return {
		kind: "clock-skew",
		told: `the signature fits, but its timestamp is ${seconds} s ${side} than now (${toleranceSeconds} s are allowed)${zone}`,
		label,
	};
}

function explainHeader(verdict: Verdict): Explanation {
	return {
		kind: "explained",
		verdict,
		cause: { kind: "header", told: tellVerdict(verdict) },
	};
}

function searchCause(
	delivery: DeliveryToExplain,
	verdict: Verdict,
): Cause | undefined {
	const signature =
		headerValues(delivery.headers, WEBHOOK_HEADERS.signature)[0] ?? "";
	const facts = readFacts(delivery);
	const presented = readEntries(signature)
		.filter(({ version, text }) => version === "v1" && decodeCanonical(text))
		.map(({ text }) => text);
	const isPresented = (mac: string) => presented.includes(mac);
	// A digest of another length is malformed by the letter, and still a signature that can be looked for.
	const isSearchable =
		presented.length > 0 &&
		(verdict.kind === "no-match" || verdict.kind === "malformed-header");
	for (const { label, secret } of delivery.secrets) {
		const prefix = signedPrefix(facts.id, facts.timestamp);
		const mac = secret.hmac.digest(prefix, facts.body);
		const inHeader =
			encodedElsewise(mac, signature) ??
			millisecondsSent(facts, isPresented, secret);
		if (inHeader) return { ...inHeader, label };
		if (!isSearchable) continue;
		for (const attempt of attemptsFor(facts, secret))
			if (isPresented(attemptMac(attempt, secret)))
				return { kind: attempt.kind, told: attempt.told, label };
	}
	if (!isSearchable) return undefined;
	for (const { label, secret } of delivery.otherSecrets ?? [])
		if (
			isPresented(
				secret.hmac.digest(signedPrefix(facts.id, facts.timestamp), facts.body),
			)
		)
			return {
				kind: "other-secret",
				told: `signed with another secret of ours: ${label}`,
				label,
			};
	return undefined;
}

function attemptMac(
	{ algorithm, key, pieces }: Attempt,
	secret: NamedSecret["secret"],
): string {
	const hmac = createHmac(algorithm ?? "sha256", key ?? secret.key);
	for (const piece of pieces) hmac.update(piece);
	return hmac.digest("base64");
}

function truncation({ headers, body }: DeliveryToExplain): Cause | undefined {
	const declared = headerValues(headers, "content-length")[0];
	if (declared === undefined || !/^\d{1,15}$/.test(declared)) return undefined;
	if (Number(declared) === body.length) return undefined;
	const side = Number(declared) > body.length ? "cut short" : "longer";
	return {
		kind: "truncated-body",
		told: `the body has ${body.length} bytes where content-length says ${declared}: it is ${side}, so no signature can fit`,
	};
}

function skewOf({
	headers,
	nowMs,
	toleranceSeconds = SIGNATURE_TOLERANCE_SECONDS,
}: DeliveryToExplain): number | undefined {
	const timestamp = headerValues(headers, WEBHOOK_HEADERS.timestamp)[0] ?? "";
	if (!/^\d{1,12}$/.test(timestamp)) return undefined;
	const age = Math.floor(nowMs / 1000) - Number(timestamp);
	return Math.abs(age) > toleranceSeconds ? age : undefined;
}

function readFacts({
	headers,
	body,
}: {
	headers: readonly HeaderPair[];
	body: Buffer;
}): SignedFacts {
	const value = (name: string) => headerValues(headers, name)[0];
	const event = readEvent(body);
	const text = (member: unknown) =>
		typeof member === "string" ? member : undefined;
	return {
		id: value(WEBHOOK_HEADERS.id) ?? "",
		timestamp: value(WEBHOOK_HEADERS.timestamp) ?? "",
		body,
		subscriptionId: value(WEBHOOK_HEADERS.subscriptionId),
		eventId: text(event.eventId),
		eventTimestamp: text(event.timestamp),
	};
}

function readEvent(body: Buffer): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(body.toString("utf8"));
		return isRecord(value) ? value : {};
	} catch {
		return {};
	}
}
