// The record of a flaw of deliveries, and the bends that several of them share.

import type { OutgoingDelivery } from "../webhooks/index.ts";
import type { Hooks, Json } from "./flaw.ts";
import { flawOf } from "./flaw-of.ts";
import { resign } from "./hooks.ts";

/** A flaw of this scenario. */
export const deliveryFlaw = flawOf("events-webhook-delivery");

/** Bends the POSTs of events in place, retries too. */
export const onEvent = (change: (delivery: OutgoingDelivery) => void): Hooks =>
	inPlaceOfEvent((delivery) => {
		change(delivery);
		return undefined;
	});

/** What is returned is sent in place of the POST of an event; undefined leaves it. */
export const inPlaceOfEvent = (
	change: (delivery: OutgoingDelivery) => OutgoingDelivery[] | undefined,
): Hooks => ({
	delivery: (delivery) =>
		delivery.kind === "event" ? change(delivery) : undefined,
});

/** Bends gap and terminated envelopes in place. */
export const onEnvelope = (
	change: (delivery: OutgoingDelivery) => void,
): Hooks => ({
	delivery(delivery) {
		if (delivery.kind !== "event") change(delivery);
		return undefined;
	},
});

/** Bends the JSON of a delivery's body, and signs it again. */
export function bendBody(
	delivery: OutgoingDelivery,
	change: (body: Json) => void,
): void {
	const body: Json = JSON.parse(delivery.body);
	change(body);
	delivery.body = JSON.stringify(body);
	resign(delivery);
}
