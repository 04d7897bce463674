// A delivery that goes out: what it holds is settled once, its timestamp and signature are made for each attempt.
import type { HeaderPair } from "../protocol/index.ts";
import { WEBHOOK_HEADERS } from "../protocol/index.ts";
import { type Secret, signMessage } from "../signing/index.ts";

/** What stays the same over attempts. */
export interface Draft {
	webhookId: string;
	/** The eventId; undefined for what is no event. */
	eventId: string | undefined;
	headers: readonly HeaderPair[];
	body: Buffer;
}

export interface Outgoing {
	headers: readonly HeaderPair[];
	body: Buffer;
}

/** Signs a draft as of now. The headers of the signature take the places that they had. */
export function signDraft(
	{ webhookId, headers, body }: Draft,
	secret: Secret,
	nowMs: number,
): Outgoing {
	const timestampSeconds = Math.floor(nowMs / 1_000);
	const signature = signMessage({
		id: webhookId,
		timestampSeconds,
		body,
		secret,
	});
	const { id, timestamp, signature: name } = WEBHOOK_HEADERS;
	let signed = withHeader(headers, id, webhookId);
	signed = withHeader(signed, timestamp, String(timestampSeconds));
	return { headers: withHeader(signed, name, signature), body };
}

/** The headers with one value for a name: in the place and the spelling that it had, else at the end. */
export function withHeader(
	headers: readonly HeaderPair[],
	name: string,
	value: string,
): HeaderPair[] {
	const isIt = ([key]: HeaderPair) => key.toLowerCase() === name.toLowerCase();
	const first = headers.findIndex(isIt);
	if (first < 0) return [...headers, [name, value]];
	return headers.flatMap((pair, at): HeaderPair[] => {
		if (!isIt(pair)) return [pair];
		return at === first ? [[pair[0], value]] : [];
	});
}

export function withoutHeader(
	headers: readonly HeaderPair[],
	name: string,
): HeaderPair[] {
	return headers.filter(([key]) => key.toLowerCase() !== name);
}
