export type { CheckArguments } from "./catalogue.ts";
export { chooseMode, type ModeWishes } from "./choose-mode.ts";
export type { FollowMemory, Mode, Pieces } from "./follow.ts";
export type { GapReason, Item, Subscription, Via } from "./item.ts";
export { labelSubscriptions } from "./labels.ts";
export type { RetryOptions } from "./retry.ts";
export { defaultWindow } from "./seen.ts";
export { tailEvents } from "./tail-events.ts";
export type { TailOptions } from "./tail-options.ts";
export { deliveryKey, messageId } from "./webhook/delivery-id.ts";
export type { Intake } from "./webhook/intake.ts";
export { readMessage } from "./webhook/read-message.ts";
export type { OwnSecret } from "./webhook/rotation.ts";
export {
	type Address,
	type BacklogEntry,
	openWebhookTail,
	type WebhookOptions,
	type WebhookSubscription,
	type WebhookTail,
} from "./webhook/webhook.ts";
export {
	callbackUrl,
	type WebhookMemory,
	type WebhookPieces,
} from "./webhook/webhook-follow.ts";
export type { PreparedWebhook, WebhookHub } from "./webhook/webhook-mode.ts";
