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
export {
	captureUrl,
	curlCommand,
	harEntry,
	harFrame,
} from "./export.ts";
export {
	findCaptures,
	isCaptureId,
	readCaptureFolder,
	readDeliveries,
} from "./find.ts";
export type { Owner, Repair } from "./folder.ts";
export { type Pruned, type PruneOptions, pruneCaptures } from "./prune.ts";
export {
	parseRawRequests,
	type RawRequest,
	writeRawRequest,
} from "./raw-request.ts";
export {
	type CaptureFilters,
	eventName,
	type OddLine,
	readCaptureLines,
	readCaptures,
} from "./read.ts";
export { explainCapture, type ReverifyOptions, reverify } from "./reverify.ts";
