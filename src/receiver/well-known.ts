// The document by which anyone may point deliveries at this origin (events.md 6, Consent).
import { createHash } from "node:crypto";
import { type HeaderPair, headerValues } from "../protocol/index.ts";
import { type Answer, refusalAnswer } from "./answer.ts";

const MAX_AGE_SECONDS = 300;

/** Answers a request for the document, which lists exactly `prefix`. */
export function answerWellKnown(
	{ method, headers }: { method: string; headers: readonly HeaderPair[] },
	prefix: string,
): Answer {
	if (method !== "GET" && method !== "HEAD")
		return refusalAnswer("wrong-method", "GET, HEAD");
	const body = `${JSON.stringify({ receivers: [prefix] })}\n`;
	const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
	const caching = {
		etag,
		"cache-control": `public, max-age=${MAX_AGE_SECONDS}`,
	};
	if (isKnown(headerValues(headers, "if-none-match").join(","), etag))
		return { status: 304, headers: caching };
	const described = {
		...caching,
		"content-type": "application/json",
		"content-length": String(Buffer.byteLength(body)),
	};
	return {
		status: 200,
		headers: described,
		...(method === "GET" ? { body } : {}),
	};
}

function isKnown(asked: string, etag: string): boolean {
	const tags = asked.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
	return tags.includes("*") || tags.includes(etag);
}
