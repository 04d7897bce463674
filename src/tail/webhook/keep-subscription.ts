// Keeps one webhook subscription alive: subscribes, refreshes, rotates the secret, follows the callback where it moves,
// and subscribes anew what the server ended or lost (events.md 6, 7).
import { Fault } from "../../faults/index.ts";
import type { WebhookGrant } from "../../protocol/index.ts";
import { type Session, subscribeWebhook } from "../../session/index.ts";
import { afterFault, answerCall } from "./after-webhook.ts";
import { grantItems } from "./grant-items.ts";
import { refreshDelayMs } from "./refresh-plan.ts";
import {
	type Call,
	type Course,
	type Ended,
	type Keeping,
	remember,
	type Step,
	type WebhookFollow,
	type WebhookShared,
} from "./webhook-follow.ts";

/** A subscription that lived this long was no failure. */
const ALIVE_MS = 60_000;

/** Runs until the signal aborts or the subscription cannot be had; returns the fault that ended it. */
export async function keepSubscription(
	session: Session,
	follow: WebhookFollow,
	shared: WebhookShared,
): Promise<Ended> {
	const course: Course = {
		hasWorked: false,
		// What an earlier run has left may still send.
		isLive: follow.registration.subscriptionId !== undefined,
		failures: 0,
		broken: 0,
		rejected: undefined,
		isNews: true,
	};
	const keeping = { session, follow, shared, course };
	const { signal } = shared.pieces;
	while (!signal.aborted) {
		const before = follow.cursorsCome;
		const answer = await subscribe(keeping);
		if (answer === undefined) return undefined;
		let step =
			answer instanceof Fault
				? await afterFault(answer, keeping)
				: await afterGrant(answer, before, keeping);
		while (step.kind === "wait") {
			const call = await follow.bell.wait(step.delayMs, shared.pieces);
			step = call ? await answerCall(call, keeping) : { kind: "again" };
		}
		if (step.kind === "stop") return step.fault;
	}
	return undefined;
}

async function subscribe({
	session,
	follow,
	shared,
	course,
}: Keeping): Promise<WebhookGrant | Fault | undefined> {
	const { subscription, position, rotation, memory, url } = follow;
	const { pieces, maxAgeMs, ttlMs } = shared;
	try {
		await remember(rotation.begin(pieces.now()), follow);
		await remember(memory.saveUrl(url), follow);
		follow.mayExist = true;
		return await subscribeWebhook(
			session,
			{
				name: subscription.name,
				arguments: subscription.arguments,
				cursor: course.rejected ? undefined : position.cursor,
				maxAgeMs,
				ttlMs,
				url,
				secret: rotation.reveal(),
			},
			{ signal: pieces.signal, odd: follow.odd },
		);
	} catch (error) {
		// Aborted requests throw the signal's reason.
		if (pieces.signal.aborted) return undefined;
		if (error instanceof Fault) return error;
		throw error;
	}
}

/** Tells what a grant says, then waits until there is something to do. */
async function afterGrant(
	grant: WebhookGrant,
	cursorsBefore: number,
	keeping: Keeping,
): Promise<Step> {
	const { follow, shared, course } = keeping;
	const { pieces, outbox } = shared;
	const grantedAt = pieces.now();
	bind(grant, follow);
	follow.rotation.settle(grantedAt);
	const items = grantItems(grant, keeping);
	// Before anybody is told that events flow: a crash from then on must know where they began.
	await remember(follow.memory.saveGrant(grant), follow);
	// What was delivered during the call has the newer cursor, though the answer comes after it.
	const isOlder = follow.cursorsCome > cursorsBefore;
	const cursor = isOlder ? undefined : grant.cursor;
	outbox.put({ items, follow, cursor });
	course.hasWorked = true;
	course.isLive = true;
	course.broken = 0;
	course.rejected = undefined;
	course.isNews = false;
	const call = await nextCall(grant, grantedAt, keeping);
	if (pieces.now() - grantedAt >= ALIVE_MS || !call) course.failures = 0;
	return call ? answerCall(call, keeping) : { kind: "again" };
}

/** The id may have been bound by the handshake already; what the answer says counts. */
function bind(grant: WebhookGrant, follow: WebhookFollow): void {
	const { registration, position } = follow;
	const bound = registration.subscriptionId;
	if (bound !== undefined && bound !== grant.id)
		follow.odd(
			"the id in the answer to events/subscribe is not the one that deliveries had so far",
		);
	registration.subscriptionId = grant.id;
	if (grant.cursor !== undefined) position.isServed = true;
}

/** Waits for a call, up to the time of the next refresh or of the next secret. */
async function nextCall(
	grant: WebhookGrant,
	grantedAt: number,
	{ follow, shared }: Keeping,
): Promise<Call | undefined> {
	const { pieces } = shared;
	const { rotation, bell } = follow;
	const delayMs = refreshDelayMs(grant.refreshBefore, grantedAt, pieces.random);
	const refreshAt = grantedAt + delayMs;
	for (;;) {
		const now = pieces.now();
		await remember(rotation.expire(now), follow);
		if (now >= refreshAt || rotation.isDue(now)) return undefined;
		const waitMs = Math.min(refreshAt - now, rotation.waitMs(now));
		const call = await bell.wait(waitMs, pieces);
		if (call || pieces.signal.aborted) return call;
		// Its time is over, though the clock may have been set back meanwhile.
		if (waitMs === refreshAt - now) return undefined;
	}
}
