// The body of a request, and never more of it than may be.
import type { IncomingMessage } from "node:http";
import { Refusal } from "../refusal.ts";

/** Refuses (413) a body over the limit, before the rest of it has come. */
export async function readBody(
	request: IncomingMessage,
	limitBytes: number,
): Promise<Buffer> {
	const tooLarge = () =>
		new Refusal("InvalidRequest", `the body is over ${limitBytes} bytes`, {
			httpStatus: 413,
		});
	if (Number(request.headers["content-length"] ?? 0) > limitBytes)
		throw tooLarge();
	return await new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let length = 0;
		// Not the async iterator: leaving that destroys the socket, and the answer with it.
		const onData = (chunk: Buffer) => {
			length += chunk.length;
			if (length <= limitBytes) {
				chunks.push(chunk);
				return;
			}
			// What still comes is thrown away.
			request.off("data", onData).resume();
			reject(tooLarge());
		};
		request
			.on("data", onData)
			.once("end", () => resolve(Buffer.concat(chunks)))
			.once("close", () => reject(new ClientGone()))
			.once("error", reject);
	});
}

/** Nobody is left to answer. */
export class ClientGone extends Error {
	override readonly name = "ClientGone";
}
