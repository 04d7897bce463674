// The body of a request, and never more of it than may be.
import { Refusal } from "../refusal.ts";
import type { HttpRequest } from "./exchange.ts";

/** HTTP/2 has no time limit of its own for what a client sends. */
const BODY_MS = 30_000;

/** Refuses a body over the limit (413), before the rest of it has come, and one that takes too long (408). */
export async function readBody(
	request: HttpRequest,
	limitBytes: number,
): Promise<Buffer> {
	const tooLarge = () =>
		new Refusal("InvalidRequest", `the body is over ${limitBytes} bytes`, {
			httpStatus: 413,
		});
	if (Number(request.headers["content-length"] ?? 0) > limitBytes)
		throw tooLarge();
	return await new Promise((resolve, reject) => {
		const timer = setTimeout(() => {
			request.off("data", onData);
			reject(
				new Refusal("InvalidRequest", "the body took too long", {
					httpStatus: 408,
				}),
			);
		}, BODY_MS);
		const chunks: Buffer[] = [];
		let length = 0;
		// Not the async iterator: leaving that destroys the socket, and the answer with it.
		const onData = (chunk: Buffer) => {
			length += chunk.length;
			if (length <= limitBytes) {
				chunks.push(chunk);
				return;
			}
			request.off("data", onData);
			reject(tooLarge());
		};
		request
			.on("data", onData)
			.once("end", () => resolve(Buffer.concat(chunks)))
			.once("close", () => reject(new ClientGone()))
			.once("error", reject)
			.once("close", () => clearTimeout(timer))
			.once("end", () => clearTimeout(timer));
	});
}

/** Nobody is left to answer. */
export class ClientGone extends Error {
	override readonly name = "ClientGone";
}
