// Why a request is not taken.
import type { Verdict } from "../signing/index.ts";
import type { RefusalReason } from "./answer.ts";
import type { Route } from "./route.ts";

export interface Refusal {
	kind: "refused";
	reason: RefusalReason;
	/** The evidence, for our user; it never goes to the sender. */
	why: string;
	/** What was found out about the signature, if it came to that. */
	verdict: Verdict | undefined;
	route: Route | undefined;
}

export function refuse(
	reason: RefusalReason,
	why: string,
	facts: { route?: Route; verdict?: Verdict } = {},
): Refusal {
	return {
		kind: "refused",
		reason,
		why,
		verdict: facts.verdict,
		route: facts.route,
	};
}
