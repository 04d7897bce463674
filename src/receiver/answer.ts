// What a sender is answered (product.md, Receiving). A refusal's body names its reason and nothing that helps to forge.
import type { Verdict } from "../signing/index.ts";

export interface Answer {
	status: number;
	headers?: Readonly<Record<string, string>>;
	body?: string;
}

export type RefusalReason =
	| "unknown-path"
	| "wrong-method"
	| "too-large"
	| "not-json-type"
	| "encoded"
	| "not-ours"
	| "unknown-subscription"
	| "busy"
	| "not-stored"
	| Exclude<Verdict["kind"], "valid">;

/** How long a sender is asked to wait before it tries again. */
const RETRY_AFTER_SECONDS = "2";

const STATUSES: Readonly<Record<RefusalReason, number>> = {
	"unknown-path": 404,
	"wrong-method": 405,
	"too-large": 413,
	"not-json-type": 415,
	encoded: 415,
	"missing-header": 400,
	"malformed-header": 400,
	"malformed-timestamp": 400,
	"no-known-version": 401,
	"no-match": 401,
	"too-old": 401,
	"too-new": 401,
	"not-ours": 400,
	"unknown-subscription": 503,
	busy: 503,
	"not-stored": 503,
};

export const STORED: Answer = { status: 204 };

/** The answer to a refused request; `allow` goes with `wrong-method`. */
export function refusalAnswer(reason: RefusalReason, allow = "POST"): Answer {
	const status = STATUSES[reason];
	return {
		status,
		headers: {
			"content-type": "application/json",
			...(status === 405 ? { allow } : {}),
			...(status === 503 ? { "retry-after": RETRY_AFTER_SECONDS } : {}),
		},
		body: `${JSON.stringify({ error: reason })}\n`,
	};
}

/** The echo of a handshake. */
export function echoAnswer(challenge: string): Answer {
	return {
		status: 200,
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ challenge }),
	};
}
