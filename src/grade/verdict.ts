// From what a check found to the verdict of a row: by its level, and by the profile.
import {
	type CatalogueRow,
	ID_PREFIX,
	type Level,
	type Need,
	type Profile,
	type Scenario,
} from "./catalogue/row.ts";
import type { Finding } from "./finding.ts";
import type { Disagreement } from "./modes/disagreement.ts";
import { citedMessages, type Scribe, type WireMessage } from "./wire/record.ts";

export const VERDICTS = [
	"SUCCESS",
	"FAILURE",
	"WARNING",
	"SKIPPED",
	"UNTESTABLE",
] as const;
/** UNTESTABLE is counted apart, and never a pass. */
export type VerdictWord = (typeof VERDICTS)[number];

/** One row of a report. */
export interface GradedRow {
	/** With its prefix. */
	id: string;
	scenario: Scenario;
	level: Level;
	section: string;
	/** The rule, as the profile has it. */
	requirement: string;
	verdict: VerdictWord;
	/** What was seen, or why nothing was. */
	message: string;
	/** Only of UNTESTABLE: what would make it testable. */
	missing?: Need;
	/** Only where modes are compared, and do not agree. */
	disagreements?: readonly Disagreement[];
	/** Only where profiles were compared: those under which it failed or warned. */
	breaks?: Profile[];
	/** How long the check took that judged it. */
	tookMs: number;
	evidence: WireMessage[];
}

/** Messages of one verdict, at most. */
const EVIDENCE_MOST = 12;

const MISSING_WORDS: Record<Need["kind"], string> = {
	control: "the control tool",
	flag: "the flag",
	credential: "the credential:",
	traffic: "traffic:",
	feature: "something of the server or its surroundings:",
	answer: "an answer to",
	time: "more time:",
	defect: "a correction of this program:",
};

/** The rule of a row under a profile. */
export function requirementOf(row: CatalogueRow, profile: Profile): string {
	const turned = row.turned[profile];
	return turned === undefined
		? row.requirement
		: `${row.requirement} Under the profile ${profile}: ${turned}.`;
}

export function makeGradedRow(
	row: CatalogueRow,
	finding: Finding,
	about: { profile: Profile; tookMs: number; scribe: Scribe },
): GradedRow {
	const { profile, tookMs, scribe } = about;
	const { verdict, message } = verdictOf(row, finding);
	const cites = "cites" in finding ? finding.cites : [];
	return {
		id: ID_PREFIX + row.id,
		scenario: row.scenario,
		level: row.level,
		section: row.section,
		requirement: requirementOf(row, profile),
		verdict,
		message: scribe.mask(message),
		...(finding.kind === "untestable" && { missing: finding.missing }),
		...(finding.kind === "broken" &&
			finding.disagreements && {
				disagreements: finding.disagreements.map((each) => ({
					...each,
					eventId: scribe.mask(each.eventId),
				})),
			}),
		tookMs,
		evidence: citedMessages(cites, EVIDENCE_MOST),
	};
}

function verdictOf(
	row: CatalogueRow,
	finding: Finding,
): { verdict: VerdictWord; message: string } {
	switch (finding.kind) {
		case "holds":
			return { verdict: "SUCCESS", message: finding.found };
		case "broken":
			return {
				verdict: finding.as ?? severityOf(row),
				message: finding.found,
			};
		case "skipped":
			return { verdict: "SKIPPED", message: finding.why };
		case "untestable": {
			const { kind, name } = finding.missing;
			return {
				verdict: "UNTESTABLE",
				message: `not tried, for want of ${MISSING_WORDS[kind]} ${name}: ${finding.why}`,
			};
		}
	}
}

/** What breaking a rule is: a SHOULD and a fact that clients can do without warn, all else fails. */
function severityOf({ level, isWeak }: CatalogueRow): "FAILURE" | "WARNING" {
	if (level === "must") return "FAILURE";
	return level === "wire" && !isWeak ? "FAILURE" : "WARNING";
}
