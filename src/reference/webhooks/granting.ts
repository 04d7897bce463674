// From a wish that is well formed to a subscription at work: limits, the URL, consent, then a refresh or a new one.
import type { Verification } from "../callbacks/index.ts";
import type { SubscriptionRequest } from "../rpc/subscription.ts";
import type { Batch } from "../source.ts";
import type { Farewells } from "./farewells.ts";
import type { SubscriptionKey } from "./key.ts";
import { LiveSubscription, type Surroundings } from "./live-subscription.ts";
import { rotateSecret, type SubscriptionRecord } from "./record.ts";
import { interrupted, noEventType, notKept } from "./refusals.ts";
import type { Registry } from "./registry.ts";
import { statusOf } from "./status.ts";
import type { Store } from "./store.ts";
import { grantTtl } from "./ttl.ts";
import type { SubscribeResult } from "./webhooks.ts";

export interface Wish {
	key: SubscriptionKey;
	id: string;
	secret: string;
	request: SubscriptionRequest;
	/** As it was sent. */
	ttlMs: unknown;
}

export interface GrantingTools {
	around: Surroundings;
	store: Store;
	registry: Registry;
	farewells: Farewells;
}

/** Where deliveries begin. */
interface Start {
	cursor: string;
	/** What was read from there already. */
	first: Batch | undefined;
	truncated: boolean;
}

const FIRST_EVENTS = 64;

export class Granting {
	readonly #tools: GrantingTools;
	#generation = 0;

	constructor(tools: GrantingTools) {
		this.#tools = tools;
	}

	/** Whatever is being granted now comes to nothing. */
	interrupt(): void {
		this.#generation++;
	}

	/** One at a time for each id. Throws Refusal. */
	async grant(wish: Wish): Promise<SubscribeResult> {
		const { registry, around } = this.#tools;
		const { key, id, secret, request } = wish;
		const { callbacks, clock } = around.options;
		const live = registry.find(id);
		// Its consent covers refreshes, and each attempt looks at the address anyway: nothing has to be asked again.
		if (live) return await this.#refresh(live, wish);
		const generation = this.#generation;
		// Before anything goes out: nobody makes this server call somebody by asking for too much.
		const release = registry.claim(key);
		try {
			await callbacks.check(key.url);
			// Before the handshake: what happens while it lasts is delivered.
			const start = await startOf(request, clock.now());
			await callbacks.verify({ ...key, secret, subscriptionId: id });
			if (generation !== this.#generation) throw interrupted();
			return await this.#create(wish, start);
		} finally {
			release();
		}
	}

	async #create(wish: Wish, start: Start): Promise<SubscribeResult> {
		const { registry, farewells, around } = this.#tools;
		const { key, id, secret, request } = wish;
		const { cursor, first, truncated } = start;
		const { type } = request;
		const generation = this.#generation;
		const record: SubscriptionRecord = {
			...key,
			id,
			secret,
			formerSecrets: [],
			expiresAt: this.#expiryOf(wish),
			cursor,
			isSuspended: false,
			hasUntoldGap: false,
			failedSince: undefined,
		};
		// Nothing of one that was there before may reach into this one.
		registry.clear(id);
		farewells.cancel(id);
		await this.#keep(record);
		if (generation !== this.#generation) throw interrupted();
		if (!around.options.findType(key.name)) {
			await this.#tools.store.end(id);
			throw noEventType(key.name);
		}
		const live = new LiveSubscription(record, { type, first, around });
		const hasReplay = type.hasReplay !== false;
		const result = {
			...resultOf(record),
			cursor: hasReplay ? cursor : null,
			truncated: hasReplay && truncated,
		};
		registry.add(live);
		live.start();
		return result;
	}

	async #refresh(live: LiveSubscription, wish: Wish): Promise<SubscribeResult> {
		const { options, settings } = this.#tools.around;
		const { record } = live;
		const graceEnd = options.clock.now() + settings.graceMs;
		// Before the refresh changes it: that is what the client wants to know.
		const deliveryStatus = statusOf(live);
		const isNewSecret = rotateSecret(record, wish.secret, graceEnd);
		record.expiresAt = this.#expiryOf(wish);
		const truncated = live.takeGap();
		const { cursor } = live;
		live.refreshed(isNewSecret);
		try {
			await this.#keep(record);
		} catch (error) {
			// No answer tells it now.
			if (truncated) live.tellGap();
			throw error;
		}
		return { ...resultOf(record), cursor, truncated, deliveryStatus };
	}

	#expiryOf({ ttlMs }: Wish): number | null {
		const { around, store } = this.#tools;
		const { settings, options } = around;
		const granted = grantTtl(ttlMs, {
			defaultMs: settings.defaultTtlMs,
			leastMs: settings.leastTtlMs,
			mostMs: store.isDurable
				? settings.mostTtlMs
				: settings.mostTtlWithoutStoreMs,
			mayBeEndless: store.isDurable,
		});
		return granted === null ? null : options.clock.now() + granted;
	}

	async #keep(record: SubscriptionRecord): Promise<void> {
		const { store, around } = this.#tools;
		const { note } = around.options;
		try {
			await store.keep(record, this.#consentOf(record));
		} catch (error) {
			note(`${record.id} could not be kept: ${error}`);
			throw notKept();
		}
	}

	/** What the store has to know of it, if it does not yet. */
	#consentOf({ principal, url }: SubscriptionRecord): Verification | undefined {
		const { store, around } = this.#tools;
		if (!store.isDurable) return undefined;
		return around.options.callbacks
			.verifications()
			.find((one) => one.principal === principal && one.url === url);
	}
}

/** Refuses a cursor that cannot be parsed. */
async function startOf(
	{ type, arguments: args, cursor, maxAgeMs }: SubscriptionRequest,
	now: number,
): Promise<Start> {
	if (cursor === undefined) {
		const head = await type.head(args);
		return { cursor: head, first: undefined, truncated: false };
	}
	const sinceMs = maxAgeMs === undefined ? undefined : now - maxAgeMs;
	const limit = FIRST_EVENTS;
	const batch = await type.read({ arguments: args, cursor, limit, sinceMs });
	const { from, truncated } = batch;
	// The answer tells of a gap before this batch; no envelope has to.
	return { cursor: from, first: { ...batch, truncated: false }, truncated };
}

const resultOf = ({ id, expiresAt }: SubscriptionRecord) => ({
	id,
	refreshBefore: expiresAt === null ? null : new Date(expiresAt).toISOString(),
});
