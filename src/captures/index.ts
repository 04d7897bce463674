export {
	type CaptureLog,
	type CaptureLogOptions,
	openCaptureLog,
} from "./append.ts";
export {
	type Capture,
	type CapturedVerdict,
	type Delivery,
	parseCapture,
	writeCaptureLine,
} from "./capture.ts";
export { cutAtLineEnds } from "./cut-pieces.ts";
export {
	type Attempt,
	type DeliverOptions,
	deliver,
	isTaken,
	type Post,
	type PostAnswer,
} from "./deliver.ts";
export { holdsValue, type JsonEdit, parseJsonEdit } from "./edit-json.ts";
export {
	captureUrl,
	curlCommand,
	harEntry,
	harFrame,
} from "./export.ts";
export { listCaptureFiles, openAsOfNow, readFileChunks } from "./files.ts";
export {
	findCaptures,
	hasRejected,
	isCaptureId,
	readCaptureFolder,
	readDeliveries,
} from "./find.ts";
export type { Repair } from "./folder.ts";
export { type Draft, type Outgoing, signDraft } from "./outgoing.ts";
export { type Pruned, type PruneOptions, pruneCaptures } from "./prune.ts";
export {
	parseRawRequests,
	type RawRequest,
	writeRawRequest,
} from "./raw-request.ts";
export {
	type CaptureFilters,
	eachOf,
	eventName,
	type OddLine,
	type PlacedCapture,
	readCaptureLines,
	readCaptures,
	readLineBatches,
	readPlacedCaptures,
} from "./read.ts";
export {
	draftAsCaptured,
	newId,
	type RedraftOptions,
	redraft,
	type WebhookIdStyle,
} from "./redraft.ts";
export {
	type Pace,
	type Prepared,
	type Replayed,
	type ReplayOptions,
	replayCaptures,
} from "./replay.ts";
export { explainCapture, type ReverifyOptions, reverify } from "./reverify.ts";
export {
	CORRUPTIONS,
	type Corruption,
	ENVELOPE_TYPES,
	makeEnvelopeBody,
	makeEventBody,
	newHeaders,
	signCorrupted,
} from "./synthesize.ts";
