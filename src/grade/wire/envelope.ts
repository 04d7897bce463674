// What a right request carries besides its own params, by era; a check bends it from there (base.md, Messages and HTTP).
import {
	EXTENSION_ID,
	encodeHeaderValue,
	HEADERS,
	META,
	MODERN_VERSION,
	NAMED_METHODS,
} from "../../protocol/index.ts";
import type { AskOptions } from "./wire.ts";

/** What was agreed on in the handshake. */
export interface Agreement {
	era: "modern" | "legacy";
	protocolVersion: string;
	sessionId: string | undefined;
}

export const MODERN: Agreement = {
	era: "modern",
	protocolVersion: MODERN_VERSION,
	sessionId: undefined,
};

export const CLIENT_CAPABILITIES = { extensions: { [EXTENSION_ID]: {} } };

/** The first legacy revision whose clients name the revision in a header. */
const FIRST_WITH_VERSION_HEADER = "2025-06-18";

/** The JSON text of a request. */
export function messageText(
	call: { id: unknown; method: string; params: Record<string, unknown> },
	agreement: Agreement,
	{ clientInfo, meta }: { clientInfo: object; meta: AskOptions["meta"] },
): string {
	const { id, method, params } = call;
	return JSON.stringify({
		jsonrpc: "2.0",
		...(id !== undefined && { id }),
		method,
		params: withMeta(params, agreement, { clientInfo, meta }),
	});
}

function withMeta(
	params: Record<string, unknown>,
	agreement: Agreement,
	{ clientInfo, meta }: { clientInfo: object; meta: AskOptions["meta"] },
): Record<string, unknown> {
	if (meta === null) return params;
	if (meta !== undefined) return { ...params, _meta: meta };
	if (agreement.era === "legacy") return params;
	return {
		...params,
		_meta: {
			[META.protocolVersion]: agreement.protocolVersion,
			[META.clientInfo]: clientInfo,
			[META.clientCapabilities]: CLIENT_CAPABILITIES,
		},
	};
}

/** The headers of a request that belong to the protocol. */
export function routingHeaders(
	method: string,
	params: Record<string, unknown>,
	{ era, protocolVersion, sessionId }: Agreement,
): Record<string, string> {
	const headers: Record<string, string> = {
		"content-type": "application/json",
		accept: "application/json, text/event-stream",
		"accept-encoding": "identity",
		"user-agent": "mcp-events",
	};
	if (era === "modern" || protocolVersion >= FIRST_WITH_VERSION_HEADER)
		headers[HEADERS.protocolVersion] = protocolVersion;
	if (sessionId !== undefined) headers[HEADERS.sessionId] = sessionId;
	if (era === "legacy") return headers;
	headers[HEADERS.method] = method;
	if (NAMED_METHODS.has(method) && typeof params.name === "string")
		headers[HEADERS.name] = encodeHeaderValue(params.name);
	return headers;
}

/** `given` with the overrides of a check: a value takes the place of ours, undefined takes it away. */
export function bendHeaders(
	given: Record<string, string>,
	overrides: Record<string, string | undefined> = {},
): Record<string, string> {
	const bent: Record<string, string> = {};
	for (const [name, value] of Object.entries({ ...given, ...overrides }))
		if (value !== undefined) bent[name] = value;
	return bent;
}
