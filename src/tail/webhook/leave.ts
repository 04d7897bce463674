// The end of webhook subscriptions: the server is told, more than once if need be, but nobody waits for it for long.
import { Fault } from "../../faults/index.ts";
import {
	type Session,
	serverWords,
	unsubscribeWebhook,
} from "../../session/index.ts";
import type { Pieces } from "../follow.ts";
import { pause } from "../wait.ts";
import type { WebhookFollow, WebhookPieces } from "./webhook-follow.ts";
import { remember } from "./webhook-follow.ts";

/** All clean-up of the program ends within five seconds; the rest of them is for what comes after this. */
const LEAVE_MS = 3_500;
const TRY_MS = 1_500;
const PAUSE_MS = 200;

/** Unsubscribes all of them, side by side. What could not be is told, with the way to do it later. Never throws. */
export async function leaveSubscriptions(
	session: Session,
	follows: readonly WebhookFollow[],
	pieces: WebhookPieces,
): Promise<void> {
	const late = new AbortController();
	const done = new AbortController();
	const limit = pause(LEAVE_MS, { ...only(pieces), signal: done.signal }).then(
		() => late.abort(),
	);
	const own = { ...only(pieces), signal: late.signal };
	await Promise.all(
		follows.map(async (follow) => {
			const fault = await leave(session, follow, own);
			if (fault === undefined) {
				await remember(follow.memory.saveEnd(), follow);
				return;
			}
			pieces.warn(
				`${follow.subscription.label}: could not be unsubscribed (${fault}); to do it later: mcp-events subscriptions prune ${serverWords(session.server)}`,
			);
		}),
	);
	done.abort();
	await limit;
}

const only = ({ sleep }: Pick<Pieces, "sleep">) => ({
	sleep: (ms: number, signal: AbortSignal) => sleep(ms, signal),
});

/** Why it could not be unsubscribed; undefined where it was. */
async function leave(
	session: Session,
	{ subscription, url }: WebhookFollow,
	pieces: Pick<Pieces, "sleep" | "signal">,
): Promise<string | undefined> {
	const { name, arguments: args } = subscription;
	const key = { name, arguments: args, url };
	let why = "there was no time";
	while (!pieces.signal.aborted) {
		try {
			const { signal } = pieces;
			await unsubscribeWebhook(session, key, { signal, timeoutMs: TRY_MS });
			return undefined;
		} catch (error) {
			if (!pieces.signal.aborted)
				why = error instanceof Error ? error.message : String(error);
			if (!(error instanceof Fault) || !error.isTransient) return why;
			await pause(PAUSE_MS, pieces);
		}
	}
	return why;
}
