export { openWebhooks } from "./open-webhooks.ts";
export type {
	AttemptEnd,
	DeliveryManners,
	OutgoingDelivery,
	StorePlace,
	WebhookChoices,
	WebhookOptions,
} from "./options.ts";
export { openStore, type Store } from "./store.ts";
export type {
	DeliveryStatusMember,
	SubscribeResult,
	SubscriptionState,
	WebhookActivity,
	WebhookCaller,
	Webhooks,
} from "./webhooks.ts";
