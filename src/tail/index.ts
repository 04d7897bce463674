export { chooseMode, type ModeWishes } from "./choose-mode.ts";
export type { Pieces } from "./follow.ts";
export type { GapReason, Item, Subscription, Via } from "./item.ts";
export { labelSubscriptions } from "./labels.ts";
export type { RetryOptions } from "./retry.ts";
export { type TailOptions, tailEvents } from "./tail-events.ts";
