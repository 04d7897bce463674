// Collects what a stream says, and lets a test wait for a line or a pattern in place of a sleep.
import type { Readable } from "node:stream";

export interface TextCollector {
	readonly bytes: Buffer;
	readonly text: string;
	/** The next whole line that nobody took yet, without its end; undefined once the stream has ended. */
	nextLine(): Promise<string | undefined>;
	/** Waits until the text so far matches; throws, with that text, where the stream ends before. */
	until(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Reads the stream from now on, as fast as it comes. */
export function openTextCollector(stream: Readable): TextCollector {
	const chunks: Buffer[] = [];
	let isEnded = false;
	let taken = 0;
	let wake = () => {};
	let changed = new Promise<void>((resolve) => {
		wake = resolve;
	});
	const tell = () => {
		wake();
		changed = new Promise((resolve) => {
			wake = resolve;
		});
	};
	stream.on("data", (chunk: Buffer) => {
		chunks.push(chunk);
		tell();
	});
	for (const end of ["end", "close", "error"])
		stream.on(end, () => {
			isEnded = true;
			tell();
		});
	const bytes = () => Buffer.concat(chunks);
	const text = () => bytes().toString("utf8");
	return {
		get bytes() {
			return bytes();
		},
		get text() {
			return text();
		},
		async nextLine() {
			for (;;) {
				const all = bytes();
				const end = all.indexOf("\n", taken);
				if (end >= 0) {
					const line = all.toString("utf8", taken, end);
					taken = end + 1;
					return line;
				}
				if (isEnded) return undefined;
				await changed;
			}
		},
		async until(pattern) {
			for (;;) {
				const match = pattern.exec(text());
				if (match) return match;
				if (isEnded)
					throw new Error(
						`the stream ended without ${pattern}: ${JSON.stringify(text().slice(0, 4000))}`,
					);
				await changed;
			}
		},
	};
}
