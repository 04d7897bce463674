// Server-sent events by the WHATWG standard ("Interpreting an event stream"), on bytes: what stood in `data` comes out
// as it went in, neither decoded nor encoded again. `id` and `retry` are read over: no stream here is taken up again.
import { GrowingBytes, type OverLimit } from "../../protocol/index.ts";

/**
 * One event. Its data, never empty, stands in `bytes` from `start` to `end`: in the chunk that was pushed, where it lay in
 * one. A view of it is made for whoever asks: for each event of a stream it would cost as much as finding it.
 */
export class SseEvent {
	/** "" where the event has no type of its own. */
	type = "";
	/** The place of its first line, where all that it has are a type and one line of data, in one chunk; or NONE. */
	frameStart = NONE;
	readonly bytes: Buffer;
	readonly start: number;
	readonly end: number;

	constructor(bytes: Buffer, start: number, end: number) {
		this.bytes = bytes;
		this.start = start;
		this.end = end;
	}

	get data(): Buffer {
		return this.bytes.subarray(this.start, this.end);
	}
}

/** No place. */
export const NONE = -1;

/** Where the events go; an array will do. */
export interface SseSink {
	push(event: SseEvent): unknown;
	/**
	 * Asked behind each event that ended in a chunk: may take by itself what follows there, whole events, and returns the
	 * place behind them.
	 */
	takeAhead?(at: number): number;
}

export interface SseParser {
	/** How many comment lines there were: legal keep-alives that carry nothing. */
	readonly comments: number;
	/**
	 * Pushes the events that end in this chunk: those before a fault were pushed when it is thrown. The chunk must not be
	 * changed afterwards.
	 */
	push(chunk: Buffer, events: SseSink): void;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = Buffer.from([LF]);
const DATA = Buffer.from("data");
const EVENT = Buffer.from("event");
const MESSAGE = Buffer.from("message");
/** Room for `data: ` beside the data itself, so that the limit is one of the message. */
const FIELD_NAME_BYTES = 8;
/** A type is compared and quoted, never longer than this. */
const TYPE_BYTES = 100;

/**
 * Opens a parser for one stream. `overLimit` is called, and must throw, as soon as a line or the data of one event
 * grows over `limitBytes`. What is unfinished at the end of the stream is no event: it is simply dropped.
 */
export function openSseParser(
	limitBytes: number,
	overLimit: OverLimit,
): SseParser {
	return new Parser(limitBytes, overLimit);
}

class Parser implements SseParser {
	comments = 0;
	readonly #limitBytes: number;
	readonly #overLimit: OverLimit;
	/** The beginning of a line whose end has not come yet. */
	readonly #carried: GrowingBytes;
	/** The data of one event with several `data` lines, joined by LF. */
	readonly #joined: GrowingBytes;
	/** What the first `data` line of the event holds, in place; undefined: none yet. */
	#first: SseEvent | undefined;
	#isJoining = false;
	#type = "";
	#isFirstLine = true;
	/** The last chunk ended in CR: a LF at the start of the next belongs to it. */
	#skipsLineFeed = false;
	#events: SseSink = [];
	/** As of SseEvent, for the event that is being read. */
	#frameStart = NONE;
	/** Whether a line has just ended an event, and nothing of the next has come. */
	#isBetween = false;

	constructor(limitBytes: number, overLimit: OverLimit) {
		this.#limitBytes = limitBytes;
		this.#overLimit = overLimit;
		this.#carried = new GrowingBytes(limitBytes + FIELD_NAME_BYTES, overLimit);
		this.#joined = new GrowingBytes(limitBytes, overLimit);
	}

	push(chunk: Buffer, events: SseSink): void {
		this.#events = events;
		// What began in another chunk has no place in this one.
		this.#frameStart = NONE;
		let at = 0;
		if (this.#skipsLineFeed && chunk.length > 0) {
			if (chunk[0] === LF) at = 1;
			this.#skipsLineFeed = false;
		}
		let lf = indexFrom(chunk, LF, at);
		let cr = indexFrom(chunk, CR, at);
		while (lf < chunk.length || cr < chunk.length) {
			const end = Math.min(lf, cr);
			this.#endLine(chunk, at, end);
			at = end + 1;
			if (end === cr) {
				if (at === chunk.length) this.#skipsLineFeed = true;
				else if (chunk[at] === LF) at++;
				cr = indexFrom(chunk, CR, at);
			}
			if (this.#isBetween && events.takeAhead) {
				at = events.takeAhead(at);
				if (cr < at) cr = indexFrom(chunk, CR, at);
			}
			if (lf < at) lf = indexFrom(chunk, LF, at);
		}
		if (at < chunk.length) this.#carried.append(chunk, at);
		// What has come must not be kept in memory until the next.
		this.#events = [];
	}

	#endLine(chunk: Buffer, start: number, end: number): void {
		if (this.#isBetween) this.#frameStart = start;
		this.#isBetween = false;
		if (this.#carried.length === 0) this.#readLine(chunk, start, end);
		else {
			this.#frameStart = NONE;
			this.#carried.append(chunk, start, end);
			const line = this.#carried.take();
			this.#readLine(line, 0, line.length);
		}
	}

	#readLine(bytes: Buffer, from: number, end: number): void {
		let start = from;
		if (this.#isFirstLine) {
			this.#isFirstLine = false;
			if (matches(bytes, start, end, BYTE_ORDER_MARK)) start += 3;
		}
		if (start === end) this.#dispatch();
		else if (isField(bytes, start, end, DATA))
			this.#addData(bytes, valueStart(bytes, start + DATA.length, end), end);
		else if (isField(bytes, start, end, EVENT)) {
			this.#type = typeAt(
				bytes,
				valueStart(bytes, start + EVENT.length, end),
				end,
			);
		} else {
			if (bytes[start] === COLON) this.comments++;
			this.#frameStart = NONE;
		}
	}

	#addData(bytes: Buffer, start: number, end: number): void {
		if (end - start > this.#limitBytes) this.#overLimit();
		if (this.#first === undefined) {
			this.#first = new SseEvent(bytes, start, end);
			return;
		}
		if (!this.#isJoining) this.#joined.append(this.#first.data);
		this.#isJoining = true;
		this.#frameStart = NONE;
		this.#joined.append(LINE_FEED);
		this.#joined.append(bytes, start, end);
	}

	#dispatch(): void {
		const event = this.#isJoining ? this.#takeJoined() : this.#first;
		if (event !== undefined && event.end > event.start) {
			event.type = this.#type;
			event.frameStart = this.#frameStart;
			this.#events.push(event);
		}
		this.#first = undefined;
		this.#isJoining = false;
		this.#type = "";
		this.#frameStart = NONE;
		this.#isBetween = true;
	}

	#takeJoined(): SseEvent {
		const joined = this.#joined.take();
		return new SseEvent(joined, 0, joined.length);
	}
}

/** Nearly every event says that it is a message: that is known without being made into a text. */
function typeAt(bytes: Buffer, start: number, end: number): string {
	if (end - start === MESSAGE.length && matches(bytes, start, end, MESSAGE))
		return "message";
	return bytes.toString("utf8", start, Math.min(end, start + TYPE_BYTES));
}

/** The place of `byte` at or after `from`, or the length: then no later search of the chunk is needed. */
function indexFrom(chunk: Buffer, byte: number, from: number): number {
	// An event ends in an empty line, which needs no search.
	if (chunk[from] === byte) return from;
	const at = chunk.indexOf(byte, from);
	return at === -1 ? chunk.length : at;
}

function matches(bytes: Buffer, start: number, end: number, name: Buffer) {
	if (end - start < name.length) return false;
	for (let at = 0; at < name.length; at++)
		if (bytes[start + at] !== name[at]) return false;
	return true;
}

/** A line is a field's where its name ends the line or is followed by a colon. A comment begins with the colon. */
function isField(bytes: Buffer, start: number, end: number, name: Buffer) {
	const after = start + name.length;
	return (
		matches(bytes, start, end, name) &&
		(after === end || bytes[after] === COLON)
	);
}

/** `from` is just behind the name: skips the colon and the one space that may follow it. */
function valueStart(bytes: Buffer, from: number, end: number): number {
	if (from >= end) return end;
	const value = from + 1;
	return value < end && bytes[value] === SPACE ? value + 1 : value;
}
