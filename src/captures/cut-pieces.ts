// Cuts files of captures into pieces that can be read apart from each other: each ends where a line does.
import { LINE_FEED, LINE_LIMIT_BYTES } from "./read.ts";

/**
 * Yields the same bytes in pieces that end at line ends, but for the last one: a piece for each chunk that holds a line
 * end. Of a line that is too long it keeps so much as shows that it is. Each piece has memory of its own, so that it
 * can be given away.
 */
export async function* cutAtLineEnds(
	chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	let begun: Buffer[] = [];
	let length = 0;
	const keep = (bytes: Buffer) => {
		const kept = bytes.subarray(0, LINE_LIMIT_BYTES + 1 - length);
		if (kept.length > 0) begun.push(kept);
		length += kept.length;
	};
	for await (const chunk of chunks) {
		const end = chunk.lastIndexOf(LINE_FEED);
		if (end >= 0) {
			const lineEnd = chunk.indexOf(LINE_FEED);
			keep(chunk.subarray(0, lineEnd));
			yield join([...begun, chunk.subarray(lineEnd, end + 1)]);
			begun = [];
			length = 0;
		}
		keep(chunk.subarray(end + 1));
	}
	if (length > 0) yield join(begun);
}

function join(parts: readonly Buffer[]): Uint8Array<ArrayBuffer> {
	const whole = new Uint8Array(
		parts.reduce((sum, part) => sum + part.length, 0),
	);
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
