// Cuts files of captures into pieces that can be read apart from each other: each ends where a line does.
import { LINE_FEED, LINE_LIMIT_BYTES } from "./read.ts";

/**
 * Yields the same bytes in pieces that end at line ends, but for the last one: a piece for each chunk that holds a line
 * end. Of a line that is too long it keeps so much as shows that it is. Each piece is put into memory that `roomFor`
 * gives for so many bytes, so that it can be handed over to a thread. A chunk may be overwritten by the next one.
 */
export async function* cutAtLineEnds(
	chunks: AsyncIterable<Buffer>,
	roomFor: (length: number) => Uint8Array<ArrayBuffer>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	let begun: Buffer[] = [];
	let length = 0;
	const keep = (bytes: Buffer) => {
		const kept = Buffer.from(bytes.subarray(0, LINE_LIMIT_BYTES + 1 - length));
		if (kept.length > 0) begun.push(kept);
		length += kept.length;
	};
	for await (const chunk of chunks) {
		const end = chunk.lastIndexOf(LINE_FEED);
		if (end >= 0) {
			const lineEnd = chunk.indexOf(LINE_FEED);
			keep(chunk.subarray(0, lineEnd));
			yield join([...begun, chunk.subarray(lineEnd, end + 1)], roomFor);
			begun = [];
			length = 0;
		}
		keep(chunk.subarray(end + 1));
	}
	if (length > 0) yield join(begun, roomFor);
}

function join<T extends Uint8Array>(
	parts: readonly Buffer[],
	roomFor: (length: number) => T,
): T {
	const whole = roomFor(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
