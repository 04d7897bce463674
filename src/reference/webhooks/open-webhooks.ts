// Webhook delivery as a whole: grants subscriptions, keeps them at work, and ends them for every reason there is.
import { newSecret } from "../../signing/index.ts";
import { readArguments } from "../check-arguments.ts";
import { repeat } from "../clock.ts";
import { invalidParams, type Refusal } from "../refusal.ts";
import { Endings } from "./endings.ts";
import { Granting } from "./granting.ts";
import { idOf } from "./key.ts";
import { LiveSubscription, type Surroundings } from "./live-subscription.ts";
import { readChoices, type WebhookOptions } from "./options.ts";
import { Places } from "./places.ts";
import { readCallbackUrl, readSecret } from "./read-delivery.ts";
import type { SubscriptionRecord } from "./record.ts";
import {
	accessLost,
	noEventType,
	noPrincipal,
	noSubscription,
	notKept,
} from "./refusals.ts";
import { Registry } from "./registry.ts";
import { Sender } from "./sender.ts";
import { createMemoryStore, type Store } from "./store.ts";
import { Turns } from "./turns.ts";
import type {
	SubscribeResult,
	SubscriptionState,
	WebhookActivity,
	WebhookCaller,
	Webhooks,
} from "./webhooks.ts";

/** Goes on with what the store has, at once. `close` closes the store too, and leaves the callbacks to their opener. */
export function openWebhooks(options: WebhookOptions): Webhooks {
	return new WebhookDelivery(options);
}

class WebhookDelivery implements Webhooks {
	readonly #options: WebhookOptions;
	readonly #around: Surroundings;
	readonly #store: Store;
	readonly #registry: Registry;
	readonly #endings: Endings;
	readonly #granting: Granting;
	readonly #turns = new Turns();
	readonly #stopChecks: () => void;

	constructor(options: WebhookOptions) {
		const settings = readChoices(options);
		const { clock, quotaOf } = options;
		this.#options = options;
		this.#store = options.store ?? createMemoryStore();
		this.#around = {
			options,
			settings,
			sender: new Sender(options),
			places: new Places(settings.maxSending),
			moved: (record) => this.#store.notePosition(record),
			suspended: (record) => this.#suspended(record),
			expired: (live) => void this.#endings.end(live),
			forlorn: (live) => void this.#endings.drop(live),
		};
		this.#registry = new Registry({ ...settings, quotaOf });
		const parts = {
			around: this.#around,
			store: this.#store,
			registry: this.#registry,
		};
		this.#endings = new Endings(parts);
		const { farewells } = this.#endings;
		this.#granting = new Granting({ ...parts, farewells });
		this.#stopChecks = repeat(
			clock,
			settings.accessCheckMs,
			() => void this.checkAccess(),
		);
		this.#resume();
	}

	get activity(): WebhookActivity {
		const { places } = this.#around;
		const all = this.#registry.all();
		return {
			subscriptions: all.length,
			unsettled: all.reduce((sum, { unsettled }) => sum + unsettled, 0),
			sending: places.taken,
			queued: places.waiting,
			farewells: this.#endings.farewells.size,
		};
	}

	async subscribe(
		params: Record<string, unknown>,
		{ principal }: WebhookCaller,
	): Promise<SubscribeResult> {
		if (principal === undefined) throw noPrincipal();
		const request = await this.#options.readRequest(params, principal);
		const { delivery, ttlMs } = params;
		const url = readCallbackUrl(delivery);
		const secret = readSecret(delivery);
		const { name } = request.type.descriptor;
		const key = { principal, url, name, arguments: request.arguments };
		const wish = { key, id: idOf(key), secret, request, ttlMs };
		return await this.#turns.run(wish.id, () => this.#granting.grant(wish));
	}

	async unsubscribe(
		params: Record<string, unknown>,
		{ principal }: WebhookCaller,
	): Promise<Record<string, never>> {
		if (principal === undefined) throw noPrincipal();
		const { name, delivery } = params;
		if (typeof name !== "string") throw invalidParams("name must be a string");
		const args = readArguments(params.arguments);
		const url = readCallbackUrl(delivery);
		const id = idOf({ principal, url, name, arguments: args });
		await this.#turns.run(id, async () => {
			const live = this.#registry.find(id);
			this.#endings.farewells.cancel(id);
			if (live) {
				if (!(await this.#endings.end(live))) throw notKept();
			} else if (this.#around.settings.unknownUnsubscribe === "NotFound") {
				throw noSubscription();
			}
		});
		return {};
	}

	async subscribeAs(principal: string, name: string, url: string) {
		const secret = newSecret(this.#options.randomBytes).reveal();
		const delivery = { mode: "webhook", url, secret };
		const params = { name, arguments: {}, delivery };
		return (await this.subscribe(params, { principal })).id;
	}

	isSubscribed(principal: string, name: string, url: string): boolean {
		const id = idOf({ principal, url, name, arguments: {} });
		return this.stateOf(id) === "active";
	}

	stateOf(id: string): SubscriptionState {
		const live = this.#registry.find(id);
		if (!live) return "absent";
		return live.record.isSuspended ? "suspended" : "active";
	}

	async sendGap(id: string): Promise<string | null> {
		return this.#mustFind(id).tellGap();
	}

	async terminate(id: string, error: Refusal): Promise<void> {
		await this.#endings.terminate(this.#mustFind(id), error);
	}

	async endType(name: string, error: Refusal): Promise<void> {
		const all = this.#registry.all();
		const meant = all.filter(({ record }) => record.name === name);
		await Promise.all(
			meant.map((live) => this.#endings.terminate(live, error)),
		);
	}

	async checkAccess(): Promise<void> {
		for (const live of this.#registry.all())
			if (!this.#mayHave(live.record))
				await this.#endings.terminate(live, accessLost(live.record.name));
	}

	async restart(): Promise<void> {
		this.#stopAll();
		await this.#store.reload();
		this.#resume();
	}

	async close(): Promise<void> {
		this.#stopChecks();
		this.#stopAll();
		await this.#store.close();
	}

	#stopAll(): void {
		this.#granting.interrupt();
		this.#endings.farewells.close();
		for (const live of this.#registry.all()) this.#registry.remove(live);
	}

	/** Goes on with what the store has; what must not go on is ended. */
	#resume(): void {
		const { options } = this.#around;
		const { subscriptions, verifications } = this.#store.content;
		options.callbacks.restore([...verifications.values()]);
		for (const record of [...subscriptions.values()]) {
			const { name } = record;
			const type = options.findType(name);
			const isOffered = type?.descriptor.delivery.includes("webhook");
			if (!type || !isOffered) {
				void this.#endings.forget(record, noEventType(name));
				continue;
			}
			const live = new LiveSubscription(record, { type, around: this.#around });
			this.#registry.add(live);
			if (this.#mayHave(record)) live.start();
			else void this.#endings.terminate(live, accessLost(name));
		}
	}

	#mayHave({ principal, name, arguments: args }: SubscriptionRecord): boolean {
		return this.#options.mayHave(principal, name, args);
	}

	#mustFind(id: string): LiveSubscription {
		const live = this.#registry.find(id);
		if (!live) throw noSubscription();
		return live;
	}

	#suspended(record: SubscriptionRecord): void {
		const { note } = this.#options;
		note(`${record.id} is suspended: nearly all its deliveries failed`);
		this.#store.keep(record).catch((error: unknown) => {
			note(`that ${record.id} is suspended could not be kept: ${error}`);
		});
	}
}
