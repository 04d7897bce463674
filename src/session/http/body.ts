// The body of an answer as chunks that are read one at a time, when they are asked for.
import type { Dispatcher } from "undici";
import { GrowingBytes, type OverLimit } from "../../protocol/index.ts";
import { joinValues } from "./headers.ts";

export type Answer = Dispatcher.ResponseData;
/** Read by one loop; leaving the loop leaves the body open: who opened the exchange closes it. */
export type Chunks = AsyncIterable<Buffer>;

/** How much of a body may come after what was wanted, so that the connection can be used again. */
const REST_BYTES = 16 * 1024;
const REST_MS = 1_000;

const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** How a line of an event stream can begin: a comment, data, event, id, retry. */
const OPENS_EVENTS = [...":deir"].map((letter) => letter.charCodeAt(0));
/** Enough to see past white space that comes in drops; whoever sends more of it sends neither kind. */
const CHUNKS_TO_JUDGE = 64;

/** The value of a header of an answer, by its name in lower case. */
export function headerOf(answer: Answer, name: string): string | undefined {
	return joinValues(answer.headers[name]);
}

/** The chunks of a body. */
export function chunksOf(answer: Answer): AsyncIterableIterator<Buffer> {
	return answer.body.iterator({ destroyOnReturn: false });
}

/**
 * Tells an event stream by its content type and, where there is none, by how the body begins. `chunks` then stand for
 * the whole body still.
 */
export async function findKind(
	answer: Answer,
): Promise<{ chunks: Chunks; isEvents: boolean }> {
	const chunks = chunksOf(answer);
	const type = headerOf(answer, "content-type")?.split(";")[0]?.trim();
	if (type)
		return { chunks, isEvents: type.toLowerCase() === "text/event-stream" };
	const read: Buffer[] = [];
	while (read.length < CHUNKS_TO_JUDGE) {
		const { value, done } = await chunks.next();
		if (done) break;
		read.push(value);
		const first = firstByte(value);
		if (first === undefined) continue;
		const isEvents = OPENS_EVENTS.includes(first);
		return { chunks: chain(read, chunks), isEvents };
	}
	return { chunks: chain(read, chunks), isEvents: false };
}

/** The first byte that is neither white space nor part of a byte order mark. */
function firstByte(bytes: Buffer): number | undefined {
	return bytes.find((byte) => byte > SPACE && !BYTE_ORDER_MARK.includes(byte));
}

async function* chain(read: Buffer[], chunks: Chunks): AsyncGenerator<Buffer> {
	yield* read;
	yield* chunks;
}

/**
 * Reads a body to its end, of `expectedBytes` where that is known; throws what `overLimit` throws as soon as it is longer
 * than the limit.
 */
export async function readWhole(
	chunks: Chunks,
	size: { limitBytes: number; expectedBytes: number | undefined },
	overLimit: OverLimit,
): Promise<Buffer> {
	const { limitBytes, expectedBytes } = size;
	const bytes = new GrowingBytes(limitBytes, overLimit, expectedBytes);
	for await (const chunk of chunks) bytes.append(chunk);
	return bytes.take();
}

/**
 * Ends the reading of a body. After the response only its end should be left: that is read in the background, within
 * bounds, so that the connection can be used again. Otherwise the exchange is cut, which cancels the request.
 */
export function endBody(answer: Answer, isComplete: boolean): void {
	answer.body.on("error", () => {});
	if (!isComplete) {
		answer.body.destroy();
		return;
	}
	const signal = AbortSignal.timeout(REST_MS);
	answer.body.dump({ limit: REST_BYTES, signal }).catch(() => {});
}
