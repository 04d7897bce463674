export type { SessionTarget } from "./connect.ts";
export { openSseParser, type SseEvent, type SseParser } from "./http/sse.ts";
export {
	findEventTypes,
	listEventTypes,
	lookForEventTypes,
} from "./list-events.ts";
export { openSession, type SessionOptions } from "./open-session.ts";
export { askPoll, type PollParams } from "./poll-events.ts";
export { openRpcLog, type RpcLog } from "./rpc-log.ts";
export { requireEvents, serverWords } from "./server-facts.ts";
export type {
	Era,
	Patiently,
	RequestOptions,
	ServerFacts,
	Session,
	StreamFrame,
	StreamOptions,
	SubscriptionParams,
} from "./session.ts";
export {
	commandLine,
	endChild,
	type StdioTarget,
	startChild,
} from "./stdio/child.ts";
export { openEventStream } from "./stream-events.ts";
export {
	subscribeWebhook,
	unsubscribeWebhook,
	type WebhookKey,
	type WebhookParams,
	whyCallbackUnfit,
} from "./subscribe.ts";
export type { ReadingGate } from "./transport.ts";
