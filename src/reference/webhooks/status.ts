// `deliveryStatus`, as a refresh tells it.
import type { LiveSubscription } from "./live-subscription.ts";
import type { DeliveryStatusMember } from "./webhooks.ts";

/** How deliveries have gone until now. */
export function statusOf({
	record,
	health,
}: LiveSubscription): DeliveryStatusMember {
	const { lastDeliveryAt, lastError = null, failedSince } = health;
	return {
		active: !record.isSuspended,
		lastDeliveryAt: lastDeliveryAt === undefined ? null : iso(lastDeliveryAt),
		lastError,
		...(failedSince !== undefined && { failedSince: iso(failedSince) }),
	};
}

const iso = (ms: number) => new Date(ms).toISOString();
