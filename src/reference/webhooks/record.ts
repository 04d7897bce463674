// What is known of a subscription: all that a store keeps, and all that a run needs to go on with it.
import type { SubscriptionKey } from "./key.ts";

/** A secret that was replaced, and until when it signs beside the new one (epoch milliseconds). */
export interface FormerSecret {
	secret: string;
	untilMs: number;
}

export interface SubscriptionRecord extends SubscriptionKey {
	id: string;
	/** `whsec_...` */
	secret: string;
	/** Newest first. */
	formerSecrets: FormerSecret[];
	/** Epoch milliseconds; null: never. */
	expiresAt: number | null;
	/** The safe watermark. */
	cursor: string;
	isSuspended: boolean;
	/** Events were skipped, and the receiver has not been told yet. */
	hasUntoldGap: boolean;
	/** Since when nothing was acknowledged and something failed. */
	failedSince: number | undefined;
}

/** A client that rotates faster than that has given up on the oldest itself. */
const MOST_FORMER = 3;

/** Replaces the secret; the one before signs on until `untilMs`. The same secret again changes nothing. */
export function rotateSecret(
	record: SubscriptionRecord,
	secret: string,
	untilMs: number,
): boolean {
	if (record.secret === secret) return false;
	const former = [{ secret: record.secret, untilMs }, ...record.formerSecrets];
	record.formerSecrets = former
		.filter((one) => one.secret !== secret)
		.slice(0, MOST_FORMER);
	record.secret = secret;
	return true;
}

/** The secrets that sign now, the newest first. */
export function secretsOf(record: SubscriptionRecord, now: number): string[] {
	const former = record.formerSecrets.filter(({ untilMs }) => now < untilMs);
	return [record.secret, ...former.map(({ secret }) => secret)];
}
