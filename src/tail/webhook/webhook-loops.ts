// What runs beside the consumer of a webhook tail: one loop for each subscription, and one for the address.
import type { Fault } from "../../faults/index.ts";
import { RETRY_DEFAULTS } from "../retry.ts";
import { keepSubscription } from "./keep-subscription.ts";
import type { Address, Parts } from "./webhook.ts";
import {
	aboutWebhook,
	callbackUrl,
	type Ended,
	type WebhookFollow,
	type WebhookPieces,
	type WebhookShared,
} from "./webhook-follow.ts";

export interface Running {
	open: Set<WebhookFollow>;
	faults: Map<WebhookFollow, Fault>;
	/** What was thrown and is no fault. */
	defects: unknown[];
	/** All loops have ended. Never rejects. */
	ended: Promise<void>;
}

/** Starts the loops; what waits from an earlier run goes first. */
export function startLoops(
	{ session, options, outbox, follows }: Parts,
	pieces: WebhookPieces,
): Running {
	const shared: WebhookShared = {
		outbox,
		pieces,
		retry: { ...RETRY_DEFAULTS, ...options.retry },
		maxAgeMs: options.maxAgeMs,
		ttlMs: options.ttlMs,
		callbackTries: options.address.changes ? NEW_NAME_TRIES : 1,
	};
	const open = new Set(follows);
	const faults = new Map<WebhookFollow, Fault>();
	const defects: unknown[] = [];
	const run = async (follow: WebhookFollow) => {
		try {
			const fault = session
				? await keepSubscription(session, follow, shared)
				: await receiveOnly(follow, shared);
			if (fault) faults.set(follow, fault);
		} catch (error) {
			defects.push(error);
			open.clear();
		}
		open.delete(follow);
		// So that the consumer looks up.
		outbox.put({ items: [], follow });
	};
	for (const [at, follow] of follows.entries())
		for (const { item, capture } of options.subscriptions[at]?.backlog ?? [])
			outbox.put({ items: [item], follow, capture });
	void followAddress(options.address, follows, pieces);
	const ended = Promise.all(follows.map(run)).then(() => {});
	return { open, faults, defects, ended };
}

/** There is no server to subscribe at: whoever knows the secret may send. */
async function receiveOnly(
	follow: WebhookFollow,
	{ outbox, pieces }: WebhookShared,
): Promise<Ended> {
	const head = aboutWebhook(follow, pieces.now());
	const { url } = follow;
	const ready = { ...head, kind: "ready", cursor: undefined, url } as const;
	outbox.put({ items: [{ ...ready, first: true }], follow });
	while (!pieces.signal.aborted) {
		const call = await follow.bell.wait(A_LONG_TIME_MS, pieces);
		if (call?.kind !== "moved") continue;
		follow.url = call.url;
		const why = `it is received at ${call.url} now`;
		const about = aboutWebhook(follow, pieces.now());
		outbox.put({ items: [{ ...about, kind: "mode", why }], follow });
	}
	return undefined;
}

/** A name that was made just now, as a tunnel's is, may not be known to the server's resolver yet. */
const NEW_NAME_TRIES = 5;
const A_LONG_TIME_MS = 24 * 60 * 60_000;

async function followAddress(
	{ changes }: Address,
	follows: readonly WebhookFollow[],
	pieces: WebhookPieces,
): Promise<void> {
	const iterator = changes?.[Symbol.asyncIterator]();
	if (!iterator) return;
	const end = () => void iterator.return?.();
	pieces.signal.addEventListener("abort", end, { once: true });
	try {
		for (;;) {
			const { done, value } = await iterator.next();
			if (done || pieces.signal.aborted) return;
			for (const { bell, path } of follows)
				bell.ring({ kind: "moved", url: callbackUrl(value, path) });
		}
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		pieces.warn(`the public address is no longer watched: ${why}`);
	}
}
