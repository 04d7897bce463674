// Each line that arrives is an event. What is JSON is passed on as it was written: numbers, keys and escapes untouched.
import type { Readable } from "node:stream";
import {
	isInstant,
	isRecord,
	LineSplitter,
	memberSpans,
	oneLine,
} from "../../protocol/index.ts";
import type { Clock } from "../clock.ts";
import { Feed } from "../feed.ts";
import type { Source } from "../source.ts";

export interface StdinOptions {
	input: Readable;
	clock: Clock;
	/** Names this run, so that ids and cursors of another are told apart. */
	epoch: string;
	eventName?: string;
	/** The member of each object that is its eventId. */
	idField?: string;
	/** The member that says when it happened: an ISO 8601 instant, or a number of seconds or milliseconds since 1970. */
	timestampField?: string;
	bufferSize?: number;
	/** For what the operator should know. */
	note?: (text: string) => void;
}

const DEFAULT_NAME = "stdin.line";
const BUFFER_SIZE = 10_000;
const LINE_LIMIT_BYTES = 1024 * 1024;
/** Numbers above it are milliseconds, below it seconds: 1973 in the one, 5138 in the other. */
const MILLISECONDS_FROM = 100_000_000_000;
/** The end of the year 9999, beyond which ISO 8601 takes another form. */
const LATEST_MS = 253_402_300_799_999;

/** Reads until the input ends; what is buffered is served until closed. */
export function openStdinSource(options: StdinOptions): Source {
	const { input, clock, epoch, eventName = DEFAULT_NAME } = options;
	const { bufferSize = BUFFER_SIZE, note = () => {} } = options;
	const feed = new Feed<null>({ clock, epoch, maxEvents: bufferSize });

	function takeLine(bytes: Buffer) {
		const text = bytes.toString("utf8");
		if (text.trim() === "") return;
		const payload = readPayload(text);
		const id = payload.record && readId(payload, options.idField);
		const at = payload.record && readTime(payload, options.timestampField);
		feed.emit(
			(sequence) => ({
				eventId: id ?? `${eventName}-${epoch}-${sequence}`,
				name: eventName,
				at: at ?? clock.now(),
				dataText: payload.text,
			}),
			null,
		);
	}

	const lines = new LineSplitter(LINE_LIMIT_BYTES, {
		onLine: takeLine,
		onTooLong: () =>
			note(`a line over ${LINE_LIMIT_BYTES} bytes on stdin was left out`),
	});
	const onData = (chunk: Buffer | string) => lines.push(Buffer.from(chunk));
	const onEnd = () => lines.end();
	const onError = (error: Error) => note(`stdin failed: ${error.message}`);
	input.on("data", onData).on("end", onEnd).on("error", onError);

	return {
		types: [
			{
				descriptor: describe(eventName),
				head: () => feed.head(),
				read: (request) => feed.read(request, () => true),
				watch: (_args, wake) => feed.watch(wake),
			},
		],
		close() {
			input.off("data", onData).off("end", onEnd).off("error", onError);
			input.pause();
		},
	};
}

function describe(name: string) {
	return {
		name,
		description:
			"A line that arrived on the server's standard input. JSON objects are passed on as they are; other JSON stands under value, other text under line.",
		delivery: ["poll" as const, "push" as const],
		inputSchema: { type: "object", additionalProperties: false },
		payloadSchema: { type: "object" },
	};
}

interface Payload {
	/** JSON text of an object. */
	text: string;
	record: Record<string, unknown> | undefined;
}

function readPayload(text: string): Payload {
	try {
		const value: unknown = JSON.parse(text);
		// A carriage return between the tokens would end the line that the event is sent on.
		const bytes = Buffer.from(text);
		const json = oneLine(bytes, { start: 0, end: bytes.length }).toString();
		if (isRecord(value)) return { text: json, record: value };
		return { text: `{"value":${json}}`, record: undefined };
	} catch {
		return { text: JSON.stringify({ line: text }), record: undefined };
	}
}

function readId({ text, record }: Payload, field: string | undefined) {
	const value = field === undefined ? undefined : record?.[field];
	if (typeof value === "string" && value !== "") return value;
	if (typeof value !== "number" || field === undefined) return undefined;
	// The digits as written: a number of twenty of them would lose some, and two ids become one.
	const bytes = Buffer.from(text);
	const span = memberSpans(bytes).get(field);
	return span && bytes.toString("utf8", span.start, span.end);
}

function readTime({ record }: Payload, field: string | undefined) {
	const value = field === undefined ? undefined : record?.[field];
	if (typeof value === "string" && isInstant(value)) return Date.parse(value);
	if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
	const at = Math.abs(value) < MILLISECONDS_FROM ? value * 1000 : value;
	return at >= 0 && at <= LATEST_MS ? at : undefined;
}
