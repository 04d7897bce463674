// Each line that arrives is an event. What is JSON is passed on as it was written: numbers, keys and escapes untouched.
import type { Readable } from "node:stream";
import { LineSplitter } from "../../protocol/index.ts";
import type { Clock } from "../clock.ts";
import { Feed } from "../feed.ts";
import type { Source } from "../source.ts";
import {
	type JsonPayload,
	payloadOf,
	readIdMember,
	readMoment,
} from "./json-payload.ts";

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

/** Reads until the input ends; what is buffered is served until closed. */
export function openStdinSource(options: StdinOptions): Source {
	const { input, clock, epoch, eventName = DEFAULT_NAME } = options;
	const { bufferSize = BUFFER_SIZE, note = () => {} } = options;
	const feed = new Feed<null>({ clock, epoch, maxEvents: bufferSize });

	function takeLine(bytes: Buffer) {
		const text = bytes.toString("utf8");
		if (text.trim() === "") return;
		const payload = readPayload(text);
		const { idField, timestampField } = options;
		const id =
			idField === undefined ? undefined : readIdMember(payload, idField);
		const at =
			timestampField === undefined
				? undefined
				: readMoment(payload.record?.[timestampField]);
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

/** Text that is no JSON stands under `line`. */
function readPayload(text: string): JsonPayload {
	try {
		return payloadOf(Buffer.from(text), JSON.parse(text));
	} catch {
		return { text: JSON.stringify({ line: text }), record: undefined };
	}
}
