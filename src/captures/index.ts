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
export type { Owner, Repair } from "./folder.ts";
export {
	type CaptureFilters,
	type OddLine,
	readCaptureLines,
	readCaptures,
} from "./read.ts";
export { explainCapture, type ReverifyOptions, reverify } from "./reverify.ts";
