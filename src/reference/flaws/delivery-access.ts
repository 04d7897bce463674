// The flaw of those who deliver on, whoever has lost what access.
import { randomUUID } from "node:crypto";
import { WEBHOOK_HEADERS } from "../../protocol/index.ts";
import type { OutgoingDelivery } from "../webhooks/index.ts";
import { bendBody, deliveryFlaw } from "./delivery-flaw.ts";
import type { Flaw, Json } from "./flaw.ts";
import { codeLike } from "./hooks.ts";

export const DELIVERY_ACCESS: readonly Flaw[] = [
	deliveryFlaw(
		"delivers-without-access",
		"authz-delivery-time-reverify",
		"goes on delivering events to those who may have them no more",
		({ now }) => {
			const last = new Map<string, Json>();
			const turned = new WeakSet<OutgoingDelivery>();
			return {
				delivery(delivery) {
					const { kind, subscriptionId } = delivery;
					if (kind === "event")
						last.set(subscriptionId, JSON.parse(delivery.body));
					else if (isFarewell(delivery)) {
						turned.add(delivery);
						makeEvent(delivery, last.get(subscriptionId), now());
					}
					return undefined;
				},
				// As if it had failed, so that another one follows.
				judge: (end, _status, delivery) =>
					delivery && turned.has(delivery) ? "failed" : end,
			};
		},
	),
];

function isFarewell({ kind, body }: OutgoingDelivery): boolean {
	if (kind !== "terminated") return false;
	const { code } = JSON.parse(body).error;
	return code === codeLike(code, "Forbidden");
}

function makeEvent(
	delivery: OutgoingDelivery,
	last: Json,
	nowMs: number,
): void {
	delivery.headers[WEBHOOK_HEADERS.id] = `msg_${randomUUID()}`;
	bendBody(delivery, (body) => {
		delete body.type;
		delete body.error;
		const timestamp = new Date(nowMs).toISOString();
		Object.assign(body, last, { eventId: randomUUID(), timestamp });
	});
}
