// How many streams an HTTP/2 server allows on one connection, read from the SETTINGS frame with which it must begin.
// undici does not tell, and what goes over the number waits in Node without a word.
import type { Socket } from "node:net";

/** RFC 9113, 4.1: a frame's head is three bytes of length, type, flags and four bytes of stream id. */
const HEAD_BYTES = 9;
const TYPE_AT = 3;
const SETTINGS = 0x04;
/** RFC 9113, 6.5: each setting is two bytes of name and four of value. */
const SETTING_BYTES = 6;
const MAX_CONCURRENT_STREAMS = 0x03;
/** A server may wait for our first bytes before it speaks: then nothing is learned. */
const PATIENCE_MS = 250;

/**
 * The limit as the server states it; undefined where it states none, or not in time. What was read is put back:
 * whoever takes the socket over misses nothing.
 */
export async function readStreamLimit(
	socket: Socket,
): Promise<number | undefined> {
	const bytes = await peek(socket);
	if (bytes.length < HEAD_BYTES || bytes[TYPE_AT] !== SETTINGS)
		return undefined;
	const end = Math.min(bytes.length, HEAD_BYTES + bytes.readUIntBE(0, 3));
	for (let at = HEAD_BYTES; at + SETTING_BYTES <= end; at += SETTING_BYTES)
		if (bytes.readUInt16BE(at) === MAX_CONCURRENT_STREAMS)
			return bytes.readUInt32BE(at + 2);
	return undefined;
}

function peek(socket: Socket): Promise<Buffer> {
	return new Promise((resolve) => {
		const done = () => {
			clearTimeout(timer);
			socket.off("readable", done).off("close", done);
			const bytes: Buffer | null = socket.read();
			if (bytes) socket.unshift(bytes);
			resolve(bytes ?? Buffer.alloc(0));
		};
		const timer = setTimeout(done, PATIENCE_MS);
		socket.on("readable", done).on("close", done);
	});
}
