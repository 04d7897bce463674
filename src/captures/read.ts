// Reads captures back, one at a time, whatever the size of the files. What cannot be read is told and passed over.
import { Fault } from "../faults/index.ts";
import { headerValues, isRecord, WEBHOOK_HEADERS } from "../protocol/index.ts";
import { type Capture, parseCapture } from "./capture.ts";
import { listCaptureFiles, readFileChunks } from "./files.ts";

/** A capture passes where it fits every filter that is given; in a list, one fitting entry is enough. */
export interface CaptureFilters {
	ids?: readonly string[];
	sinceMs?: number;
	untilMs?: number;
	/** Event names, as they stand in the bodies. */
	events?: readonly string[];
	/** Labels or ids of subscriptions. */
	subscriptions?: readonly string[];
	/** Kinds of verdict. */
	verdicts?: readonly string[];
}

/** A line that is no capture. `torn`: the last one, which a crash cut short or which is being written now. */
export interface OddLine {
	kind: "torn" | "broken" | "too-long";
	path: string;
	/** Counted from 1. */
	line: number;
	why: string;
}

/** The largest body that a listener may be told to take, in base64, and its headers. */
export const LINE_LIMIT_BYTES = 32 * 1024 * 1024;
export const LINE_FEED = 0x0a;

interface ReadOptions {
	filters?: CaptureFilters;
	odd?: (line: OddLine) => void;
}

/**
 * Yields the captures in files, and in the `.ndjson` files of folders by name, which is by time. Throws `file-failed`
 * where a path cannot be read.
 */
export const readCaptures = (
	paths: readonly string[],
	options: ReadOptions = {},
): AsyncGenerator<Capture> => eachOf(readCaptureBatches(paths, options));

/** The same in batches: where there are millions, handing on each by itself takes longer than reading it. */
export async function* readCaptureBatches(
	paths: readonly string[],
	options: ReadOptions = {},
): AsyncGenerator<Capture[]> {
	for (const path of await listCaptureFiles(paths))
		yield* readLineBatches(readFileChunks(path), { path, ...options });
}

/** What batches hold, one by one. */
export async function* eachOf<T>(
	batches: AsyncIterable<readonly T[]>,
): AsyncGenerator<T> {
	for await (const batch of batches) yield* batch;
}

interface LinesOptions extends ReadOptions {
	/** What the bytes are called. */
	path: string;
}

/** The same for bytes that come from elsewhere: a batch for each piece that comes. */
export async function* readLineBatches(
	chunks: AsyncIterable<Buffer>,
	options: LinesOptions,
): AsyncGenerator<Capture[]> {
	for await (const placed of readPlacedBatches(chunks, options))
		yield placed.map(({ capture }) => capture);
}

/** The same one by one. */
export const readCaptureLines = (
	chunks: AsyncIterable<Buffer>,
	options: LinesOptions,
): AsyncGenerator<Capture> => eachOf(readLineBatches(chunks, options));

/** A capture and where its line stands in the bytes, so that it can be read again alone. */
export interface PlacedCapture {
	capture: Capture;
	start: number;
	/** The place of its line end. */
	end: number;
}

/** The same, each with its place. */
export const readPlacedCaptures = (
	chunks: AsyncIterable<Buffer>,
	options: LinesOptions,
): AsyncGenerator<PlacedCapture> => eachOf(readPlacedBatches(chunks, options));

async function* readPlacedBatches(
	chunks: AsyncIterable<Buffer>,
	{ path, filters = {}, odd }: LinesOptions,
): AsyncGenerator<PlacedCapture[]> {
	let line = 0;
	let next = 0;
	const place = (read: Line): PlacedCapture | undefined => {
		const { bytes, isWhole, isTooLong, lengthBytes } = read;
		const start = next;
		const end = start + lengthBytes;
		next = end + 1;
		line++;
		const tell = (kind: OddLine["kind"], why: string) =>
			odd?.({ kind, path, line, why });
		if (isTooLong)
			tell("too-long", `it has more than ${LINE_LIMIT_BYTES} bytes`);
		if (bytes.length === 0) return undefined;
		try {
			const capture = parseCapture(bytes);
			if (passes(capture, filters)) return { capture, start, end };
		} catch (error) {
			if (!(error instanceof Fault)) throw error;
			tell(isWhole ? "broken" : "torn", error.why ?? error.what);
		}
		return undefined;
	};
	for await (const lines of splitLines(chunks)) {
		const placed = lines.flatMap((read) => place(read) ?? []);
		if (placed.length > 0) yield placed;
	}
}

export interface Line {
	/** Empty where it is too long. */
	bytes: Buffer;
	/** Without its line feed. */
	lengthBytes: number;
	/** False for a last line without a line feed. */
	isWhole: boolean;
	isTooLong: boolean;
}

/** The lines of a stream, each of bounded length: those that end in a piece, as soon as that has come. */
export async function* splitLines(
	chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Line[]> {
	let pieces: Buffer[] = [];
	let length = 0;
	const take = (isWhole: boolean): Line => {
		const isTooLong = length > LINE_LIMIT_BYTES;
		const [only] = pieces;
		const whole = pieces.length === 1 && only ? only : Buffer.concat(pieces);
		const bytes = isTooLong ? Buffer.alloc(0) : whole;
		const lengthBytes = length;
		pieces = [];
		length = 0;
		return { bytes, lengthBytes, isWhole, isTooLong };
	};
	const add = (piece: Buffer) => {
		length += piece.length;
		if (length <= LINE_LIMIT_BYTES) pieces.push(piece);
		else pieces = [];
	};
	for await (const chunk of chunks) {
		const lines: Line[] = [];
		let start = 0;
		let end = chunk.indexOf(LINE_FEED);
		while (end >= 0) {
			add(chunk.subarray(start, end));
			lines.push(take(true));
			start = end + 1;
			end = chunk.indexOf(LINE_FEED, start);
		}
		// The next chunk may come in the same memory.
		if (start < chunk.length) add(Buffer.from(chunk.subarray(start)));
		if (lines.length > 0) yield lines;
	}
	if (length > 0) yield [take(false)];
}

/** Whether a capture fits every filter that is given. */
export function passes(capture: Capture, filters: CaptureFilters): boolean {
	const { ids, sinceMs, untilMs, events, subscriptions, verdicts } = filters;
	if (sinceMs !== undefined && capture.receivedAtMs < sinceMs) return false;
	if (untilMs !== undefined && capture.receivedAtMs > untilMs) return false;
	if (ids && !ids.includes(capture.id)) return false;
	if (verdicts && !verdicts.includes(capture.verdict.kind)) return false;
	if (subscriptions) {
		const named = headerValues(capture.headers, WEBHOOK_HEADERS.subscriptionId);
		const known = [capture.subscription ?? "", ...named];
		if (!subscriptions.some((one) => known.includes(one))) return false;
	}
	return !events || events.includes(eventName(capture) ?? "");
}

/** The name of the event in a body; undefined where it holds none. */
export function eventName({ body }: Pick<Capture, "body">): string | undefined {
	try {
		const value: unknown = JSON.parse(body.toString("utf8"));
		return isRecord(value) && typeof value.name === "string"
			? value.name
			: undefined;
	} catch {
		return undefined;
	}
}
