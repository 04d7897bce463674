// JSON-RPC as the server writes it.
import { META, type RequestId } from "../../protocol/index.ts";
import type { ErrorNumbers, Refusal } from "../refusal.ts";

export type Era = "modern" | "legacy";

/** `id` undefined: the request's could not be read, and then the error carries none. */
export function errorText(
	id: RequestId | undefined,
	refusal: Refusal,
	numbers: ErrorNumbers,
): string {
	return JSON.stringify({ jsonrpc: "2.0", id, error: refusal.toWire(numbers) });
}

export function notificationText(
	method: string,
	params: Record<string, unknown>,
	subscription: RequestId,
): string {
	return JSON.stringify({
		jsonrpc: "2.0",
		method,
		params: { ...params, _meta: { [META.subscriptionId]: subscription } },
	});
}
