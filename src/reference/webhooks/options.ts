// What webhook delivery is told from outside, and what it does where it is told nothing.
import type { KeyObject } from "node:crypto";
import type { Callbacks, HandshakeManners } from "../callbacks/index.ts";
import type { Clock } from "../clock.ts";
import type { ErrorNumbers } from "../refusal.ts";
import type { SubscriptionRequest } from "../rpc/subscription.ts";
import type { EventArguments, SourceType } from "../source.ts";
import type { Store } from "./store.ts";

/** What an operator may choose; everything has a value of its own. */
export interface WebhookChoices {
	/** --retry-delays: the waits between the attempts for one event; each is lengthened by up to a fifth. */
	retryDelaysMs?: readonly number[] | undefined;
	/** --suspend-after: deliveries stop when nearly all attempts failed for so long… */
	suspendAfterMs?: number | undefined;
	/** …and were at least so many; 100 an hour by default. */
	suspendAfterAttempts?: number | undefined;
	/** --drop-after: a subscription without expiry ends when nothing was acknowledged for so long. */
	dropAfterMs?: number | undefined;
	/** Where the client names no time. */
	defaultTtlMs?: number | undefined;
	leastTtlMs?: number | undefined;
	/** The longest time with a store. */
	mostTtlMs?: number | undefined;
	/** The longest time without one: nobody is promised what a restart would break. */
	mostTtlWithoutStoreMs?: number | undefined;
	/** How long the secret before the last one still signs. */
	graceMs?: number | undefined;
	/** How often `mayHave` is asked again. */
	accessCheckMs?: number | undefined;
	maxSubscriptions?: number | undefined;
	maxSubscriptionsPerPrincipal?: number | undefined;
	/** POSTs at once for one subscription. */
	maxSendingPerSubscription?: number | undefined;
	/** POSTs at once for all. */
	maxSending?: number | undefined;
	/** `webhook-id` of an event: an id per message, or its eventId (dialects.md). */
	messageIds?: "message" | "event" | undefined;
	/** What unsubscribing from nothing is answered with (dialects.md). */
	unknownUnsubscribe?: "NotFound" | "empty" | undefined;
	/** False for a profile that sends neither `gap` nor `terminated`. */
	sendsEnvelopes?: boolean | undefined;
}

/** One POST as it is about to be sent: an attempt at an event, or an envelope. */
export interface OutgoingDelivery {
	kind: "event" | "gap" | "terminated";
	subscriptionId: string;
	url: string;
	/** Counts from 1. */
	attempt: number;
	/** Names in the form in which they are sent. */
	headers: Record<string, string>;
	body: string;
	/** Signs a text as an honest delivery is signed: the value of `webhook-signature`. */
	sign(id: string, timestampSeconds: number, body: string): string;
}

/** What an attempt came to. `refused`: this one event is not wanted (410) or too large (413), and is not sent again. */
export type AttemptEnd = "acknowledged" | "refused" | "failed";

/** Where a server that breaks a rule on purpose steps in. An honest one has none of these. */
export interface DeliveryManners {
	/** What is sent in place of a delivery; the last answer counts, and where nothing is sent, it is acknowledged. */
	outgoing?(
		delivery: OutgoingDelivery,
	): OutgoingDelivery[] | Promise<OutgoingDelivery[]>;
	/** How an answer is taken; `status` is undefined where none came. */
	judge?(
		end: AttemptEnd,
		status: number | undefined,
		delivery: OutgoingDelivery | undefined,
	): AttemptEnd;
	/** The `cursor` of an event's delivery, in place of the safe one. */
	cursor?(safe: string, own: string): string;
	/** For the challenges of new endpoints. */
	handshake?: HandshakeManners | undefined;
}

export interface WebhookOptions extends WebhookChoices {
	clock: Clock;
	/** For jitter: from 0 up to 1. */
	random(): number;
	/** A cryptographic source. */
	randomBytes(size: number): Buffer;
	/** For what the operator should know. */
	note(text: string): void;
	callbacks: Callbacks;
	/** What events/subscribe asks for beside its delivery, checked as for the other modes. Throws Refusal. */
	readRequest(
		params: Record<string, unknown>,
		principal: string,
	): Promise<SubscriptionRequest>;
	/** The event type of a name as it is offered now. */
	findType(name: string): SourceType | undefined;
	/** Numbers of the errors in `terminated` envelopes. */
	numbers: ErrorNumbers;
	/** Whether a principal may still have this event with these arguments. */
	mayHave(principal: string, name: string, args: EventArguments): boolean;
	/** At most so many subscriptions to this type, whoever's they are. */
	quotaOf?(name: string): number | undefined;
	/** Keeps what a restart must not lose, and is closed with the rest; without one nothing is kept. */
	store?: Store | undefined;
	/** --sign-ed25519: signs `v1a` beside `v1`. */
	signingKey?: KeyObject | undefined;
	manners?: DeliveryManners | undefined;
}

/** A file that one process at a time may use. */
export interface StorePlace {
	path: string;
	/** This process, for the lock. */
	owner: { pid: number; host: string; isAlive: (pid: number) => boolean };
}

const SUSPENDING_ATTEMPTS_PER_HOUR = 100;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Choices with nothing left open. */
export type WebhookSettings = {
	[K in keyof WebhookChoices]-?: Exclude<WebhookChoices[K], undefined>;
};

/** Five attempts in less than ten minutes, jitter and deadlines included (events.md 6). */
export function readChoices(choices: WebhookChoices): WebhookSettings {
	const suspendAfterMs = choices.suspendAfterMs ?? HOUR;
	const mostTtlMs = choices.mostTtlMs ?? 30 * DAY;
	const withoutStoreMs = choices.mostTtlWithoutStoreMs ?? HOUR;
	return {
		retryDelaysMs: choices.retryDelaysMs ?? [5_000, 30_000, 120_000, 300_000],
		suspendAfterMs,
		suspendAfterAttempts:
			choices.suspendAfterAttempts ?? leastAttempts(suspendAfterMs),
		dropAfterMs: choices.dropAfterMs ?? 7 * DAY,
		defaultTtlMs: choices.defaultTtlMs ?? HOUR,
		leastTtlMs: choices.leastTtlMs ?? Math.min(MINUTE, mostTtlMs),
		mostTtlMs,
		mostTtlWithoutStoreMs: Math.min(withoutStoreMs, mostTtlMs),
		graceMs: choices.graceMs ?? 10 * MINUTE,
		accessCheckMs: choices.accessCheckMs ?? MINUTE,
		maxSubscriptions: choices.maxSubscriptions ?? 10_000,
		maxSubscriptionsPerPrincipal: choices.maxSubscriptionsPerPrincipal ?? 2_000,
		maxSendingPerSubscription: choices.maxSendingPerSubscription ?? 4,
		maxSending: choices.maxSending ?? 256,
		messageIds: choices.messageIds ?? "message",
		unknownUnsubscribe: choices.unknownUnsubscribe ?? "NotFound",
		sendsEnvelopes: choices.sendsEnvelopes ?? true,
	};
}

/** One failed attempt is no pattern, however short the time. */
function leastAttempts(windowMs: number): number {
	const hours = Math.min(1, windowMs / HOUR);
	return Math.max(3, Math.ceil(hours * SUSPENDING_ATTEMPTS_PER_HOUR));
}
