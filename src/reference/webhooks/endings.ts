// The ways in which a subscription ends, each taken out of the registry and the store, with or without a last word.
import type { Refusal } from "../refusal.ts";
import { Farewells } from "./farewells.ts";
import type { LiveSubscription, Surroundings } from "./live-subscription.ts";
import type { SubscriptionRecord } from "./record.ts";
import { failedTooLong } from "./refusals.ts";
import type { Registry } from "./registry.ts";
import type { Store } from "./store.ts";

export class Endings {
	readonly farewells: Farewells;
	readonly #registry: Registry;
	readonly #store: Store;
	readonly #note: (text: string) => void;

	constructor(parts: {
		around: Surroundings;
		registry: Registry;
		store: Store;
	}) {
		this.farewells = new Farewells(parts.around);
		this.#registry = parts.registry;
		this.#store = parts.store;
		this.#note = parts.around.options.note;
	}

	/** Without a word; false where the end could not be kept. */
	async end(live: LiveSubscription): Promise<boolean> {
		if (!this.#registry.remove(live)) return true;
		return await this.#keepEnd(live.record);
	}

	/** With a `terminated` envelope. */
	async terminate(live: LiveSubscription, error: Refusal): Promise<void> {
		if (this.#registry.remove(live)) await this.forget(live.record, error);
	}

	/** One that never expires and whose endpoint has failed for too long: the last word is tried once. */
	async drop(live: LiveSubscription): Promise<void> {
		const { record, health } = live;
		const error = failedTooLong(health.lastError ?? "timeout");
		this.#note(`${record.id} is dropped: nothing was taken for too long`);
		if (this.#registry.remove(live)) await this.forget(record, error, true);
	}

	/** Ends what is not at work. */
	async forget(
		record: SubscriptionRecord,
		error: Refusal,
		isOnce = false,
	): Promise<void> {
		this.farewells.say(record, error, isOnce);
		await this.#keepEnd(record);
	}

	async #keepEnd({ id }: SubscriptionRecord): Promise<boolean> {
		try {
			await this.#store.end(id);
			return true;
		} catch (error) {
			this.#note(`the end of ${id} could not be kept: ${error}`);
			return false;
		}
	}
}
