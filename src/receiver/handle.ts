// Takes one request from its head to its answer: read, judged, and kept if it is good.
import type { IncomingMessage } from "node:http";
import { type Answer, echoAnswer, refusalAnswer, STORED } from "./answer.ts";
import type { ReceivedDelivery, RefusedDelivery } from "./delivery.ts";
import {
	type Accepted,
	judgeDelivery,
	judgeHead,
	type RequestHead,
} from "./judge.ts";
import { type KeeperOptions, makeKeeper } from "./keep.ts";
import type { ReceiverLimits } from "./limits.ts";
import { discardRest, readArrived } from "./read-bytes.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { Replies } from "./replies.ts";
import type { Route } from "./route.ts";
import { makeTurnEnd } from "./turn.ts";

export interface HandlerOptions extends KeeperOptions {
	routes: ReadonlyMap<string, Route>;
	limits: ReceiverLimits;
	now: () => number;
	toleranceSeconds: number | undefined;
	replies: Replies | undefined;
}

/** Makes the function that answers one request; it gives undefined where the sender has gone, or is to get no answer. */
export function makeHandler(options: HandlerOptions) {
	const { routes, limits, now, tell, toleranceSeconds, replies } = options;
	const keep = makeKeeper(options);
	const turnEnd = makeTurnEnd();
	let inProgress = 0;

	function answerRefused(come: Come, refusal: Refusal): Answer {
		const refused = toRefused(come, refusal);
		tell({ kind: "refused", refused });
		return refused.answer;
	}

	/** Answers without having read the body, which is let run off. */
	function answerUnread(
		request: IncomingMessage,
		head: RequestHead,
		refusal: Refusal,
	): Answer {
		discardRest(request);
		const come = { head, body: Buffer.alloc(0), nowMs: now() };
		return answerRefused(come, refusal);
	}

	function answerRead(
		come: Come,
		route: Route,
	): Answer | Promise<Answer | undefined> {
		const { nowMs, body } = come;
		const { headers } = come.head;
		const judgement = judgeDelivery({
			headers,
			body,
			route,
			nowMs,
			toleranceSeconds,
		});
		if (judgement.kind === "refused") return answerRefused(come, judgement);
		const delivery = toDelivery(come, judgement);
		return replies
			? replies.answer(judgement, delivery, () => keep(judgement, delivery))
			: keep(judgement, delivery);
	}

	return async (
		request: IncomingMessage,
		head: RequestHead,
	): Promise<Answer | undefined> => {
		const judged = judgeHead(head, { routes, limitBytes: limits.bodyBytes });
		if (judged.kind === "refused") return answerUnread(request, head, judged);
		const { route } = judged;
		if (inProgress >= limits.requests) {
			const why = `${inProgress} requests are in progress`;
			return answerUnread(request, head, refuse("busy", why, { route }));
		}
		inProgress++;
		try {
			await turnEnd();
			const body = await readArrived(request, limits.bodyBytes);
			if (body === "gone") return undefined;
			if (body !== "too-large")
				return await answerRead({ head, body, nowMs: now() }, route);
			const why = `more than ${limits.bodyBytes} bytes came`;
			return answerUnread(request, head, refuse("too-large", why, { route }));
		} finally {
			inProgress--;
		}
	};
}

/** A request that has come in whole, or as far as we let it. */
interface Come {
	head: RequestHead;
	body: Buffer;
	nowMs: number;
}

function toRefused(
	{ head, body, nowMs }: Come,
	refusal: Refusal,
): RefusedDelivery {
	const { reason, why, verdict, route } = refusal;
	return {
		receivedAtMs: nowMs,
		method: head.method,
		path: head.target,
		headers: head.headers,
		body,
		verdict: verdict && verdict.kind !== "valid" ? verdict : { kind: reason },
		reason,
		why,
		answer: refusalAnswer(reason),
		candidates: route?.registrations.map(({ label }) => label) ?? [],
	};
}

function toDelivery(
	{ head, body, nowMs }: Come,
	accepted: Accepted,
): ReceivedDelivery {
	const { content, verdict, subscriptionId, registration, notes } = accepted;
	const isHandshake = content.kind === "verification";
	return {
		receivedAtMs: nowMs,
		method: head.method,
		path: head.target,
		headers: head.headers,
		body,
		subscription: registration.label,
		subscriptionId,
		content,
		verdict,
		answer: isHandshake ? echoAnswer(content.challenge) : STORED,
		notes,
	};
}
