// The signed text of Standard Webhooks and its `v1` signature.
import { createHmac, type KeyObject } from "node:crypto";
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
	const { id, timestampSeconds, body, secret } = message;
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
	const prefix = signedPrefix(id, String(timestampSeconds));
	const mac = macOf(secret.key, prefix, body);
	return `v1,${mac.toString("base64")}`;
}

/** HMAC-SHA256 over what stands before the body, then the body. */
export function macOf(key: KeyObject, prefix: Buffer, body: Buffer): Buffer {
	return createHmac("sha256", key).update(prefix).update(body).digest();
}

/** What stands before the body in the signed text, with id and timestamp exactly as they are in their headers. */
export function signedPrefix(id: string, timestamp: string): Buffer {
	return Buffer.concat([headerBytes(id), headerBytes(`.${timestamp}.`)]);
}

// Node hands header bytes over as Latin-1 characters, so this gives back the bytes that were sent. A text typed by a
// user may hold characters that no byte stands for: those are UTF-8.
function headerBytes(text: string): Buffer {
	const isLatin1 = /^[\0-\xff]*$/.test(text);
	return Buffer.from(text, isLatin1 ? "latin1" : "utf8");
}
