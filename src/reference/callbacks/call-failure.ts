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

/** The code of a system error; empty where there is none. */
export function codeOf(error: unknown): string {
	if (typeof error !== "object" || error === null) return "";
	return "code" in error && typeof error.code === "string" ? error.code : "";
}
