// The last steps of a delivery: handshake, duplicate, durable append, answer.
import { type Answer, refusalAnswer } from "./answer.ts";
import type { Notice, ReceivedDelivery } from "./delivery.ts";
import type { Accepted } from "./judge.ts";
import type { Seen } from "./seen.ts";

/**
 * Keeps a delivery. It is acknowledged when this resolves, with the status that it names or with 204; where it
 * rejects, the sender is told to try again.
 */
export type Accept = (
	delivery: ReceivedDelivery,
) => Promise<{ status?: number } | undefined>;

export interface KeeperOptions {
	accept: Accept;
	tell: (notice: Notice) => void;
	seen: Seen;
}

/** Makes the function that keeps what was judged good, once, and gives the answer. */
export function makeKeeper(options: KeeperOptions) {
	const { tell, seen } = options;
	const underWay = new Map<string, Promise<Answer>>();

	return async (
		accepted: Accepted,
		delivery: ReceivedDelivery,
	): Promise<Answer> => {
		if (accepted.kind === "handshake")
			return shakeHands(accepted, delivery, options);
		const { key } = accepted;
		// A repetition may overtake the first one's way to the disk, and must not be acknowledged before it.
		for (let first = underWay.get(key); first; first = underWay.get(key)) {
			const answer = await first;
			if (isGood(answer)) return repeat(delivery, answer.status, tell);
		}
		const status = seen.statusOf(key);
		if (status !== undefined) return repeat(delivery, status, tell);
		const kept = keepOnce(key, delivery, options);
		underWay.set(key, kept);
		try {
			return await kept;
		} finally {
			underWay.delete(key);
		}
	};
}

function repeat(
	delivery: ReceivedDelivery,
	status: number,
	tell: KeeperOptions["tell"],
): Answer {
	tell({ kind: "duplicate", delivery });
	return { status };
}

async function keepOnce(
	key: string,
	delivery: ReceivedDelivery,
	options: KeeperOptions,
): Promise<Answer> {
	const answer = await accept(delivery, options);
	// What was not acknowledged will be sent again, and must be handled again.
	if (isGood(answer)) options.seen.add(key, answer.status);
	return answer;
}

async function accept(
	delivery: ReceivedDelivery,
	{ accept, tell }: KeeperOptions,
): Promise<Answer> {
	try {
		const said = await accept(delivery);
		return said?.status === undefined
			? delivery.answer
			: { status: said.status };
	} catch (error) {
		const fault = error instanceof Error ? error : new Error(String(error));
		tell({ kind: "not-stored", delivery, fault });
		return refusalAnswer("not-stored");
	}
}

/** Echoed even if the store fails: the subscribe call would fail with anything else, and nothing is lost by it. */
async function shakeHands(
	{ registration, subscriptionId, route }: Accepted,
	delivery: ReceivedDelivery,
	options: KeeperOptions,
): Promise<Answer> {
	const isUnbound = registration.subscriptionId === undefined;
	if (route.expects === "events" && isUnbound && subscriptionId !== undefined) {
		registration.subscriptionId = subscriptionId;
		const subscription = registration.label;
		options.tell({ kind: "bound", subscription, subscriptionId });
	}
	await accept(delivery, options);
	return delivery.answer;
}

const isGood = ({ status }: Answer) => status >= 200 && status < 300;
