// Collects what a stream says, and lets a test wait for a line or a pattern in place of a sleep.
import type { Readable } from "node:stream";

export interface TextCollector {
	readonly bytes: Buffer;
	readonly text: string;
	/** The next whole line that nobody took yet, without its end; undefined once the stream has ended. */
	nextLine(): Promise<string | undefined>;
	/** Waits until the text so far matches; throws, with that text, where the stream ends before. */
	until(pattern: RegExp): Promise<RegExpExecArray>;
	/** The same for any condition; returns the text that met it. */
	waitFor(isMet: (text: string) => boolean): Promise<string>;
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
	const waitFor = async (isMet: (text: string) => boolean, what: string) => {
		for (;;) {
			const sofar = text();
			if (isMet(sofar)) return sofar;
			if (isEnded)
				throw new Error(
					`the stream ended without ${what}: ${JSON.stringify(sofar.slice(0, 4000))}`,
				);
			await changed;
		}
	};
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
			await waitFor((sofar) => pattern.test(sofar), String(pattern));
			return pattern.exec(text()) as RegExpExecArray;
		},
		waitFor: (isMet) => waitFor(isMet, "what was awaited"),
	};
}
