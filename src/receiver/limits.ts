// What a sender may take from us: sizes, times and numbers.
import { DELIVERY_LIMIT_BYTES } from "../protocol/index.ts";

export interface ReceiverLimits {
	bodyBytes: number;
	headerBytes: number;
	/** Until the headers are whole; also until a TLS handshake is. */
	headersTimeoutMs: number;
	/** Until the whole request is here. */
	requestTimeoutMs: number;
	/** How long a connection may rest between requests. */
	idleTimeoutMs: number;
	/** Connections beyond this are closed as they come. */
	connections: number;
	/** Requests in progress beyond this are answered 503. */
	requests: number;
	/** How many keys the memory of duplicates holds, where none is handed in. */
	seenKeys: number;
}

export const RECEIVER_LIMITS: Readonly<ReceiverLimits> = {
	bodyBytes: DELIVERY_LIMIT_BYTES,
	headerBytes: 16 * 1024,
	headersTimeoutMs: 10_000,
	requestTimeoutMs: 30_000,
	idleTimeoutMs: 60_000,
	connections: 256,
	requests: 256,
	seenKeys: 10_000,
};
