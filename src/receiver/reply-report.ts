// What the attempts of a delivery say of its sender (events.md 6: timestamp and signature anew, the id kept).
import type { Attempt, AttemptsOfDelivery } from "./replies.ts";

/** `unclear` where no two attempts were a second apart: the timestamp counts seconds, and may well be the same. */
export type Freshness = "yes" | "no" | "unclear";

export interface DeliveryAttempts {
	subscription: string;
	id: string;
	/** How many came; the first of them stand in `replies` and `gapsMs`. */
	attempts: number;
	/** The step that answered each. */
	replies: string[];
	/** From each attempt to the next. */
	gapsMs: number[];
	freshTimestamp: Freshness;
	freshSignature: Freshness;
	/** Whether every attempt had the same webhook-id. */
	sameId: boolean;
	/** The answer after which it was sent again all the same, though 2xx, 410 and 413 end a delivery. */
	sentAgainAfter: string | undefined;
}

/** What the attempts of one delivery were like. */
export function reportAttempts(delivery: AttemptsOfDelivery): DeliveryAttempts {
	const { subscription, id, attempts, more } = delivery;
	const pairs = attempts.slice(1).map((after, at) => {
		const before = attempts[at] ?? after;
		return { before, after, gapMs: after.atMs - before.atMs };
	});
	const isFresh = (field: "timestamp" | "signature"): Freshness => {
		const told = pairs.filter(
			({ before, after, gapMs }) =>
				gapMs >= 1_000 || before[field] !== after[field],
		);
		if (told.length === 0) return "unclear";
		const isAnew = told.every(
			({ before, after }) => before[field] !== after[field],
		);
		return isAnew ? "yes" : "no";
	};
	return {
		subscription,
		id,
		attempts: attempts.length + more,
		replies: attempts.map(({ reply }) => reply.text),
		gapsMs: pairs.map(({ gapMs }) => gapMs),
		freshTimestamp: isFresh("timestamp"),
		freshSignature: isFresh("signature"),
		sameId: new Set(attempts.map(({ webhookId }) => webhookId)).size <= 1,
		sentAgainAfter: pairs.find(({ before }) => isLast(before))?.before.reply
			.text,
	};
}

function isLast({ reply }: Attempt): boolean {
	if (reply.kind === "status")
		return reply.status < 300 || reply.status === 410 || reply.status === 413;
	return reply.kind === "wrong-challenge";
}

const SHOWN = 8;

/** One line for a person. */
export function tellAttempts(report: DeliveryAttempts): string {
	const { attempts, replies, gapsMs, sentAgainAfter } = report;
	const answered = `answered ${listed(replies)}`;
	if (attempts < 2) return `${report.id}: 1 attempt, ${answered}`;
	const gaps = gapsMs.map((ms) => `${(ms / 1000).toFixed(1)} s`);
	return [
		`${report.id}: ${attempts} attempts, ${answered}`,
		`gaps ${listed(gaps)}`,
		`fresh timestamp: ${report.freshTimestamp}`,
		`fresh signature: ${report.freshSignature}`,
		`same id: ${report.sameId ? "yes" : "no"}`,
		...(sentAgainAfter
			? [`sent again after ${sentAgainAfter}, which ends a delivery`]
			: []),
	].join("; ");
}

const listed = (words: readonly string[]) =>
	words.length > SHOWN
		? `${words.slice(0, SHOWN).join(", ")} …`
		: words.join(", ");
