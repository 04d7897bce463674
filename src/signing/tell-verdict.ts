// A verdict in words, for our user alone: a sender must not learn more than that it was refused.
import { WEBHOOK_HEADERS } from "../protocol/index.ts";
import type { Verdict } from "./verify.ts";

/** One clause that says what was found; no secret stands in it. */
export function tellVerdict(verdict: Verdict): string {
	switch (verdict.kind) {
		case "missing-header":
			return `${verdict.header} is missing`;
		case "malformed-header":
			return `${verdict.header}: ${verdict.why}`;
		case "malformed-timestamp":
			return `${WEBHOOK_HEADERS.timestamp} is ${JSON.stringify(verdict.value)}: ${verdict.why}`;
		case "no-known-version":
			return `no signature is of a version that we check, only ${JSON.stringify(verdict.versions)}`;
		case "too-old":
			return `the timestamp is ${verdict.seconds} s old; ${verdict.toleranceSeconds} s are allowed`;
		case "too-new":
			return `the timestamp is ${verdict.seconds} s ahead; ${verdict.toleranceSeconds} s are allowed`;
		case "valid":
			return `signed with ${verdict.label} (${verdict.version})`;
		case "no-match":
			return "no signature was made with a secret that is known here";
	}
}
