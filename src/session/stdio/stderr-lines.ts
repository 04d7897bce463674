// A child's stderr: its log, passed on line by line, and its last words kept for a fault.
import type { Readable } from "node:stream";
import { LineSplitter } from "../../protocol/index.ts";

const LINE_LIMIT_BYTES = 16 * 1024;
const KEPT_LINES = 3;
const KEPT_LINE_BYTES = 300;

/** Hands every line to `onLine`, cut at a limit; returns how to ask for the last few. */
export function readStderr(
	stderr: Readable,
	onLine: (line: Buffer) => void,
): () => string[] {
	const kept: string[] = [];
	const take = (line: Buffer) => {
		if (line.length > 0) kept.push(line.toString("utf8", 0, KEPT_LINE_BYTES));
		if (kept.length > KEPT_LINES) kept.shift();
		onLine(line);
	};
	const splitter = new LineSplitter(LINE_LIMIT_BYTES, {
		onLine: take,
		onTooLong: take,
	});
	stderr.on("data", (chunk: Buffer) => splitter.push(chunk));
	stderr.on("end", () => splitter.end());
	stderr.on("error", () => splitter.end());
	return () => [...kept];
}
