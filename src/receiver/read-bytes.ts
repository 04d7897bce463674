// Reads a request's body within its bound, and throws away what nobody wants without keeping it.
import type { IncomingMessage } from "node:http";

/** A sender that goes on for longer after it was refused is cut off. */
const MOST_DISCARDED_BYTES = 8 * 1024 * 1024;

type ReadBytes = Buffer | "too-large" | "gone";

/** The body's bytes; `too-large` as soon as it passes `limitBytes`; `gone` where the sender left in the middle. */
export function readBytes(
	request: IncomingMessage,
	limitBytes: number,
): Promise<ReadBytes> {
	return new Promise((resolve) => {
		const chunks: Buffer[] = [];
		let length = 0;
		const take = (chunk: Buffer) => {
			length += chunk.length;
			if (length <= limitBytes) return chunks.push(chunk);
			request.off("data", take);
			chunks.length = 0;
			return resolve("too-large");
		};
		request.on("data", take);
		const gone = () => resolve("gone");
		// Only the first of them counts. To take each off again would cost more than it holds.
		request.on("end", () => resolve(joined(chunks)));
		request.on("close", gone);
		request.on("error", gone);
	});
}

/**
 * The same of a request that came some time ago. Most bodies are here whole by then, and are taken at once: to be told of
 * each piece and of the end takes as long as to check a signature.
 */
export function readArrived(
	request: IncomingMessage,
	limitBytes: number,
): ReadBytes | Promise<ReadBytes> {
	if (request.complete) {
		const body: Buffer = request.read() ?? Buffer.alloc(0);
		return body.length > limitBytes ? "too-large" : body;
	}
	return request.destroyed ? "gone" : readBytes(request, limitBytes);
}

/** Most bodies come in one piece. */
const joined = (chunks: Buffer[]): Buffer =>
	chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);

/**
 * Lets the rest of a body run off, so that a sender in the middle of it can still read the answer: closing at once
 * would reset the connection under it.
 */
export function discardRest(request: IncomingMessage): void {
	let length = 0;
	request.on("data", (chunk: Buffer) => {
		length += chunk.length;
		if (length > MOST_DISCARDED_BYTES) request.destroy();
	});
	request.once("error", () => {});
}
