// Every single mistake in making a signature that can be tried: what may have been signed, and with which key. Each
// attempt changes one thing alone, so two mistakes at once are never taken for one.

import { rewriteBody } from "./body-rewritings.ts";
import type { CauseKind } from "./cause.ts";
import type { Secret } from "./secret.ts";
import { signedPrefix } from "./sign.ts";

export interface Attempt {
	kind: CauseKind;
	/** What was done in place of the right thing; no secret stands in it. */
	told: string;
	algorithm?: "sha1" | "sha384" | "sha512";
	/** In place of the decoded secret. */
	key?: Buffer;
	/** The signed text, in pieces. */
	pieces: Buffer[];
}

export interface SignedFacts {
	id: string;
	timestamp: string;
	body: Buffer;
	subscriptionId: string | undefined;
	eventId: string | undefined;
	eventTimestamp: string | undefined;
}

/** How many bytes the search for another timestamp may hash, in all. */
const SEARCH_BYTES = 16 * 1024 * 1024;
const MOST_SECONDS_AWAY = 900;
const MILLISECONDS = 1000;

/** All attempts for one secret, the cheap ones first. */
export function* attemptsFor(
	facts: SignedFacts,
	secret: Secret,
): Generator<Attempt> {
	const right = [signedPrefix(facts.id, facts.timestamp), facts.body];
	for (const key of wrongKeys(secret)) yield { ...key, pieces: right };
	for (const algorithm of ["sha1", "sha384", "sha512"] as const) {
		const name = `HMAC-${algorithm.toUpperCase().replace("SHA", "SHA-")}`;
		yield {
			kind: "algorithm",
			told: `${name} in place of HMAC-SHA-256`,
			algorithm,
			pieces: right,
		};
	}
	yield* wrongPrefixes(facts);
	for (const { kind, told, body } of rewriteBody(facts.body))
		yield {
			kind,
			told,
			pieces: [signedPrefix(facts.id, facts.timestamp), body],
		};
	yield* otherTimestamps(facts);
}

function* wrongKeys(secret: Secret): Generator<Omit<Attempt, "pieces">> {
	const texts = [...new Set([secret.revealAsWritten(), secret.reveal()])];
	for (const text of texts) {
		const encoded = text.replace(/^whsec_/, "");
		const asText = "the secret used as text, not decoded from base64";
		yield {
			kind: "secret-as-text",
			told: `${asText}, whsec_ included`,
			key: Buffer.from(text),
		};
		yield { kind: "secret-as-text", told: asText, key: Buffer.from(encoded) };
		if (/^(?:[0-9a-f]{2})+$/i.test(encoded))
			yield {
				kind: "secret-as-hex",
				told: "what follows whsec_ decoded as hexadecimal, not as base64",
				key: Buffer.from(encoded, "hex"),
			};
		const told = "whsec_ decoded together with the base64 after it";
		yield {
			kind: "secret-prefix-decoded",
			told,
			key: Buffer.from(text, "base64"),
		};
		yield {
			kind: "secret-prefix-decoded",
			told,
			key: Buffer.from(text.replace("_", ""), "base64"),
		};
	}
	const hex = Buffer.from(secret.key.export().toString("hex"));
	yield {
		kind: "secret-as-hex",
		told: "the secret's bytes written in hexadecimal and used as text",
		key: hex,
	};
}

function* wrongPrefixes(facts: SignedFacts): Generator<Attempt> {
	const { id, timestamp, body } = facts;
	const withId = (told: string, other: string | undefined): Attempt[] =>
		other === undefined || other === id
			? []
			: [
					{
						kind: "wrong-id",
						told,
						pieces: [signedPrefix(other, timestamp), body],
					},
				];
	yield* withId(
		"the eventId signed as the id, not the webhook-id",
		facts.eventId,
	);
	yield* withId(
		"the subscription id signed as the id, not the webhook-id",
		facts.subscriptionId,
	);
	yield* withId("an empty id signed, not the webhook-id", "");
	yield {
		kind: "wrong-id",
		told: "no id signed: the text begins with the timestamp",
		pieces: [Buffer.from(`${timestamp}.`), body],
	};
	yield {
		kind: "wrong-timestamp",
		told: "no timestamp signed: the body follows the id",
		pieces: [signedPrefix(id, "").subarray(0, -1), body],
	};
	yield {
		kind: "wrong-order",
		told: "the timestamp signed before the id",
		pieces: [signedPrefix(timestamp, id), body],
	};
	yield {
		kind: "body-alone",
		told: "the body signed alone, without id and timestamp",
		pieces: [body],
	};
	if (facts.eventTimestamp !== undefined)
		yield {
			kind: "wrong-timestamp",
			told: "the event's own timestamp signed, not the webhook-timestamp",
			pieces: [signedPrefix(id, facts.eventTimestamp), body],
		};
}

function* otherTimestamps(facts: SignedFacts): Generator<Attempt> {
	const { id, body } = facts;
	const sent = Number(facts.timestamp);
	if (!/^\d{1,12}$/.test(facts.timestamp)) return;
	const signed = (
		kind: CauseKind,
		told: string,
		timestamp: string,
	): Attempt => ({
		kind,
		told,
		pieces: [signedPrefix(id, timestamp), body],
	});
	const date = new Date(sent * MILLISECONDS);
	if (!Number.isNaN(date.getTime()))
		for (const text of [
			date.toISOString(),
			date.toISOString().replace(".000", ""),
		])
			yield signed(
				"wrong-timestamp",
				"the timestamp signed in ISO 8601 form",
				text,
			);
	let left = Math.floor(SEARCH_BYTES / (body.length + 128));
	for (let away = 1; away <= MOST_SECONDS_AWAY && left > 0; away++)
		for (const other of [sent - away, sent + away]) {
			left--;
			const side = other < sent ? "earlier" : "later";
			const told = `a timestamp ${away} s ${side} than the webhook-timestamp signed`;
			yield signed("wrong-timestamp", told, String(other));
		}
	for (let part = 0; part < MILLISECONDS && (part === 0 || left > 0); part++) {
		left--;
		const told = "the timestamp signed in milliseconds, sent in seconds";
		yield signed("milliseconds", told, String(sent * MILLISECONDS + part));
	}
}
