// How long an answer may be kept, by its caching headers (RFC 9111) and within bounds of our own.
import type { IncomingHttpHeaders } from "node:http";

/** Kept so long at least: else a client could have an origin asked as often as it likes. */
const LEAST_MS = 10_000;
/** A consent that was taken back is noticed by then. */
const MOST_MS = 3_600_000;
const UNSAID_MS = 300_000;

/** Milliseconds for which an answer that came at `nowMs` is fresh. */
export function freshForMs(
	headers: IncomingHttpHeaders,
	nowMs: number,
): number {
	const said = lifetimeMs(headers, nowMs);
	if (said === undefined) return UNSAID_MS;
	const spentMs = secondsOf(headers.age) ?? 0;
	return Math.min(Math.max(said - spentMs, LEAST_MS), MOST_MS);
}

function lifetimeMs(
	headers: IncomingHttpHeaders,
	nowMs: number,
): number | undefined {
	const directives = (headers["cache-control"] ?? "")
		.toLowerCase()
		.split(",")
		.map((directive) => directive.trim());
	if (directives.some((word) => /^no-(store|cache)\b/.test(word))) return 0;
	const maxAge = directives.find((word) => word.startsWith("max-age="));
	if (maxAge) return secondsOf(maxAge.slice(8).replaceAll('"', "")) ?? 0;
	if (headers.expires === undefined) return undefined;
	// Against its own date: the two clocks may differ. What is no date has run out.
	const sentMs = Date.parse(headers.date ?? "") || nowMs;
	return (Date.parse(headers.expires) || sentMs) - sentMs;
}

/** Whole seconds as milliseconds. */
function secondsOf(text: string | undefined): number | undefined {
	return text !== undefined && /^\d{1,12}$/.test(text)
		? Number(text) * 1_000
		: undefined;
}
