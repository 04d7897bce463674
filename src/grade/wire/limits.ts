// How much of what a server sends is read and kept: a grader must survive all of it, and still judge the beginning.

export const WIRE_LIMITS = {
	/** One answer to one request, and one message on a stream. */
	answerBytes: 4 * 1024 * 1024,
	/** Messages that come before a response on the same answer. */
	framesOfAnswer: 500,
	/** Messages of one stream that are kept; the others are only counted. */
	framesKept: 5_000,
	/** Bytes of kept messages of one stream. */
	keptBytes: 16 * 1024 * 1024,
	/** A stream that brings more is cut. */
	streamBytes: 256 * 1024 * 1024,
	streamFrames: 1_000_000,
	/** What a child has not read of its stdin: its own requests are answered no more beyond that. */
	unreadBytes: 1024 * 1024,
	/** Lines on a child's stdout that belong to no request. */
	strayLines: 100,
} as const;
