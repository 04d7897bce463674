// A shared secret: read, made, and kept from being shown. Where it is stored is not this room's to know.
import { createSecretKey, type KeyObject } from "node:crypto";
import { inspect } from "node:util";
import { Fault } from "../faults/index.ts";
import { decodeCanonical, decodeLoosely } from "./base64.ts";
import { HmacKey } from "./hmac-key.ts";

const PREFIX = "whsec_";
const LEAST_BYTES = 24;
const MOST_BYTES = 64;
const MADE_BYTES = 32;
const HIDDEN = `${PREFIX}[hidden]`;

/** A secret that prints, logs and serialises as a placeholder; `reveal` alone gives the text. */
export class Secret {
	/** What was odd in how it was written; empty for the canonical form. */
	readonly notes: readonly string[];
	readonly key: KeyObject;
	/** The same key, for the one algorithm that is right. */
	readonly hmac: HmacKey;
	readonly #bytes: Buffer;
	readonly #written: string;

	constructor(bytes: Buffer, written: string, notes: readonly string[]) {
		this.notes = notes;
		this.#bytes = bytes;
		this.#written = written;
		this.key = createSecretKey(bytes);
		this.hmac = new HmacKey(bytes);
	}

	/** The secret as it travels: `whsec_` and standard base64. For the wire and the secret's own file alone. */
	reveal(): string {
		return PREFIX + this.#bytes.toString("base64");
	}

	/** The secret as it was given to us; only a search for mistakes in its use needs it. */
	revealAsWritten(): string {
		return this.#written;
	}

	toString(): string {
		return HIDDEN;
	}

	toJSON(): string {
		return HIDDEN;
	}

	[inspect.custom](): string {
		return HIDDEN;
	}
}

/** A secret and the name under which it may be spoken of. */
export interface NamedSecret {
	label: string;
	secret: Secret;
}

/**
 * Reads `whsec_` and the base64 of 24 to 64 bytes; white space around it is no matter. Base64url and missing padding
 * are read, with a note. Throws `secret-invalid` for anything else, without a word of the secret.
 */
export function parseSecret(text: string): Secret {
	const written = text.trim();
	if (!written.startsWith(PREFIX))
		throw invalid(`it does not begin with ${PREFIX}`);
	const encoded = written.slice(PREFIX.length);
	const bytes = decodeLoosely(encoded);
	if (!bytes)
		throw invalid(
			`what follows ${PREFIX} is not base64 (${encoded.length} characters)`,
		);
	if (bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES)
		throw invalid(
			`it decodes to ${bytes.length} bytes; ${LEAST_BYTES} to ${MOST_BYTES} are allowed`,
		);
	return new Secret(bytes, written, oddities(encoded));
}

/** Makes a secret of 32 bytes; `randomBytes` must be a cryptographic source. */
export function newSecret(randomBytes: (size: number) => Buffer): Secret {
	const bytes = Buffer.from(randomBytes(MADE_BYTES));
	return new Secret(bytes, PREFIX + bytes.toString("base64"), []);
}

function oddities(encoded: string): string[] {
	if (decodeCanonical(encoded)) return [];
	const notes: string[] = [];
	if (/[-_]/.test(encoded))
		notes.push("the secret is written in base64url; standard base64 is meant");
	if (encoded.length % 4 !== 0)
		notes.push("the secret lacks its base64 padding");
	return notes;
}

function invalid(why: string): Fault {
	return new Fault("secret-invalid", {
		what: "the secret is not one that Standard Webhooks can use",
		why,
		next: "make one: mcp-events secret",
	});
}
