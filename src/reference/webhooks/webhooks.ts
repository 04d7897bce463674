// What the rest of the server knows of webhook delivery: the two methods, and the levers of controls and catalogue.
import type { CallbackReason } from "../../protocol/index.ts";
import type { Refusal } from "../refusal.ts";

export interface WebhookCaller {
	/** Undefined: nobody was authenticated, and both methods are Forbidden. */
	principal: string | undefined;
}

/** Members of the answer to events/subscribe (events.md 6). */
export interface SubscribeResult {
	id: string;
	/** ISO 8601; null: it never expires. */
	refreshBefore: string | null;
	/** The safe watermark: all up to it is acknowledged or given up. */
	cursor: string | null;
	truncated: boolean;
	/** On a refresh alone. */
	deliveryStatus?: DeliveryStatusMember;
}

export interface DeliveryStatusMember {
	/** False: it had been suspended until this very refresh. */
	active: boolean;
	/** When something was last acknowledged. */
	lastDeliveryAt: string | null;
	/** Null where nothing that failed is still to be delivered. */
	lastError: CallbackReason | null;
	/** Since when nothing at all was acknowledged, where the last attempt failed. */
	failedSince?: string;
}

export type SubscriptionState = "active" | "suspended" | "absent";

/** What is going on now; for tests and for whoever measures. */
export interface WebhookActivity {
	subscriptions: number;
	/** Events that were read and are neither acknowledged nor given up. */
	unsettled: number;
	/** POSTs under way. */
	sending: number;
	/** POSTs that wait for one of the places that all subscriptions share. */
	queued: number;
	/** Subscriptions that are over and whose `terminated` envelope is still being tried. */
	farewells: number;
}

export interface Webhooks {
	/**
	 * events/subscribe: a new subscription, or the refresh of a live one. It is on disk, where there is a store, before
	 * this resolves. Throws Refusal.
	 */
	subscribe(
		params: Record<string, unknown>,
		caller: WebhookCaller,
	): Promise<SubscribeResult>;
	/** events/unsubscribe: deliveries stop at once. Throws Refusal, NotFound where the key has no subscription. */
	unsubscribe(
		params: Record<string, unknown>,
		caller: WebhookCaller,
	): Promise<Record<string, never>>;

	/** As the principal itself would, with a secret made here and no arguments; returns the id. Throws Refusal. */
	subscribeAs(principal: string, name: string, url: string): Promise<string>;
	/** Whether that subscription (without arguments) is there and not suspended. */
	isSubscribed(principal: string, name: string, url: string): boolean;
	stateOf(id: string): SubscriptionState;
	/** Sends a `gap` envelope and returns its cursor. Throws the refusal NotFound where there is no such subscription. */
	sendGap(id: string): Promise<string | null>;
	/** Ends one subscription with a `terminated` envelope. Throws the refusal NotFound as `sendGap` does. */
	terminate(id: string, error: Refusal): Promise<void>;
	/** Ends every subscription of an event type. */
	endType(name: string, error: Refusal): Promise<void>;
	/** Asks `mayHave` for every subscription now, and ends those that lost their access with Forbidden. */
	checkAccess(): Promise<void>;
	/** Forgets everything and begins again from the store, as a new process would. */
	restart(): Promise<void>;
	readonly activity: WebhookActivity;
	/** Ends every attempt under way and every timer; what is not acknowledged is sent again by the next run. */
	close(): Promise<void>;
}
