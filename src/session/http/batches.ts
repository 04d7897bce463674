// Messages out of bytes: of one JSON text, and of an event stream in a batch for each chunk.
import { isUtf8 } from "node:buffer";
import { Fault } from "../../faults/index.ts";
import type { OverLimit } from "../../protocol/index.ts";
import {
	elementSpans,
	keepFrame,
	type Laid,
	layOut,
	type Message,
	messageFrom,
	parseJsonBytes,
	type RequestId,
	scanEvent,
	scanFrames,
	scanMessage,
} from "../../protocol/index.ts";
import type { ReadingGate } from "../transport.ts";
import type { Chunks } from "./body.ts";
import { NONE, openSseParser, type SseEvent, type SseParser } from "./sse.ts";

export interface BatchOptions {
	maxMessageBytes: number;
	/** The request whose response ends the answer. */
	id: RequestId;
	/** Told of an event whose type carries no messages. */
	skipped: (type: string) => void;
	/** Asked before each chunk is read, and left once its messages were taken. */
	gate?: ReadingGate | undefined;
}

const startsWithMark = (bytes: Buffer) =>
	bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/**
 * The messages of one JSON text: one, or those of a batch (revision 2025-03-26 has them). Throws `not-json` and
 * `wrong-shape`.
 */
export function readMessages(text: Buffer): Message[] {
	const messages: Message[] = [];
	readInto(messages, text);
	return messages;
}

function readInto(messages: Message[], text: Buffer): void {
	const bytes = startsWithMark(text) ? text.subarray(3) : text;
	const scanned = scanMessage(bytes);
	if (scanned) {
		messages.push(scanned);
		return;
	}
	const value = parseJsonBytes(bytes);
	if (!Array.isArray(value)) {
		messages.push(messageFrom(bytes, value));
		return;
	}
	for (const [at, { start, end }] of elementSpans(bytes).entries())
		messages.push(messageFrom(bytes.subarray(start, end), value[at]));
}

/** Whether a message ends the answer to the request: its response, or an error that could not name it. */
export function endsAnswer(message: Message, id: RequestId): boolean {
	if (message.kind === "error")
		return message.id === undefined || message.id === id;
	return message.kind === "result" && message.id === id;
}

/** Yields the messages of an event stream until the response has been yielded, or to its end. */
export async function* readEvents(
	chunks: Chunks,
	options: BatchOptions,
): AsyncGenerator<Message[]> {
	const limitBytes = options.maxMessageBytes;
	const parser = openSseParser(limitBytes, tooLarge(limitBytes));
	const { gate } = options;
	try {
		for await (const chunk of chunks) {
			const wait = gate?.enter(chunk.length);
			if (wait) await wait;
			const { batch, failure } = readChunk(chunk, parser, options);
			const isOver = batch.some((message) => endsAnswer(message, options.id));
			// What came before a fault was sent in good order, and is passed on first.
			if (batch.length > 0) yield batch;
			// Each generator that passed it on keeps hold of it until the next: of many streams that is much.
			batch.length = 0;
			gate?.leave();
			if (failure !== undefined) throw failure;
			if (isOver) return;
		}
	} finally {
		gate?.leave();
	}
}

function readChunk(
	chunk: Buffer,
	parser: SseParser,
	{ skipped, maxMessageBytes }: BatchOptions,
): { batch: Message[]; failure: unknown } {
	const batch: Message[] = [];
	const laid = isUtf8(wholeLetters(chunk)) ? layOut(chunk) : undefined;
	const sink = {
		push(event: SseEvent) {
			const { type } = event;
			if (type === "" || type === "message") readEvent(event, laid, batch);
			else skipped(type);
		},
		takeAhead: (at: number) =>
			laid
				? scanFrames(laid, at, {
						messages: batch,
						limitBytes: maxMessageBytes,
					})
				: at,
	};
	try {
		parser.push(chunk, sink);
	} catch (failure) {
		return { batch, failure };
	}
	return { batch, failure: undefined };
}

/** Where the event lies in the chunk, it is scanned in its place, and what follows it may be like it. */
function readEvent(
	event: SseEvent,
	laid: Laid | undefined,
	batch: Message[],
): void {
	const isInPlace = laid?.bytes === event.bytes;
	const scanned = isInPlace
		? scanEvent(laid, event.start, event.end)
		: undefined;
	if (!laid || !scanned) {
		readInto(batch, event.data);
		return;
	}
	batch.push(scanned);
	if (event.frameStart !== NONE) keepFrame(laid, event.frameStart, scanned);
}

const LETTER_END = 0x80;
const LETTER_START = 0xc0;
const LONGEST_LETTER = 4;

/**
 * A chunk without the letters that it cuts in two, at its beginning and at its end. It holds every line that lies in the
 * chunk as a whole, so that one question tells whether all of them are UTF-8.
 */
function wholeLetters(chunk: Buffer): Buffer {
	const isInside = (at: number) =>
		((chunk[at] ?? 0) & LETTER_START) === LETTER_END;
	let start = 0;
	while (start < LONGEST_LETTER - 1 && isInside(start)) start++;
	let last = chunk.length - 1;
	while (last > chunk.length - LONGEST_LETTER && isInside(last)) last--;
	const end = (chunk[last] ?? 0) >= LETTER_START ? last : chunk.length;
	return chunk.subarray(start, end);
}

/** Makes the `too-large` fault; for the readers that count. */
export function tooLarge(limitBytes: number): OverLimit {
	return () => {
		throw new Fault("too-large", {
			what: `the server sent a message of more than ${limitBytes} bytes`,
			why: "that is the limit for one message; reading stopped there",
			next: "allow more: --max-message 64mb",
		});
	};
}
