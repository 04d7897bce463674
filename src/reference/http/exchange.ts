// One request and its answer, as HTTP/1.1 and HTTP/2 have them in common.
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";

export interface HttpRequest extends Readable {
	readonly headers: IncomingHttpHeaders;
	readonly method?: string | undefined;
	readonly url?: string | undefined;
	readonly socket: { readonly remoteAddress?: string | undefined };
}

/** What is used of either response; that of HTTP/2 is a Writable by its types alone. */
export interface HttpResponse {
	readonly headersSent: boolean;
	/** Of HTTP/2 alone. */
	readonly stream?: {
		close(): unknown;
		once(event: "finish", act: () => void): unknown;
	};
	setHeader(name: string, value: string): unknown;
	writeHead(status: number, headers?: Record<string, string | number>): unknown;
	/** False where the client is behind: `drain` or `close` comes. */
	write(text: string): boolean;
	end(): unknown;
	end(body: string | Buffer): unknown;
	destroy(): unknown;
	on(event: "drain" | "close", act: () => void): unknown;
	once(event: "drain" | "close", act: () => void): unknown;
	off(event: "drain" | "close", act: () => void): unknown;
}

export interface Exchange {
	readonly request: HttpRequest;
	readonly response: HttpResponse;
}

/** Without the query. */
export const pathOf = ({ url = "" }: HttpRequest) => url.split("?")[0] ?? "";

/** Host, which HTTP/2 writes as `:authority`. */
export function authorityOf(headers: IncomingHttpHeaders): string {
	const authority = headers[":authority"];
	return typeof authority === "string" ? authority : (headers.host ?? "");
}

const SHORT_BODY_BYTES = 64 * 1024;

/** Lets go of a body that nobody will read; a long one costs the connection, or under HTTP/2 the stream alone. */
export function leaveBody({ request, response }: Exchange): void {
	if (request.readableEnded) return;
	const { stream } = response;
	// The answer is whole, and the rest of the question unwanted (RFC 9113 8.1).
	if (stream) stream.once("finish", () => stream.close());
	else if (mayBeLong(request.headers))
		response.setHeader("connection", "close");
	request.resume();
}

const mayBeLong = (headers: IncomingHttpHeaders) =>
	headers["transfer-encoding"] !== undefined ||
	Number(headers["content-length"] ?? 0) > SHORT_BODY_BYTES;
