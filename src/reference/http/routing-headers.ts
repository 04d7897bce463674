// What the modern era repeats in headers, and which era a request belongs to (base.md, Streamable HTTP).
import type { IncomingHttpHeaders } from "node:http";
import {
	decodeHeaderValue,
	HEADERS,
	isRecord,
	LEGACY_VERSIONS,
	META,
	METHODS,
	MODERN_VERSION,
	NAMED_METHODS,
} from "../../protocol/index.ts";
import type { Profile } from "../profiles/profiles.ts";
import { Refusal } from "../refusal.ts";
import type { Era } from "../rpc/envelope.ts";
import type { ServedEras } from "../settings.ts";

interface Call {
	method: string;
	params: Record<string, unknown>;
}

/** One header; several of one name are not one value. */
export function headerOf(
	headers: IncomingHttpHeaders,
	name: string,
): string | undefined {
	const value = headers[name];
	return Array.isArray(value) ? value.join(", ") : value;
}

export function eraOf(
	headers: IncomingHttpHeaders,
	{ method, params }: Call,
	served: ServedEras,
): Era {
	if (served !== "both") return served;
	if (method === METHODS.initialize) return "legacy";
	const version = headerOf(headers, HEADERS.protocolVersion);
	const meta = isRecord(params._meta) ? params._meta : {};
	if (META.protocolVersion in meta || version === MODERN_VERSION)
		return "modern";
	if (headers[HEADERS.sessionId] !== undefined) return "legacy";
	return isLegacyVersion(version) ? "legacy" : "modern";
}

export const isLegacyVersion = (version: string | undefined) =>
	LEGACY_VERSIONS.some((known) => known === version);

/** Refuses headers that are missing or say another thing than the body. */
export function checkRoutingHeaders(
	headers: IncomingHttpHeaders,
	{ method, params }: Call,
	{ eventNameHeader }: Profile,
): void {
	const version = headerOf(headers, HEADERS.protocolVersion);
	const meta = isRecord(params._meta) ? params._meta : {};
	const inBody = meta[META.protocolVersion];
	if (version === undefined) throw mismatch("MCP-Protocol-Version is missing");
	if (typeof inBody === "string" && inBody !== version)
		throw mismatch("MCP-Protocol-Version and params._meta differ");
	const named = headerOf(headers, HEADERS.method);
	if (named === undefined) throw mismatch("Mcp-Method is missing");
	if (named !== method) throw mismatch("Mcp-Method and method differ");
	if (!NAMED_METHODS.has(method) || typeof params.name !== "string") return;
	// A tool's name is the core protocol's affair, whatever the profile.
	const rule = method === METHODS.callTool ? "required" : eventNameHeader;
	if (rule === "ignored") return;
	const name = headerOf(headers, HEADERS.name);
	if (name === undefined && rule === "tolerated") return;
	if (name === undefined) throw mismatch("Mcp-Name is missing");
	if (decodeHeaderValue(name) !== params.name)
		throw mismatch("Mcp-Name and params.name differ");
}

const mismatch = (message: string) => new Refusal("HeaderMismatch", message);

/** Whether an Accept header lets a media type through; without the header everything goes. */
export function accepts(header: string | undefined, type: string): boolean {
	if (header === undefined) return true;
	const [family] = type.split("/");
	return header.split(",").some((part) => {
		const range = part.split(";")[0]?.trim().toLowerCase();
		return range === type || range === `${family}/*` || range === "*/*";
	});
}
