// Which subscriptions there are, and how many more there may be.
import { Refusal } from "../refusal.ts";
import type { SubscriptionKey } from "./key.ts";
import type { LiveSubscription } from "./live-subscription.ts";

export interface RegistryLimits {
	maxSubscriptions: number;
	maxSubscriptionsPerPrincipal: number;
	quotaOf?: ((name: string) => number | undefined) | undefined;
}

export class Registry {
	readonly #limits: RegistryLimits;
	readonly #live = new Map<string, LiveSubscription>();
	/** Places held by requests that are still being answered. */
	readonly #claims = new Set<SubscriptionKey>();

	constructor(limits: RegistryLimits) {
		this.#limits = limits;
	}

	get size(): number {
		return this.#live.size;
	}

	all(): LiveSubscription[] {
		return [...this.#live.values()];
	}

	/** A subscription whose time is over is none. */
	find(id: string): LiveSubscription | undefined {
		const live = this.#live.get(id);
		return live && !live.hasExpired ? live : undefined;
	}

	add(live: LiveSubscription): void {
		this.#live.set(live.record.id, live);
	}

	/** Ends one whose time is over and that may still stand there. */
	clear(id: string): void {
		this.#live.get(id)?.end();
		this.#live.delete(id);
	}

	/** Ends it; false where another has its place by now. */
	remove(live: LiveSubscription): boolean {
		live.end();
		if (this.#live.get(live.record.id) !== live) return false;
		return this.#live.delete(live.record.id);
	}

	/** Holds a place for a new subscription until the returned function is called. Throws ResourceExhausted. */
	claim(key: SubscriptionKey): () => void {
		const { maxSubscriptions, maxSubscriptionsPerPrincipal, quotaOf } =
			this.#limits;
		this.#refuseBeyond(maxSubscriptions, () => true);
		this.#refuseBeyond(
			maxSubscriptionsPerPrincipal,
			({ principal }) => principal === key.principal,
		);
		const quota = quotaOf?.(key.name);
		if (quota !== undefined)
			this.#refuseBeyond(quota, ({ name }) => name === key.name);
		this.#claims.add(key);
		return () => this.#claims.delete(key);
	}

	#refuseBeyond(max: number, counts: (key: SubscriptionKey) => boolean): void {
		let count = 0;
		for (const live of this.#live.values())
			if (!live.hasExpired && counts(live.record)) count++;
		for (const claim of this.#claims) if (counts(claim)) count++;
		if (count >= max)
			throw new Refusal(
				"ResourceExhausted",
				`there are ${max} subscriptions already, the most there may be`,
				{ data: { limit: "subscriptions", max } },
			);
	}
}
