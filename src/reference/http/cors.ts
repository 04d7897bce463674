// What a browser asks before it lets a page of another origin call, and what it wants to see in the answers.
import { HEADERS } from "../../protocol/index.ts";
import type { Exchange } from "./exchange.ts";

const ASKED = [
	"accept",
	"authorization",
	"content-type",
	HEADERS.protocolVersion,
	HEADERS.method,
	HEADERS.name,
	HEADERS.sessionId,
].join(", ");
const SHOWN = [HEADERS.sessionId, "retry-after", "www-authenticate"].join(", ");
const REMEMBERED_SECONDS = "600";

/**
 * Tells the browser that the page may read the answer; its origin must have been found allowed. True where the request
 * was nothing but the browser's question, and is answered.
 */
export function answerBrowser({ request, response }: Exchange): boolean {
	const { origin } = request.headers;
	if (origin === undefined) return false;
	response.setHeader("access-control-allow-origin", origin);
	response.setHeader("vary", "Origin");
	response.setHeader("access-control-expose-headers", SHOWN);
	const isQuestion =
		request.method === "OPTIONS" &&
		request.headers["access-control-request-method"] !== undefined;
	if (!isQuestion) return false;
	response.writeHead(204, {
		"access-control-allow-methods": "POST, DELETE",
		"access-control-allow-headers": ASKED,
		"access-control-max-age": REMEMBERED_SECONDS,
	});
	response.end();
	return true;
}
