// The signed text of Standard Webhooks and its signatures, `v1` by a shared secret and `v1a` by an ed25519 key.
import { type KeyObject, sign } from "node:crypto";
import { Fault } from "../faults/index.ts";
import type { Secret } from "./secret.ts";

export interface MessageToSign {
	id: string;
	timestampSeconds: number;
	body: Buffer;
	secret: Secret;
}

/**
 * Signs a message over its raw bytes and returns `v1,<base64>`. Throws `wrong-use` where the id or the time cannot
 * stand in a header.
 */
export function signMessage(message: MessageToSign): string {
	const { body, secret } = message;
	return `v1,${secret.hmac.digest(checkedPrefix(message), body)}`;
}

/** Signs the same text with an ed25519 private key and returns `v1a,<base64>`. Throws as `signMessage` does. */
export function signAsymmetrically(
	message: Omit<MessageToSign, "secret"> & { key: KeyObject },
): string {
	const text = Buffer.concat([checkedPrefix(message), message.body]);
	return `v1a,${sign(null, text, message.key).toString("base64")}`;
}

function checkedPrefix({
	id,
	timestampSeconds,
}: Pick<MessageToSign, "id" | "timestampSeconds">): Buffer {
	if (!/^[\x21-\x7e]+$/.test(id))
		throw new Fault("wrong-use", {
			what: `${JSON.stringify(id)} cannot be a webhook-id`,
			why: "a header takes visible ASCII without spaces here, one character at least",
		});
	if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0)
		throw new Fault("wrong-use", {
			what: `${timestampSeconds} cannot be a webhook-timestamp`,
			why: "it must be whole seconds since 1970",
		});
	return signedPrefix(id, String(timestampSeconds));
}

/** What stands before the body in the signed text, with id and timestamp exactly as they are in their headers. */
export function signedPrefix(id: string, timestamp: string): Buffer {
	const text = `${id}.${timestamp}.`;
	return isLatin1(text)
		? Buffer.from(text, "latin1")
		: Buffer.concat([headerBytes(id), headerBytes(`.${timestamp}.`)]);
}

// Node hands header bytes over as Latin-1 characters, so this gives back the bytes that were sent. A text typed by a
// user may hold characters that no byte stands for: those are UTF-8.
function headerBytes(text: string): Buffer {
	return Buffer.from(text, isLatin1(text) ? "latin1" : "utf8");
}

const isLatin1 = (text: string) => /^[\0-\xff]*$/.test(text);
