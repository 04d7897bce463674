// What a tail may be told.
import type { CheckArguments } from "./catalogue.ts";
import type { FollowMemory, Mode } from "./follow.ts";
import type { Subscription } from "./item.ts";
import type { RetryOptions } from "./retry.ts";
import type { WebhookHub } from "./webhook/webhook-mode.ts";

export interface TailOptions {
	subscriptions: {
		subscription: Subscription;
		via: Mode;
		/** All that will do, best first, `via` among them; absent: `via` alone. */
		modes?: readonly Mode[] | undefined;
		/** Where this one goes on, in place of `cursor` below and of what its memory says. */
		cursor?: string | undefined;
		memory?: FollowMemory | undefined;
	}[];
	/** Where to go on; absent: from now. */
	cursor?: string | undefined;
	maxAgeMs?: number | undefined;
	maxEvents?: number | undefined;
	/** The shortest wait between two polls. */
	intervalFloorMs?: number | undefined;
	/** Poll until the server has no more, then end. */
	once?: boolean | undefined;
	/** End after so many events in total. */
	count?: number | undefined;
	/** The longest wait between two polls, whatever the server says. */
	intervalCeilingMs?: number | undefined;
	/** How many answers are asked for in a row before a wait. */
	maxPages?: number | undefined;
	/** How long a stream, or the answer to a poll, may be waited for before it is taken for dead. */
	staleAfterMs?: number | undefined;
	/** How long nothing may be heard before a subscription is given up. */
	giveUpAfterMs?: number | undefined;
	/** How often it is told what came last. */
	statusEveryMs?: number | undefined;
	/** How often the catalogue is read where the server tells of no changes; absent: it is not watched. */
	listEveryMs?: number | undefined;
	/** What receives webhooks; absent: nothing does. */
	hub?: WebhookHub | undefined;
	/** Asked before a type is subscribed to again that may have changed. */
	checkArguments?: CheckArguments | undefined;
	/** How many event ids each subscription remembers; 0 = repetitions are passed on; absent: see `defaultWindow`. */
	dedupWindow?: number | undefined;
	/** Whether heartbeats are yielded. */
	heartbeats?: boolean | undefined;
	retry?: Partial<RetryOptions> | undefined;
}
