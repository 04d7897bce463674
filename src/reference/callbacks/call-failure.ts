// Why a call came to nothing, by the six words that may be told; never what was found there.
import type { CallbackReason } from "../../protocol/index.ts";

export class CallFailure extends Error {
	override readonly name = "CallFailure";
	readonly reason: CallbackReason;

	constructor(reason: CallbackReason, options?: { cause?: unknown }) {
		super(`the callback failed: ${reason}`, options);
		this.reason = reason;
	}
}

/** The reason that a status stands for; undefined for 2xx. A redirect is a mistake in the URL, as a 4xx is. */
export function reasonOfStatus(status: number): CallbackReason | undefined {
	if (status >= 200 && status < 300) return undefined;
	return status >= 500 ? "http_5xx" : "http_4xx";
}

/** The code of a system error; empty where there is none. */
export function codeOf(error: unknown): string {
	if (typeof error !== "object" || error === null) return "";
	return "code" in error && typeof error.code === "string" ? error.code : "";
}
