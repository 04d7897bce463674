export type { CheckArguments } from "./catalogue.ts";
export { chooseMode, type ModeWishes } from "./choose-mode.ts";
export { deliveryKey, messageId } from "./delivery-id.ts";
export type { FollowMemory, Mode, Pieces } from "./follow.ts";
export type { Intake } from "./intake.ts";
export type { GapReason, Item, Subscription, Via } from "./item.ts";
export { labelSubscriptions } from "./labels.ts";
export { readMessage } from "./read-message.ts";
export type { RetryOptions } from "./retry.ts";
export type { OwnSecret } from "./rotation.ts";
export { tailEvents } from "./tail-events.ts";
export type { TailOptions } from "./tail-options.ts";
export {
	type Address,
	type BacklogEntry,
	openWebhookTail,
	type WebhookOptions,
	type WebhookSubscription,
	type WebhookTail,
} from "./webhook.ts";
export {
	callbackUrl,
	type WebhookMemory,
	type WebhookPieces,
} from "./webhook-follow.ts";
export type { PreparedWebhook, WebhookHub } from "./webhook-mode.ts";
