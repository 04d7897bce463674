// How the products in the field prove that a POST is theirs: what is signed, with what, and where their ids stand.
// Every check is over the raw bytes and in constant time.
import {
	createHmac,
	createSecretKey,
	type KeyObject,
	timingSafeEqual,
} from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { SIGNATURE_TOLERANCE_SECONDS } from "../../../protocol/index.ts";
import { parseSecret, verifyDelivery } from "../../../signing/index.ts";

export const INBOUND_SCHEMES = [
	"plain",
	"standard-webhooks",
	"github",
	"stripe",
] as const;
export type InboundScheme = (typeof INBOUND_SCHEMES)[number];

export interface Post {
	headers: IncomingHttpHeaders;
	/** The bytes as they came. */
	body: Buffer;
	nowMs: number;
}

/** `malformed` lacks what the scheme needs to judge. */
export type Proof =
	/** `bodyMark` names the body, where nothing else that is signed tells one delivery from another. */
	| { kind: "proven"; bodyMark?: string }
	| { kind: "malformed" }
	| { kind: "unproven" };

export type Prover = (post: Post) => Proof;

const PROVEN: Proof = { kind: "proven" };
const MALFORMED: Proof = { kind: "malformed" };
const UNPROVEN: Proof = { kind: "unproven" };
/** Verdicts on a signature that could be read. */
const JUDGED = new Set(["no-match", "too-old", "too-new"]);
const MAX_ID_LENGTH = 256;
const MAX_SIGNATURES = 16;

/** The check of one scheme; several secrets while they change. Throws `secret-invalid`. */
export function createProver(
	scheme: InboundScheme,
	secrets: readonly string[],
): Prover {
	if (scheme === "standard-webhooks") return proveStandard(secrets);
	const keys = secrets.map((text) => createSecretKey(text.trim(), "utf8"));
	if (scheme === "github") return (post) => proveGithub(post, keys);
	if (scheme === "stripe") return (post) => proveStripe(post, keys);
	return () => PROVEN;
}

function proveStandard(texts: readonly string[]): Prover {
	const secrets = texts.map((text) => ({
		label: "secret",
		secret: parseSecret(text),
	}));
	return ({ headers, body, nowMs }) => {
		const pairs = Object.entries(headers).map(
			([name, value]) => [name, String(value)] as const,
		);
		const { kind } = verifyDelivery({ headers: pairs, body, secrets, nowMs });
		if (kind === "valid") return PROVEN;
		return JUDGED.has(kind) ? UNPROVEN : MALFORMED;
	};
}

/** X-Hub-Signature-256: the MAC of the body alone, with no time in it. */
function proveGithub({ headers, body }: Post, keys: KeyObject[]): Proof {
	const { "x-hub-signature-256": signature } = headers;
	const hex =
		typeof signature === "string"
			? /^sha256=([0-9a-f]{64})$/.exec(signature)?.[1]
			: undefined;
	if (!hex) return MALFORMED;
	if (!isMadeWith(keys, [body], [hex])) return UNPROVEN;
	// The id is not signed: whoever has seen one delivery could send it again under another.
	return { kind: "proven", bodyMark: hex };
}

/** Stripe-Signature: `t=SECONDS,v1=HEX,…`, the MAC of `t.body`. */
function proveStripe({ headers, body, nowMs }: Post, keys: KeyObject[]): Proof {
	const header = headers["stripe-signature"];
	if (typeof header !== "string") return MALFORMED;
	const parts = header.split(",").map((part) => part.trim());
	const valuesOf = (name: string) =>
		parts
			.filter((part) => part.startsWith(`${name}=`))
			.map((part) => part.slice(name.length + 1));
	const times = valuesOf("t");
	const [time = ""] = times;
	const signatures = valuesOf("v1").filter((hex) => /^[0-9a-f]{64}$/.test(hex));
	if (times.length !== 1 || !/^\d{1,12}$/.test(time)) return MALFORMED;
	if (signatures.length === 0 || signatures.length > MAX_SIGNATURES)
		return MALFORMED;
	if (!isMadeWith(keys, [Buffer.from(`${time}.`), body], signatures))
		return UNPROVEN;
	const ageSeconds = Math.abs(Math.floor(nowMs / 1000) - Number(time));
	if (ageSeconds > SIGNATURE_TOLERANCE_SECONDS) return UNPROVEN;
	return PROVEN;
}

function isMadeWith(
	keys: KeyObject[],
	pieces: Buffer[],
	signatures: string[],
): boolean {
	const given = signatures.map((hex) => Buffer.from(hex, "hex"));
	return keys.some((key) => {
		const mac = createHmac("sha256", key);
		for (const piece of pieces) mac.update(piece);
		const expected = mac.digest();
		return given.some((bytes) => timingSafeEqual(bytes, expected));
	});
}

/** A header that is an id: not empty, and of a length that can be kept. */
export function idOf(
	headers: IncomingHttpHeaders,
	name: string,
): string | undefined {
	const value = headers[name];
	if (typeof value !== "string" || value === "") return undefined;
	return value.length <= MAX_ID_LENGTH ? value : undefined;
}
