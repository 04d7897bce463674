// The last word to receivers whose subscription is over: `terminated` envelopes, tried like any delivery, for a while.
import type { Clock } from "../clock.ts";
import type { Refusal } from "../refusal.ts";
import { envelopeId, terminatedBody } from "./envelopes.ts";
import type { WebhookOptions, WebhookSettings } from "./options.ts";
import type { Places } from "./places.ts";
import { type SubscriptionRecord, secretsOf } from "./record.ts";
import type { MessageToSend, Sender } from "./sender.ts";

interface FarewellTools {
	options: WebhookOptions;
	settings: WebhookSettings;
	sender: Sender;
	places: Places;
}

/** One that is on its way. */
interface Farewell {
	record: SubscriptionRecord;
	message: Omit<MessageToSend, "secrets">;
	stop: AbortController;
	cancelTimer: () => void;
}

export class Farewells {
	readonly #tools: FarewellTools;
	/** By subscription id. */
	readonly #open = new Map<string, Farewell>();

	constructor(tools: FarewellTools) {
		this.#tools = tools;
	}

	get size(): number {
		return this.#open.size;
	}

	/** Tells the receiver why its subscription is over; `isOnce`: without a second try. */
	say(record: SubscriptionRecord, error: Refusal, isOnce = false): void {
		const { options, settings } = this.#tools;
		if (!settings.sendsEnvelopes) return;
		const { id: subscriptionId, url } = record;
		this.cancel(subscriptionId);
		const farewell: Farewell = {
			record,
			message: {
				kind: "terminated",
				subscriptionId,
				url,
				id: envelopeId("terminated", options.randomBytes),
				body: terminatedBody(error, options.numbers),
				attempt: 1,
			},
			stop: new AbortController(),
			cancelTimer: () => {},
		};
		this.#open.set(subscriptionId, farewell);
		this.#try(farewell, isOnce ? [] : settings.retryDelaysMs);
	}

	/** Somebody subscribed anew: a word about the subscription before would be taken for one about this. */
	cancel(id: string): void {
		const farewell = this.#open.get(id);
		if (!farewell) return;
		this.#open.delete(id);
		farewell.stop.abort();
		farewell.cancelTimer();
	}

	close(): void {
		for (const id of [...this.#open.keys()]) this.cancel(id);
	}

	#try(farewell: Farewell, delaysMs: readonly number[]): void {
		const { places } = this.#tools;
		places.run(async () => {
			const isDone = await this.#attempt(farewell);
			if (farewell.stop.signal.aborted) return;
			const [waitMs, ...rest] = delaysMs;
			if (isDone || waitMs === undefined) {
				this.#open.delete(farewell.message.subscriptionId);
				return;
			}
			farewell.message.attempt++;
			farewell.cancelTimer = this.#clock.setTimer(
				() => this.#try(farewell, rest),
				waitMs,
			);
		});
	}

	get #clock(): Clock {
		return this.#tools.options.clock;
	}

	async #attempt({ record, message, stop }: Farewell): Promise<boolean> {
		if (stop.signal.aborted) return true;
		const secrets = secretsOf(record, this.#clock.now());
		const whole = { ...message, secrets };
		const attempted = await this.#tools.sender.send(whole, stop.signal);
		return attempted?.end !== "failed";
	}
}
