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

	/** To be called where no other of its key is under way. */
	function keepAlone(key: string, delivery: ReceivedDelivery): Promise<Answer> {
		const status = seen.statusOf(key);
		if (status !== undefined)
			return Promise.resolve(repeat(delivery, status, tell));
		const kept = keepOnce(key, delivery);
		underWay.set(key, kept);
		return kept;
	}

	async function keepOnce(
		key: string,
		delivery: ReceivedDelivery,
	): Promise<Answer> {
		try {
			const answer = await accept(delivery, options);
			// What was not acknowledged will be sent again, and must be handled again.
			if (isGood(answer)) seen.add(key, answer.status);
			return answer;
		} finally {
			underWay.delete(key);
		}
	}

	/** A repetition may overtake the first one's way to the disk, and must not be acknowledged before it. */
	async function keepAfterFirst(
		key: string,
		delivery: ReceivedDelivery,
	): Promise<Answer> {
		for (let first = underWay.get(key); first; first = underWay.get(key)) {
			const answer = await first;
			if (isGood(answer)) return repeat(delivery, answer.status, tell);
		}
		return keepAlone(key, delivery);
	}

	return (accepted: Accepted, delivery: ReceivedDelivery): Promise<Answer> => {
		if (accepted.kind === "handshake")
			return shakeHands(accepted, delivery, options);
		const { key } = accepted;
		return underWay.has(key)
			? keepAfterFirst(key, delivery)
			: keepAlone(key, delivery);
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
