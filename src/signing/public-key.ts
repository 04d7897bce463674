// Public keys for `v1a` signatures. They come from a trusted origin or a file, never from a delivery (events.md 6).
import { createPublicKey, type KeyObject } from "node:crypto";
import { Fault } from "../faults/index.ts";
import { isRecord, parseJsonBytes } from "../protocol/index.ts";
import { decodeLoosely } from "./base64.ts";

const PREFIX = "whpk_";
const KEY_BYTES = 32;
/** More keys than any rotation needs; each costs a check per signature. */
const MOST_KEYS = 8;

export interface NamedPublicKey {
	/** The key's `kid`, or where it came from. */
	label: string;
	key: KeyObject;
}

/** Reads one ed25519 public key: `whpk_` and base64, or PEM. Throws `secret-invalid`. */
export function parsePublicKey(text: string, label: string): NamedPublicKey {
	const trimmed = text.trim();
	if (trimmed.startsWith("-----BEGIN")) return { label, key: readPem(trimmed) };
	const bytes = trimmed.startsWith(PREFIX)
		? decodeLoosely(trimmed.slice(PREFIX.length))
		: undefined;
	if (bytes?.length !== KEY_BYTES)
		throw invalid(`it is neither PEM nor ${PREFIX} with ${KEY_BYTES} bytes`);
	return { label, key: fromRaw(bytes.toString("base64url")) };
}

/**
 * Reads a JWK set and returns its ed25519 keys by `kid`, the first one under a repeated kid; other keys are skipped.
 * Throws `not-json`, or `secret-invalid` where no usable key is in it.
 */
export function parseJwks(bytes: Buffer): NamedPublicKey[] {
	const value = parseJsonBytes(bytes);
	const listed = isRecord(value) && Array.isArray(value.keys) ? value.keys : [];
	const keys = new Map<string, KeyObject>();
	for (const jwk of listed.slice(0, MOST_KEYS)) {
		if (!isRecord(jwk) || jwk.kty !== "OKP" || jwk.crv !== "Ed25519") continue;
		if (typeof jwk.x !== "string") continue;
		const kid = typeof jwk.kid === "string" ? jwk.kid : "a key without kid";
		if (decodeLoosely(jwk.x)?.length !== KEY_BYTES || keys.has(kid)) continue;
		keys.set(kid, fromRaw(jwk.x));
	}
	if (keys.size === 0)
		throw invalid("the set holds no key with kty OKP and crv Ed25519");
	return [...keys].map(([label, key]) => ({ label, key }));
}

function fromRaw(x: string): KeyObject {
	return createPublicKey({
		format: "jwk",
		key: { kty: "OKP", crv: "Ed25519", x },
	});
}

function readPem(pem: string): KeyObject {
	let key: KeyObject;
	try {
		key = createPublicKey(pem);
	} catch (cause) {
		throw invalid("the PEM text cannot be read", cause);
	}
	if (key.asymmetricKeyType !== "ed25519")
		throw invalid(`the PEM text holds a key of type ${key.asymmetricKeyType}`);
	return key;
}

function invalid(why: string, cause?: unknown): Fault {
	return new Fault("secret-invalid", {
		what: "the public key is not one that can check v1a signatures",
		why,
		next: "give an ed25519 public key as whpk_… or PEM, or a JWK set that holds one",
		cause,
	});
}
