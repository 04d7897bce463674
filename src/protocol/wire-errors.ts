// Every JSON-RPC error number by its name, in each numbering that is deployed (events.md 1; dialects.md).
import type { WireErrorFacts } from "../faults/index.ts";

export type WireErrorName =
	| "ParseError"
	| "InvalidRequest"
	| "MethodNotFound"
	| "InvalidParams"
	| "InternalError"
	| "HeaderMismatch"
	| "MissingRequiredClientCapability"
	| "UnsupportedProtocolVersion"
	| "NotFound"
	| "Forbidden"
	| "ResourceExhausted"
	| "Unsupported"
	| "CallbackEndpointError"
	| "Unknown";

/** Numbers with one meaning everywhere. */
export const CORE_CODES = {
	ParseError: -32700,
	InvalidRequest: -32600,
	MethodNotFound: -32601,
	InvalidParams: -32602,
	InternalError: -32603,
	HeaderMismatch: -32020,
	MissingRequiredClientCapability: -32021,
	UnsupportedProtocolVersion: -32022,
} as const;

/** The events errors as SEP-3415 numbers them. */
export const SEP_CODES = {
	NotFound: -32023,
	Forbidden: -32024,
	ResourceExhausted: -32025,
	Unsupported: -32026,
	CallbackEndpointError: -32027,
} as const;

/** The events errors as the older sketch numbers them. */
export const SKETCH_CODES = {
	NotFound: -32011,
	Forbidden: -32012,
	ResourceExhausted: -32013,
	Unsupported: -32014,
	CallbackEndpointError: -32015,
} as const;

const NAMES = new Map<number, WireErrorName>([
	[-32016, "NotFound"],
	[-32017, "Unsupported"],
]);
for (const table of [CORE_CODES, SEP_CODES, SKETCH_CODES])
	for (const [name, code] of Object.entries(table))
		NAMES.set(code, name as WireErrorName);

/** The contract's name for a JSON-RPC error number; "Unknown" for any other. */
export function nameWireError(code: number): WireErrorName {
	return NAMES.get(code) ?? "Unknown";
}

/** Deeper data tells nothing, and could be parsed but not written again. */
const MOST_LEVELS = 100;

function isWithin(levels: number, value: unknown): boolean {
	if (typeof value !== "object" || value === null) return true;
	if (levels === 0) return false;
	return Object.values(value).every((part) => isWithin(levels - 1, part));
}

/**
 * Reads a JSON-RPC `error` member, or the same shape in a notification or an envelope. Returns undefined where
 * `code` is no integer; a missing message reads as empty (events.md 1, Errors). Data that is nested without end is left out.
 */
export function readWireError(
	value: unknown,
): (WireErrorFacts & { name: WireErrorName }) | undefined {
	if (typeof value !== "object" || value === null) return undefined;
	const { code, message, data } = value as Record<string, unknown>;
	if (!Number.isSafeInteger(code)) return undefined;
	return {
		name: nameWireError(code as number),
		code: code as number,
		message: typeof message === "string" ? message : "",
		data: isWithin(MOST_LEVELS, data) ? data : undefined,
	};
}
