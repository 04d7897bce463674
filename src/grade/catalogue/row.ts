// What one row of the catalogue is: a rule of the contract with how it is tried and whom it holds for.

/** The parts of the contract, each graded unless the user chooses. */
export const SCENARIOS = [
	"events-discovery",
	"events-poll",
	"events-push",
	"events-webhook",
	"events-webhook-delivery",
] as const;

/** Compares the modes with each other; part of a run only where it is asked for. */
export const MODES_SCENARIO = "events-modes";

/** In the order of a report. */
export const ALL_SCENARIOS = [...SCENARIOS, MODES_SCENARIO] as const;
export type Scenario = (typeof ALL_SCENARIOS)[number];

/** How the dialects differ: dialects.md, Profiles of the tool. */
export const PROFILES = ["final", "chatgpt", "sketch"] as const;
export type Profile = (typeof PROFILES)[number];

/** must, should and may follow the keyword of the sentence; wire is a fact stated without one. */
export type Level = "must" | "should" | "may" | "wire";

/** Printed before every id. */
export const ID_PREFIX = "sep-3415-";

/** What a rule cannot be tried without, for --explain and for an untestable verdict. */
export interface Need {
	/** answer: an earlier answer of the server; feature: something else about server or surroundings. */
	kind:
		| "control"
		| "flag"
		| "credential"
		| "traffic"
		| "feature"
		| "answer"
		| "time"
		| "defect";
	/** The tool, the flag, or in words what is missing. */
	name: string;
}

export interface CatalogueRow {
	scenario: Scenario;
	/** Without the prefix; unique only together with the scenario. */
	id: string;
	level: Level;
	/** A fact that clients can work without: broken, it warns. Only for wire rows. */
	isWeak?: boolean;
	/** The part of the contract that the rule stands in. */
	section: string;
	/** The rule in one sentence. */
	requirement: string;
	/** How it is tried. */
	how: string;
	needs: readonly Need[];
	transport: "http" | "stdio" | "both";
	/** Those that it holds for. */
	profiles: readonly Profile[];
	/** What the rule is under a profile that turns it round. */
	turned: Readonly<Partial<Record<Profile, string>>>;
}

type Told = Pick<
	CatalogueRow,
	"id" | "level" | "section" | "requirement" | "how"
> &
	Partial<CatalogueRow>;

/** Completes rows of one scenario: without a word they hold for every profile and both transports, and need nothing. */
export function rowsOf(
	scenario: Scenario,
	rows: readonly Told[],
): readonly CatalogueRow[] {
	return rows.map((row) => ({
		needs: [],
		transport: "both",
		profiles: PROFILES,
		turned: {},
		...row,
		scenario,
	}));
}

/** How a row is named where its scenario is not clear: `events-poll/mcp-name-missing-rejected`. */
export const rowKey = ({
	scenario,
	id,
}: Pick<CatalogueRow, "scenario" | "id">) => `${scenario}/${id}`;
