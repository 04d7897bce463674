export { canonicalJson } from "./canonical-json.ts";
export { type Descriptor, readDescriptor } from "./descriptor.ts";
export { excerpt } from "./excerpt.ts";
export { GrowingBytes, type OverLimit } from "./growing-bytes.ts";
export { decodeHeaderValue, encodeHeaderValue } from "./header-value.ts";
export {
	hasEscape,
	isAt,
	keyBytes,
	REFUSED,
	scanElements,
	scanMembers,
	scanSpace,
} from "./json-scan.ts";
export {
	elementSpans,
	memberSpans,
	oneLine,
	parseJsonBytes,
	type Span,
} from "./json-text.ts";
export {
	LineSplitter,
	type LinesTold,
	withoutCarriageReturn,
} from "./line-splitter.ts";
export {
	isRecord,
	isRequestId,
	type Message,
	messageFrom,
	parseMessage,
	payloadSpan,
	type RequestId,
} from "./message.ts";
export {
	CONTRACT_PIN,
	DELIVERY_MODES,
	type DeliveryMode,
	EXTENSION_ID,
	HEADERS,
	LEGACY_VERSIONS,
	MESSAGE_LIMIT_BYTES,
	META,
	METHODS,
	MODERN_VERSION,
	NAMED_METHODS,
	NOTIFICATIONS,
	POLL_FLOOR_MS,
} from "./methods.ts";
export {
	isInstant,
	type Occurrence,
	type Odd,
	readCursor,
	readOccurrence,
} from "./occurrence.ts";
export { type PollResult, readPollResult } from "./poll-result.ts";
export { Repeated } from "./repeated.ts";
export {
	keepFrame,
	scanEvent,
	scanFrames,
	scanMessage,
} from "./scan-message.ts";
export { appendRaw, scanOccurrence } from "./scan-occurrence.ts";
export { scanContent, scanText } from "./scan-text.ts";
export { type Laid, layOut, scanValue } from "./scanner/lay-out.ts";
export {
	CALLBACK_REASONS,
	type CallbackReason,
	type DeliveryStatus,
	readSubscribeResult,
	type WebhookGrant,
} from "./subscribe-result.ts";
export {
	DELIVERY_LIMIT_BYTES,
	type DeliveryContent,
	type HeaderPair,
	headerValues,
	JWKS_PATH,
	readDeliveryContent,
	SIGNATURE_TOLERANCE_SECONDS,
	WEBHOOK_HEADERS,
	WELL_KNOWN_PATH,
} from "./webhook.ts";
export {
	CORE_CODES,
	nameWireError,
	readWireError,
	SEP_CODES,
	SKETCH_CODES,
	type WireErrorName,
} from "./wire-errors.ts";
