// Checks the signature of a delivery over its raw bytes. The clock, the secrets and the tolerance are handed in, so
// that a captured delivery can be checked again as of its arrival.
import { timingSafeEqual, verify as verifySignature } from "node:crypto";
import {
	type HeaderPair,
	SIGNATURE_TOLERANCE_SECONDS,
	WEBHOOK_HEADERS,
} from "../protocol/index.ts";
import { decodeCanonical } from "./base64.ts";
import {
	type DeliveryHeaders,
	type HeaderRefusal,
	readDeliveryHeaders,
	type SignatureEntry,
} from "./delivery-headers.ts";
import type { NamedPublicKey } from "./public-key.ts";
import type { NamedSecret } from "./secret.ts";
import { signedPrefix } from "./sign.ts";

const MAC_BYTES = 32;
const ED25519_BYTES = 64;
/** Where macs are compared, in base64. */
const [SENT, MADE] = [Buffer.alloc(44), Buffer.alloc(44)] as const;

export interface DeliveryToVerify {
	headers: readonly HeaderPair[];
	/** The bytes as they came from the socket. */
	body: Buffer;
	secrets: readonly NamedSecret[];
	/** Keys for `v1a`; never taken from the delivery itself. */
	publicKeys?: readonly NamedPublicKey[];
	nowMs: number;
	toleranceSeconds?: number;
}

/** Which key the signature was made with. */
export interface SignedBy {
	version: "v1" | "v1a";
	/** The label of the secret or public key. */
	label: string;
}

export type Verdict =
	| ({ kind: "valid" } & SignedBy)
	| HeaderRefusal
	/** Signed well, but `seconds` older than now, which is more than the tolerance. */
	| ({ kind: "too-old"; seconds: number; toleranceSeconds: number } & SignedBy)
	/** Signed well, but `seconds` ahead of now. */
	| ({ kind: "too-new"; seconds: number; toleranceSeconds: number } & SignedBy)
	/** No signature of a version that we check was made with any key that we have. */
	| { kind: "no-match"; signatures: number; keys: number }
	| { kind: "no-known-version"; versions: string[] };

/**
 * Says whether a delivery was signed with one of our keys, over exactly these bytes, about now. The order of the
 * checks is that of the receiver: headers, form of the timestamp, signature, age.
 *
 * The `standardwebhooks` package is not used for this: it turns the body into text, so that bytes which are no UTF-8
 * never match; its tolerance and its clock cannot be set, so nothing captured could be checked again; it takes
 * `1700000000abc` for a timestamp; it knows one secret at a time and no `v1a`. The tests hold this function to it.
 */
export function verifyDelivery(delivery: DeliveryToVerify): Verdict {
	const read = readDeliveryHeaders(delivery.headers);
	if (read.kind !== "read") return read;
	const keys = delivery.publicKeys ?? [];
	const isChecked = ({ version }: SignatureEntry) =>
		version === "v1" || (version === "v1a" && keys.length > 0);
	const entries = read.entries.filter(isChecked);
	if (entries.length === 0) {
		const versions = read.entries.map(({ version }) => version.slice(0, 20));
		return { kind: "no-known-version", versions: [...new Set(versions)] };
	}
	const signedBy =
		matchSecret(delivery, read, entries) ??
		matchPublicKey(delivery, read, entries);
	if (signedBy) return judgeAge(delivery, Number(read.timestamp), signedBy);
	// Told apart only here: what fits is well formed.
	const signatures = entries.filter(isWellFormed).length;
	if (signatures === 0)
		return {
			kind: "malformed-header",
			header: WEBHOOK_HEADERS.signature,
			why: "no signature in it is padded standard base64 of the right length",
		};
	return {
		kind: "no-match",
		signatures,
		keys: delivery.secrets.length + keys.length,
	};
}

function isWellFormed({ version, text }: SignatureEntry): boolean {
	const bytes = version === "v1" ? MAC_BYTES : ED25519_BYTES;
	return decodeCanonical(text)?.length === bytes;
}

function matchSecret(
	delivery: DeliveryToVerify,
	headers: DeliveryHeaders,
	entries: readonly SignatureEntry[],
): SignedBy | undefined {
	const signatures = entries.filter(({ version }) => version === "v1");
	if (signatures.length === 0) return undefined;
	const prefix = signedPrefix(headers.id, headers.timestamp);
	for (const { label, secret } of delivery.secrets) {
		const mac = secret.hmac.digest(prefix, delivery.body);
		if (signatures.some(({ text }) => isSameMac(text, mac)))
			return { version: "v1", label };
	}
	return undefined;
}

/**
 * Whether a signature is the right one, in a time that does not tell how far they are alike. As texts: to decode the one
 * and to have the other in bytes takes as long as the digest. What is equal is canonical base64 too.
 */
function isSameMac(sent: string, mac: string): boolean {
	SENT.write(sent, "latin1");
	MADE.write(mac, "latin1");
	// Only what is alike there comes to the second one, which refuses what did not fit the room or is no Latin-1.
	return timingSafeEqual(SENT, MADE) && sent === mac;
}

function matchPublicKey(
	delivery: DeliveryToVerify,
	headers: DeliveryHeaders,
	entries: readonly SignatureEntry[],
): SignedBy | undefined {
	const signatures = entries
		.filter((entry) => entry.version === "v1a" && isWellFormed(entry))
		.map(({ text }) => Buffer.from(text, "base64"));
	if (signatures.length === 0) return undefined;
	const prefix = signedPrefix(headers.id, headers.timestamp);
	const text = Buffer.concat([prefix, delivery.body]);
	for (const { label, key } of delivery.publicKeys ?? [])
		if (signatures.some((bytes) => verifySignature(null, text, key, bytes)))
			return { version: "v1a", label };
	return undefined;
}

function judgeAge(
	delivery: DeliveryToVerify,
	timestampSeconds: number,
	signedBy: SignedBy,
): Verdict {
	const toleranceSeconds =
		delivery.toleranceSeconds ?? SIGNATURE_TOLERANCE_SECONDS;
	// Whole seconds on both sides: the sender's timestamp has no fraction that ours could be held against.
	const age = Math.floor(delivery.nowMs / 1000) - timestampSeconds;
	if (age > toleranceSeconds)
		return { kind: "too-old", seconds: age, toleranceSeconds, ...signedBy };
	if (-age > toleranceSeconds)
		return { kind: "too-new", seconds: -age, toleranceSeconds, ...signedBy };
	return { kind: "valid", ...signedBy };
}
