// The server's own key for `v1a` signatures, and the document that makes its public half known (dialects.md).
import {
	createHash,
	createPrivateKey,
	createPublicKey,
	type KeyObject,
} from "node:crypto";
import { Fault } from "../faults/index.ts";
import { decodeLoosely } from "./base64.ts";

const PREFIX = "whsk_";
const SEED_BYTES = 32;
/** What stands before the seed of an ed25519 key in PKCS #8 (RFC 8410 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Reads an ed25519 private key: PEM, or `whsk_` and the base64 of its seed (its public half may follow). Throws
 * `secret-invalid`, without a word of the key.
 */
export function parsePrivateKey(text: string): KeyObject {
	const trimmed = text.trim();
	const key = trimmed.startsWith(PREFIX)
		? fromSeed(trimmed.slice(PREFIX.length))
		: fromPem(trimmed);
	if (key?.asymmetricKeyType !== "ed25519")
		throw new Fault("secret-invalid", {
			what: "the private key is not one that can make v1a signatures",
			why: key
				? `it is a key of type ${key.asymmetricKeyType}`
				: `it is neither PEM without a passphrase nor ${PREFIX} with ${SEED_BYTES} bytes`,
			next: "make one: openssl genpkey -algorithm ed25519",
		});
	return key;
}

/** The JWK set of a private key's public half; its `kid` is the key's thumbprint (RFC 7638). */
export function jwksText(privateKey: KeyObject): string {
	const { x } = createPublicKey(privateKey).export({ format: "jwk" });
	const thumbprint = JSON.stringify({ crv: "Ed25519", kty: "OKP", x });
	const kid = createHash("sha256").update(thumbprint).digest("base64url");
	return JSON.stringify({
		keys: [{ kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" }],
	});
}

function fromSeed(encoded: string): KeyObject | undefined {
	const bytes = decodeLoosely(encoded);
	if (bytes?.length !== SEED_BYTES && bytes?.length !== 2 * SEED_BYTES)
		return undefined;
	const seed = bytes.subarray(0, SEED_BYTES);
	return createPrivateKey({
		key: Buffer.concat([PKCS8_PREFIX, seed]),
		format: "der",
		type: "pkcs8",
	});
}

function fromPem(text: string): KeyObject | undefined {
	try {
		return createPrivateKey(text);
	} catch {
		return undefined;
	}
}
