// Streams that keep what was written, for tests of what a reader sees.
import { Writable } from "node:stream";
import type { TerminalStream } from "../../src/output/sink.ts";

export interface FakeStream extends TerminalStream {
	/** All that was written, as text. */
	text(): string;
	/** How many writes there were, empty ones left out. */
	writes: number;
}

export function openFakeStream(
	options: { isTTY?: boolean; columns?: number } = {},
): FakeStream {
	const chunks: Buffer[] = [];
	const stream = new Writable({
		decodeStrings: true,
		write(chunk: Buffer, _encoding, done) {
			if (chunk.length > 0) {
				chunks.push(chunk);
				fake.writes++;
			}
			done();
		},
	});
	const fake: FakeStream = Object.assign(stream, options, {
		text: () => Buffer.concat(chunks).toString("utf8"),
		writes: 0,
	});
	return fake;
}
