// Takes one request from its head to its answer: judged, told from a repetition, stored, answered.
import type { IncomingMessage } from "node:http";
import type { HeaderPair } from "../protocol/index.ts";
import {
	type Answer,
	echoAnswer,
	type RefusalReason,
	refusalAnswer,
	STORED,
} from "./answer.ts";
import type { Notice, ReceivedDelivery, RefusedDelivery } from "./delivery.ts";
import { type Accepted, judgeDelivery, judgeHead } from "./judge.ts";
import type { ReceiverLimits } from "./limits.ts";
import { discardRest, readBytes } from "./read-bytes.ts";
import type { Refusal } from "./refusal.ts";
import type { Route } from "./route.ts";
import type { Seen } from "./seen.ts";

/**
 * Keeps a delivery. It is acknowledged when this resolves, with the status that it names or with 204; where it
 * rejects, the sender is told to try again.
 */
export type Accept = (
	delivery: ReceivedDelivery,
) => Promise<{ status?: number } | undefined>;

export interface HandlerOptions {
	routes: ReadonlyMap<string, Route>;
	limits: ReceiverLimits;
	now: () => number;
	accept: Accept;
	tell: (notice: Notice) => void;
	seen: Seen;
	toleranceSeconds: number | undefined;
}

/** Makes the function that answers one request; it gives undefined where the sender has gone. It never throws. */
export function makeHandler(options: HandlerOptions) {
	const { routes, limits, now, tell } = options;
	const store = makeStore(options);
	let inProgress = 0;

	async function handle(
		request: IncomingMessage,
		head: Head,
	): Promise<Answer | undefined> {
		const judged = judgeHead(head, { routes, limitBytes: limits.bodyBytes });
		const early = (refusal: Pick<Refusal, "reason" | "why" | "route">) => {
			discardRest(request);
			return refuse(head, Buffer.alloc(0), {
				kind: "refused",
				verdict: undefined,
				...refusal,
			});
		};
		if (judged.kind === "refused") return early(judged);
		const { route } = judged;
		if (inProgress > limits.requests)
			return early({
				reason: "busy",
				why: `${inProgress} requests are in progress`,
				route,
			});
		const body = await readBytes(request, limits.bodyBytes);
		if (body === "gone") return undefined;
		if (body === "too-large")
			return early({
				reason: "too-large",
				why: `more than ${limits.bodyBytes} bytes came`,
				route,
			});
		const { toleranceSeconds } = options;
		const judgement = judgeDelivery({
			headers: head.headers,
			body,
			route,
			nowMs: now(),
			toleranceSeconds,
		});
		if (judgement.kind === "refused") return refuse(head, body, judgement);
		return store(judgement, toDelivery(head, body, judgement));
	}

	function refuse(head: Head, body: Buffer, refusal: Refusal): Answer {
		const { reason, why, verdict, route } = refusal;
		const answer = refusalAnswer(reason);
		const refused: RefusedDelivery = {
			...request(head, body),
			verdict: verdict && verdict.kind !== "valid" ? verdict : { kind: reason },
			reason,
			why,
			answer,
			candidates: route?.registrations.map(({ label }) => label) ?? [],
		};
		tell({ kind: "refused", refused });
		return answer;
	}

	const request = ({ method, target, headers }: Head, body: Buffer) => ({
		receivedAtMs: now(),
		method,
		path: target,
		headers,
		body,
	});

	function toDelivery(
		head: Head,
		body: Buffer,
		accepted: Accepted,
	): ReceivedDelivery {
		const { content, verdict, subscriptionId, registration, notes } = accepted;
		const answer =
			content.kind === "verification" ? echoAnswer(content.challenge) : STORED;
		const subscription = registration.label;
		return {
			...request(head, body),
			subscription,
			subscriptionId,
			content,
			verdict,
			answer,
			notes,
		};
	}

	return async (request: IncomingMessage, head: Head) => {
		inProgress++;
		try {
			return await handle(request, head);
		} finally {
			inProgress--;
		}
	};
}

interface Head {
	method: string;
	target: string;
	headers: readonly HeaderPair[];
}

/** The last steps: handshake, duplicate, durable append, answer. */
function makeStore({ accept, tell, seen }: HandlerOptions) {
	const underWay = new Map<string, Promise<Answer>>();

	return async (
		accepted: Accepted,
		delivery: ReceivedDelivery,
	): Promise<Answer> => {
		if (accepted.kind === "handshake") return shakeHands(accepted, delivery);
		const { key } = accepted;
		// A repetition may overtake the first one's way to the disk, and must not be acknowledged before it.
		for (let first = underWay.get(key); first; first = underWay.get(key)) {
			const answer = await first;
			if (isGood(answer)) return repeat(delivery, answer.status);
		}
		const status = seen.statusOf(key);
		if (status !== undefined) return repeat(delivery, status);
		const kept = keep(accepted, delivery);
		underWay.set(key, kept);
		try {
			return await kept;
		} finally {
			underWay.delete(key);
		}
	};

	function repeat(delivery: ReceivedDelivery, status: number): Answer {
		tell({ kind: "duplicate", delivery });
		return { status };
	}

	async function keep(
		{ key }: Accepted,
		delivery: ReceivedDelivery,
	): Promise<Answer> {
		const answer = await acceptOr503(delivery);
		// What was not acknowledged will be sent again, and must be handled again.
		if (isGood(answer)) seen.add(key, answer.status);
		return answer;
	}

	async function acceptOr503(delivery: ReceivedDelivery): Promise<Answer> {
		try {
			const said = await accept(delivery);
			return said?.status === undefined
				? delivery.answer
				: { status: said.status };
		} catch (error) {
			const fault = error instanceof Error ? error : new Error(String(error));
			tell({ kind: "not-stored", delivery, fault });
			return refusalAnswer("not-stored" satisfies RefusalReason);
		}
	}

	/** Echoed even if the store fails: the subscribe call would fail with anything else, and nothing is lost by it. */
	async function shakeHands(
		accepted: Accepted,
		delivery: ReceivedDelivery,
	): Promise<Answer> {
		const { registration, subscriptionId, route } = accepted;
		if (
			route.expects === "events" &&
			registration.subscriptionId === undefined &&
			subscriptionId !== undefined
		) {
			registration.subscriptionId = subscriptionId;
			tell({ kind: "bound", subscription: registration.label, subscriptionId });
		}
		await acceptOr503(delivery);
		return delivery.answer;
	}
}

const isGood = ({ status }: Answer) => status >= 200 && status < 300;
