// Whether ChatGPT would take a server, in plain words, from the verdicts under its profile (dialects.md, ChatGPT).
import { ID_PREFIX, MODES_SCENARIO } from "./catalogue/row.ts";
import type { GradedRow } from "./verdict.ts";

export interface Readiness {
	/** unknown: nothing failed, but what it rests on was not tried. */
	verdict: "ready" | "refused" | "unknown";
	/** One sentence. */
	told: string;
	/** What would be refused, or what was not tried: one line each. */
	reasons: string[];
}

/** What must have been seen to work before a server may be called ready. */
const ESSENTIAL = [
	"events-discovery/list-implemented",
	"events-discovery/capability-events-object",
	"events-webhook/subscribe-webhook-only",
	"events-webhook-delivery/verification-challenge-echo",
	"events-webhook-delivery/delivery-post-json",
	"events-webhook-delivery/delivery-signature-formula",
	"events-webhook-delivery/delivery-webhook-id",
] as const;

/** `rows` are those of a run under the profile chatgpt. */
export function readReadiness(rows: readonly GradedRow[]): Readiness {
	// It knows one mode, and never meets what another brings.
	const failed = rows.filter(
		({ verdict, scenario }) =>
			verdict === "FAILURE" && scenario !== MODES_SCENARIO,
	);
	if (failed.length > 0)
		return {
			verdict: "refused",
			told: `not ready: ChatGPT would refuse this server, for ${failed.length === 1 ? "one reason" : `${failed.length} reasons`}`,
			reasons: failed.map((row) => `${nameOf(row)}: ${row.message}`),
		};
	const passed = rows
		.filter(({ verdict }) => verdict === "SUCCESS")
		.map(nameOf);
	const untried = ESSENTIAL.filter((key) => !passed.includes(key));
	if (untried.length > 0)
		return {
			verdict: "unknown",
			told: "not known: nothing was seen that ChatGPT would refuse, but what it needs most was not seen to work",
			reasons: untried.map((key) => `${key}: ${whyUntried(key, rows)}`),
		};
	return {
		verdict: "ready",
		told: "ready: nothing was seen that ChatGPT would refuse",
		reasons: [],
	};
}

function whyUntried(key: string, rows: readonly GradedRow[]): string {
	const row = rows.find((each) => nameOf(each) === key);
	return row?.message ?? "not part of this run";
}

const nameOf = ({ scenario, id }: GradedRow) =>
	`${scenario}/${id.replace(ID_PREFIX, "")}`;
