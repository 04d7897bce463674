// The streams that are open: how many there may be, and what ends them from the server's side.
import { setMaxListeners } from "node:events";
import { Refusal } from "../refusal.ts";
import type { Settings } from "../settings.ts";
import type { SubscriptionRequest } from "./subscription.ts";

export interface StreamOwner {
	principal: string | undefined;
	/** Whom limits count for. */
	limitKey: string;
}

interface LiveStream {
	owner: StreamOwner;
	/** Known once the request was read; listening for list changes has none. */
	subscription?: SubscriptionRequest;
	ending: AbortController;
}

/** One that is being opened or is open; `close` when it is over. */
export interface OpenStream {
	/** Aborts when the server ends the stream; with a Refusal as its reason where the subscription is over. */
	readonly ending: AbortSignal;
	end(): void;
	/** Counts it for its event type. Refuses (ResourceExhausted) one too many. */
	admit(subscription: SubscriptionRequest): void;
	/** Ends it where its principal may have the event no more. */
	checkAccess(): void;
	close(): void;
}

export class LiveStreams {
	readonly #settings: Settings;
	readonly #forbidden: (name: string) => Refusal;
	readonly #streams = new Set<LiveStream>();

	constructor(settings: Settings, forbidden: (name: string) => Refusal) {
		this.#settings = settings;
		this.#forbidden = forbidden;
	}

	get count(): number {
		return this.#streams.size;
	}

	/** Refuses (ResourceExhausted) one too many, of all or of this caller's. */
	open(owner: StreamOwner): OpenStream {
		const { maxStreams, maxStreamsPerCaller } = this.#settings;
		const { limitKey } = owner;
		this.#refuseOver("streams", maxStreams, () => true);
		if (maxStreamsPerCaller < maxStreams)
			this.#refuseOver(
				"streams",
				maxStreamsPerCaller,
				(stream) => stream.owner.limitKey === limitKey,
			);
		const stream: LiveStream = { owner, ending: new AbortController() };
		// A listener for each thing that waits in a stream.
		setMaxListeners(0, stream.ending.signal);
		this.#streams.add(stream);
		return {
			ending: stream.ending.signal,
			end: () => stream.ending.abort(),
			admit: (subscription) => this.#admit(stream, subscription),
			checkAccess: () => this.#checkAccess(stream),
			close: () => this.#streams.delete(stream),
		};
	}

	/** Ends every stream of an event type, and with it the subscription. */
	endType(name: string, error: Refusal): void {
		for (const stream of this.#streams)
			if (nameOf(stream) === name) stream.ending.abort(error);
	}

	checkAccess(): void {
		for (const stream of this.#streams) this.#checkAccess(stream);
	}

	/** Ends every stream; the subscriptions may go on elsewhere. */
	endAll(): void {
		for (const { ending } of this.#streams) ending.abort();
	}

	#admit(stream: LiveStream, subscription: SubscriptionRequest): void {
		const { descriptor, limits } = subscription.type;
		const isOfType = (one: LiveStream) => nameOf(one) === descriptor.name;
		if (limits?.subscriptions !== undefined)
			this.#refuseOver("subscriptions", limits.subscriptions, isOfType);
		if (limits?.streamsPerCaller !== undefined)
			this.#refuseOver(
				"streams",
				limits.streamsPerCaller,
				(one) => isOfType(one) && one.owner.limitKey === stream.owner.limitKey,
			);
		stream.subscription = subscription;
	}

	#checkAccess({ subscription, owner, ending }: LiveStream): void {
		if (!subscription) return;
		const { name } = subscription.type.descriptor;
		const { access } = this.#settings;
		if (!access.mayHave(owner.principal, name, subscription.arguments))
			ending.abort(this.#forbidden(name));
	}

	#refuseOver(
		limit: string,
		max: number,
		counts: (stream: LiveStream) => boolean,
	): void {
		let count = 0;
		for (const stream of this.#streams) if (counts(stream)) count++;
		if (count < max) return;
		throw new Refusal("ResourceExhausted", `too many ${limit} are open`, {
			data: { limit, max },
		});
	}
}

const nameOf = ({ subscription }: LiveStream) =>
	subscription?.type.descriptor.name;
