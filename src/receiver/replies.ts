// Answers each attempt of a delivery by a script, and keeps what the attempts were like.
import { headerValues, WEBHOOK_HEADERS } from "../protocol/index.ts";
import { type Answer, echoAnswer } from "./answer.ts";
import type { ReceivedDelivery } from "./delivery.ts";
import type { Accepted } from "./judge.ts";
import { type DeliveryAttempts, reportAttempts } from "./reply-report.ts";
import type { ReplyStep } from "./reply-script.ts";

export interface Replies {
	/** Answers a good delivery by the script. `keep` stores it, and gives the right answer. */
	answer(
		accepted: Accepted,
		delivery: ReceivedDelivery,
		keep: () => Promise<Answer>,
	): Promise<Answer | undefined>;
	/** The deliveries that came, in the order in which each came first. */
	report(): DeliveryAttempts[];
}

export interface Attempt {
	atMs: number;
	reply: ReplyStep;
	/** As it was sent. */
	webhookId: string;
	timestamp: string;
	signature: string;
}

export interface AttemptsOfDelivery {
	subscription: string;
	/** Its eventId, or its webhook-id where it is no occurrence. */
	id: string;
	attempts: Attempt[];
	/** How many more came than are kept. */
	more: number;
}

const MOST_DELIVERIES = 10_000;
const MOST_ATTEMPTS = 100;

/**
 * Takes up a script: its first step answers the first attempt of each delivery, and so on; the last one answers all
 * that follow. Only a delivery that is answered 2xx is stored. Handshakes are left alone, but for `wrong-challenge`.
 */
export function openReplies(
	steps: readonly ReplyStep[],
	{ sleep }: { sleep(ms: number): Promise<void> },
): Replies {
	const deliveries = new Map<string, AttemptsOfDelivery>();

	/** Counts an attempt. The delivery that came first is forgotten first. */
	function take(key: string, delivery: ReceivedDelivery): ReplyStep {
		const known = deliveries.get(key) ?? {
			subscription: delivery.subscription,
			id: idOf(delivery),
			attempts: [],
			more: 0,
		};
		deliveries.set(key, known);
		const [oldest] = deliveries.keys();
		if (deliveries.size > MOST_DELIVERIES && oldest !== undefined)
			deliveries.delete(oldest);
		const count = known.attempts.length + known.more;
		const reply = steps[Math.min(count, steps.length - 1)];
		if (!reply) throw new Error("a script has at least one step");
		if (known.attempts.length < MOST_ATTEMPTS)
			known.attempts.push(attemptOf(delivery, reply));
		else known.more++;
		return reply;
	}

	return {
		async answer(accepted, delivery, keep) {
			if (accepted.kind === "handshake") {
				const isWrong = steps.some(({ kind }) => kind === "wrong-challenge");
				const answer = await keep();
				return isWrong ? echoAnswer("not-the-challenge-that-was-sent") : answer;
			}
			const reply = take(accepted.key, delivery);
			if (reply.kind === "drop") return undefined;
			if (reply.kind === "slow") await sleep(reply.ms);
			if (reply.kind !== "status") return keep();
			const { status, location } = reply;
			if (status >= 300)
				return { status, ...(location ? { headers: { location } } : {}) };
			const answer = await keep();
			// What could not be stored must not be acknowledged, whatever the script says.
			return answer.status < 300 ? { status } : answer;
		},
		report: () => [...deliveries.values()].map(reportAttempts),
	};
}

const headerOf = ({ headers }: ReceivedDelivery, name: string) =>
	headerValues(headers, name).join(" ");

const idOf = (delivery: ReceivedDelivery) =>
	delivery.content.kind === "event"
		? delivery.content.occurrence.eventId
		: headerOf(delivery, WEBHOOK_HEADERS.id);

const attemptOf = (delivery: ReceivedDelivery, reply: ReplyStep): Attempt => ({
	atMs: delivery.receivedAtMs,
	reply,
	webhookId: headerOf(delivery, WEBHOOK_HEADERS.id),
	timestamp: headerOf(delivery, WEBHOOK_HEADERS.timestamp),
	signature: headerOf(delivery, WEBHOOK_HEADERS.signature),
});
