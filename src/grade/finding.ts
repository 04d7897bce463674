// What a check found out about a row, before the row's level and the profile make a verdict of it.
import type { Need } from "./catalogue/row.ts";
import type { Disagreement } from "./modes/disagreement.ts";
import type { Citable } from "./wire/record.ts";

export type Finding =
	| { kind: "holds"; found: string; cites: readonly Citable[] }
	| {
			kind: "broken";
			found: string;
			cites: readonly Citable[];
			/** In place of what the row's level says. */
			as?: "FAILURE" | "WARNING";
			/** Only where modes are compared. */
			disagreements?: readonly Disagreement[];
	  }
	/** The rule cannot apply to this server. */
	| { kind: "skipped"; why: string }
	/** The rule was not tried: `missing` says what was needed for it. */
	| {
			kind: "untestable";
			missing: Need;
			why: string;
			cites: readonly Citable[];
	  };

/** The rule was seen to hold. `found` says what was seen, never that all is well. */
export const holds = (found: string, ...cites: Citable[]): Finding => ({
	kind: "holds",
	found,
	cites,
});

/** The rule was seen broken: a failure or a warning, as the level of the row says. */
export const broken = (found: string, ...cites: Citable[]): Finding => ({
	kind: "broken",
	found,
	cites,
});

/** Only odd, whatever the level: another error code than the right one, say. */
export const odd = (found: string, ...cites: Citable[]): Finding => ({
	kind: "broken",
	found,
	cites,
	as: "WARNING",
});

/** Worse than the level says: a SHOULD whose breaking does harm. */
export const harmful = (found: string, ...cites: Citable[]): Finding => ({
	kind: "broken",
	found,
	cites,
	as: "FAILURE",
});

export const skipped = (why: string): Finding => ({ kind: "skipped", why });

/** Never a pass: `missing` names exactly what would make the rule testable. */
export const untestable = (
	missing: Need,
	why: string,
	...cites: Citable[]
): Finding => ({ kind: "untestable", missing, why, cites });

/** Thrown where a scenario cannot go on: every row of it that is not judged yet gets this finding. */
export class Gate extends Error {
	override readonly name = "Gate";
	readonly finding: Finding;

	constructor(finding: Finding) {
		super("the scenario cannot be graded");
		this.finding = finding;
	}
}
