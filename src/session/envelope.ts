// What every request carries besides its own params, by era: `_meta` and routing headers (base.md; events.md 1).
import {
	EXTENSION_ID,
	encodeHeaderValue,
	HEADERS,
	META,
	MODERN_VERSION,
	NAMED_METHODS,
	type RequestId,
} from "../protocol/index.ts";
import type { Era } from "./session.ts";
import type { OutgoingRequest } from "./transport.ts";

export interface ClientInfo {
	name: string;
	version: string;
}

/** What two sides agreed on. */
export interface Agreement {
	era: Era;
	protocolVersion: string;
	/** Legacy HTTP only: the `Mcp-Session-Id`. */
	sessionId: string | undefined;
}

/** Before anything is agreed on: `server/discover` is asked the modern way. */
export const MODERN_AGREEMENT: Agreement = {
	era: "modern",
	protocolVersion: MODERN_VERSION,
	sessionId: undefined,
};

/** The first legacy revision whose clients name the agreed revision in a header. */
const FIRST_WITH_VERSION_HEADER = "2025-06-18";

/** The capabilities of this client, in both eras: the Events extension, nothing else. */
export const CLIENT_CAPABILITIES = { extensions: { [EXTENSION_ID]: {} } };

/** A request as it goes to the transport. */
export function wrapRequest(
	call: { id: RequestId; method: string; params: Record<string, unknown> },
	agreement: Agreement,
	clientInfo: ClientInfo,
): OutgoingRequest {
	const { id, method, params } = call;
	const headers = headersOf(agreement);
	if (agreement.era === "legacy") return { id, method, params, headers };
	headers[HEADERS.method] = method;
	if (NAMED_METHODS.has(method) && typeof params.name === "string")
		headers[HEADERS.name] = encodeHeaderValue(params.name);
	const _meta = {
		...(params._meta as object | undefined),
		[META.protocolVersion]: agreement.protocolVersion,
		[META.clientInfo]: clientInfo,
		[META.clientCapabilities]: CLIENT_CAPABILITIES,
	};
	return { id, method, params: { ...params, _meta }, headers };
}

/** The headers of whatever is sent under an agreement, notifications and answers too. */
export function headersOf(agreement: Agreement): Record<string, string> {
	const headers: Record<string, string> = {};
	const { era, protocolVersion, sessionId } = agreement;
	// Revisions are dates: they compare as text.
	if (era === "modern" || protocolVersion >= FIRST_WITH_VERSION_HEADER)
		headers[HEADERS.protocolVersion] = protocolVersion;
	if (sessionId !== undefined) headers[HEADERS.sessionId] = sessionId;
	return headers;
}
