export type { Answer, RefusalReason } from "./answer.ts";
export type { ReceivedContent } from "./content.ts";
export type {
	Notice,
	ReceivedDelivery,
	RefusedDelivery,
} from "./delivery.ts";
export type { RequestHead } from "./judge.ts";
export type { Accept } from "./keep.ts";
export { RECEIVER_LIMITS, type ReceiverLimits } from "./limits.ts";
export {
	openReceiver,
	type Receiver,
	type ReceiverOptions,
} from "./open-receiver.ts";
export { readBytes } from "./read-bytes.ts";
export { openReplies, type Replies } from "./replies.ts";
export { type DeliveryAttempts, tellAttempts } from "./reply-report.ts";
export { parseReplyScript } from "./reply-script.ts";
export { newRoutePath, type Registration, type Route } from "./route.ts";
export { rememberLast, type Seen } from "./seen.ts";
export { makeSelfSigned, type SelfSigned } from "./self-signed.ts";
export { openShell, type Shell, type ShellOptions } from "./shell.ts";
