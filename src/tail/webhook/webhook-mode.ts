// One subscription of a tail by webhook: a webhook tail of its own, read as one of the loops between which a tail changes.
import { Fault, type FaultCode } from "../../faults/index.ts";
import type { Session } from "../../session/index.ts";
import {
	about,
	type Ended,
	type Follow,
	gap,
	type Loop,
	OVER,
	type Pieces,
} from "../follow.ts";
import type { Item, Subscription } from "../item.ts";
import { isShutOut } from "../retry.ts";
import { hear } from "../silence.ts";
import { openAbort } from "../wait.ts";
import type { Intake } from "./intake.ts";
import type { OwnSecret } from "./rotation.ts";
import {
	type Address,
	openWebhookTail,
	type WebhookSubscription,
} from "./webhook.ts";

/** A receiver that the subscriptions of a tail share. */
export interface WebhookHub {
	/** Registers a subscription and says where it is received. Throws a fault. */
	prepare(subscription: Subscription): Promise<PreparedWebhook>;
	newSecret(): OwnSecret;
	/** Aborted, with the fault, once nothing can be received any more. */
	lost: AbortSignal;
}

export interface PreparedWebhook {
	subscription: WebhookSubscription;
	address: Address;
	/** From now on its deliveries go there. */
	join(intake: Intake): void;
	/** Its path is no longer one of ours. Never throws. */
	close(): Promise<void>;
}

/** What is remembered from one batch to the next. */
interface Course {
	cursor: string | undefined;
	fault: Fault | undefined;
	/** Whether the server has granted it. */
	isLive: boolean;
}

/** Receives until it is stopped, refused or terminated; see `Loop`. */
export async function* webhookEvents(
	session: Session,
	follow: Follow,
	{ pieces, hub }: { pieces: Pieces; hub: WebhookHub },
): Loop {
	const stop = openAbort(pieces.signal);
	hub.lost.addEventListener("abort", stop.abort, { once: true });
	const { cursor } = follow.position;
	const course: Course = { cursor, fault: undefined, isLive: false };
	let prepared: PreparedWebhook | undefined;
	try {
		hub.lost.throwIfAborted();
		prepared = await hub.prepare(follow.subscription);
		const { subscription, address } = prepared;
		// The receiver has a cursor of its own where the tail has none.
		if (subscription.cursor !== undefined) follow.isUnanchored = false;
		const { retry, canLeave, maxAgeMs } = follow;
		const options = {
			subscriptions: [
				{ ...subscription, cursor: cursor ?? subscription.cursor },
			],
			address,
			maxAgeMs,
			// Another way is better than a long wait for this one.
			retry: canLeave ? { ...retry, connectTries: 1 } : retry,
			newSecret: () => hub.newSecret(),
			closeReceiver: async () => {},
		};
		const own = { ...pieces, signal: stop.signal };
		const tail = openWebhookTail(session, options, own);
		prepared.join(tail.intake);
		for await (const batch of tail) {
			const items = batch.flatMap((item) =>
				readItem(item, { follow, course, pieces }),
			);
			// What comes before the first grant is about a way that may not be taken.
			const isTold = course.isLive || !canLeave || items.some(isEvent);
			yield { items: isTold ? items : [], cursor: course.cursor };
		}
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		course.fault = error;
	} finally {
		hub.lost.removeEventListener("abort", stop.abort);
		stop.close();
		await prepared?.close();
	}
	const { reason } = hub.lost;
	if (hub.lost.aborted && reason instanceof Fault) course.fault ??= reason;
	return pieces.signal.aborted ? OVER : endedBy(course, follow);
}

const isEvent = ({ kind }: Item) => kind === "event";

/** As the tail has it: repetitions gone, and without its end, which is the tail's to tell. */
function readItem(
	item: Item,
	{
		follow,
		course,
		pieces,
	}: { follow: Follow; course: Course; pieces: Pick<Pieces, "now"> },
): Item[] {
	switch (item.kind) {
		case "stopped":
			course.fault = item.fault;
			course.cursor = item.cursor ?? course.cursor;
			return [];
		case "event": {
			// The watermark of the delivery: all before it has come to us.
			course.cursor = item.occurrence.cursor ?? course.cursor;
			const lost = lossBefore(course.cursor, { follow, pieces });
			hear(follow, pieces.now());
			const isNew = follow.seen.isNew(item.occurrence.eventId);
			return isNew ? [...lost, item] : lost;
		}
		case "ready": {
			const lost = lossBefore(item.cursor, { follow, pieces });
			hear(follow, pieces.now());
			const first = !follow.wasReady;
			follow.wasReady = true;
			follow.downAs = undefined;
			course.isLive = true;
			course.cursor = item.cursor ?? course.cursor;
			return [{ ...item, first }, ...lost];
		}
		case "gap": {
			course.cursor = item.cursor ?? course.cursor;
			return [{ ...item, since: follow.life.signAt }];
		}
		default:
			return [item];
	}
}

/** What an earlier run without a cursor has left to tell, once; to be asked before anything is heard. */
function lossBefore(
	cursor: string | undefined,
	{ follow, pieces }: { follow: Follow; pieces: Pick<Pieces, "now"> },
): Item[] {
	if (!follow.isUnanchored) return [];
	follow.isUnanchored = false;
	const head = about(follow, pieces.now());
	return [gap("no-cursor", cursor, { follow, head })];
}

/** Faults that are about the event, whichever way it travels. */
const FINAL: ReadonlySet<FaultCode> = new Set([
	"event-unknown",
	"terminated",
	"taken-over",
]);

function endedBy({ fault, isLive }: Course, { canLeave }: Follow): Ended {
	if (!fault) return OVER;
	// Whoever is nobody to the server is forbidden webhooks, and may have the event another way (events.md 6).
	const isFinal = FINAL.has(fault.code) || (isLive && isShutOut(fault));
	return canLeave && !isFinal
		? { kind: "unfit", fault }
		: { kind: "over", fault };
}
