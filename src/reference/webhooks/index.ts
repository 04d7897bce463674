export type {
	AttemptEnd,
	DeliveryManners,
	OutgoingDelivery,
	StorePlace,
	WebhookChoices,
	WebhookOptions,
} from "./options.ts";
export type {
	DeliveryStatusMember,
	SubscribeResult,
	SubscriptionState,
	WebhookActivity,
	WebhookCaller,
	Webhooks,
} from "./webhooks.ts";
