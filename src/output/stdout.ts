// The way out for data: what is written here has been accepted by the reader when the promise resolves, so that a slow
// reader slows the source, and a cursor may be saved. A reader that went away is told apart from a failure.
import { writeSync } from "node:fs";
import type { Writable } from "node:stream";
import { Fault } from "../faults/index.ts";

/** The reader closed its end: a normal end of the program, not a fault (product.md, Output). */
export class ReaderGone extends Error {
	override readonly name = "ReaderGone";

	constructor() {
		super("the reader of stdout is gone");
	}
}

export interface Stdout {
	/** Aborted, with a ReaderGone, as soon as it is known that nobody reads any more. */
	readonly readerGone: AbortSignal;
	/** Resolves when the reader has it all. Rejects with ReaderGone, or an `output-failed` fault. */
	write(bytes: Buffer | string): Promise<void>;
	/** Whether nothing that was written waits in this process. */
	readonly hasLeft: boolean;
	/** Resolves when all that was written is accepted, or never can be. */
	flush(): Promise<void>;
}

const GONE_CODES = new Set([
	"EPIPE",
	"ECONNRESET",
	"ERR_STREAM_DESTROYED",
	"ERR_STREAM_WRITE_AFTER_END",
	"ERR_STREAM_PREMATURE_CLOSE",
]);

export function openStdout(stream: Writable, isTerminal: boolean): Stdout {
	const gone = new AbortController();
	let failure: Error | undefined;
	/** A stream that is destroyed may never call back for a write under way. */
	const underWay = new Set<(error: Error) => void>();
	/** The first failure is the one that says why; what follows from it is noise. */
	const fail = (error: unknown): Error => {
		if (failure) return failure;
		failure = isGone(error, isTerminal) ? new ReaderGone() : outputFault(error);
		if (failure instanceof ReaderGone) gone.abort(failure);
		for (const reject of underWay) reject(failure);
		underWay.clear();
		return failure;
	};
	// The listeners stay for good: a late EPIPE without one would end the process with a stack trace.
	stream.on("error", fail);
	stream.on("close", () => fail(new ReaderGone()));
	const file = fileDescriptor(stream);
	const write = (bytes: Buffer | string) => {
		if (failure) return Promise.reject(failure);
		return new Promise<void>((resolve, reject) => {
			underWay.add(reject);
			const accept = (error?: Error | null) => {
				underWay.delete(reject);
				if (error) reject(fail(error));
				else resolve();
			};
			try {
				if (file === undefined) stream.write(bytes, accept);
				else {
					writeWhole(file, bytes);
					accept();
				}
			} catch (error) {
				reject(fail(error));
			}
		});
	};
	return {
		readerGone: gone.signal,
		write,
		get hasLeft() {
			return file !== undefined || stream.writableLength === 0;
		},
		flush: () =>
			file === undefined ? write("").catch(() => {}) : Promise.resolve(),
	};
}

/**
 * Where stdout is a file, Node's own stream takes a short write for a whole one: at a full disk the rest would be
 * lost without an error.
 */
function fileDescriptor(stream: Writable): number | undefined {
	if (!("_type" in stream && stream._type === "fs" && "fd" in stream)) return;
	return typeof stream.fd === "number" ? stream.fd : undefined;
}

function writeWhole(fd: number, bytes: Buffer | string): void {
	const whole = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
	for (let done = 0; done < whole.length; )
		done += writeSync(fd, whole, done, whole.length - done);
}

function isGone(error: unknown, isTerminal: boolean): boolean {
	if (error instanceof ReaderGone) return true;
	const code = codeOf(error);
	// A terminal that was closed answers EIO.
	return GONE_CODES.has(code) || (isTerminal && code === "EIO");
}

function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : "";
}

function outputFault(cause: unknown): Fault {
	const code = codeOf(cause);
	return new Fault("output-failed", {
		what: "stdout could not take the output",
		why: cause instanceof Error ? cause.message : undefined,
		next:
			code === "ENOSPC" || code === "EDQUOT"
				? "free some space, or write to another place, and go on from the last cursor"
				: "write to another place, and go on from the last cursor",
		cause,
	});
}
