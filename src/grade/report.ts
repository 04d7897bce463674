// A whole run as data: what `--output json` prints, and what all other forms are made from.
import { CONTRACT_PIN } from "../protocol/index.ts";
import { ALL_SCENARIOS, type Profile, type Scenario } from "./catalogue/row.ts";
import { type Readiness, readReadiness } from "./readiness.ts";
import { type GradedRow, VERDICTS, type VerdictWord } from "./verdict.ts";

export type Counts = Record<VerdictWord, number>;

export interface GradedServer {
	/** Without credentials or query. */
	label: string;
	transport: "http" | "stdio";
	era?: "modern" | "legacy";
	name?: string;
	version?: string;
}

export interface Report {
	/** Of this shape; counted up when a member changes its meaning. */
	reportVersion: 1;
	tool: { name: string; version: string };
	/** The revision of the contract that was graded. */
	contract: string;
	profile: Profile;
	/** Only where several profiles were compared: all of them; `profile` is the first. */
	compared?: Profile[];
	server: GradedServer;
	/** ISO 8601. */
	startedAt: string;
	durationMs: number;
	scenarios: Scenario[];
	/** False where the run was stopped, or its budget was used up. */
	isComplete: boolean;
	/** False where the server does not offer the extension at all. */
	offersEvents: boolean;
	counts: Counts;
	countsByScenario: Partial<Record<Scenario, Counts>>;
	/** Only under the profile chatgpt. */
	readiness?: Readiness;
	rows: GradedRow[];
}

export function countVerdicts(rows: readonly GradedRow[]): Counts {
	const counts = Object.fromEntries(
		VERDICTS.map((verdict) => [verdict, 0]),
	) as Counts;
	for (const { verdict } of rows) counts[verdict]++;
	return counts;
}

export function countByScenario(
	rows: readonly GradedRow[],
): Partial<Record<Scenario, Counts>> {
	return Object.fromEntries(
		scenariosOf(rows).map((scenario) => [
			scenario,
			countVerdicts(rows.filter((row) => row.scenario === scenario)),
		]),
	);
}

const scenariosOf = (rows: readonly GradedRow[]) =>
	ALL_SCENARIOS.filter((scenario) =>
		rows.some((row) => row.scenario === scenario),
	);

export function makeReport(
	facts: Omit<
		Report,
		| "reportVersion"
		| "contract"
		| "startedAt"
		| "counts"
		| "countsByScenario"
		| "readiness"
		| "compared"
		| "scenarios"
	> & { startedAtMs: number },
): Report {
	const { startedAtMs, rows, ...rest } = facts;
	const scenarios = scenariosOf(rows);
	return {
		reportVersion: 1,
		contract: CONTRACT_PIN,
		...rest,
		startedAt: new Date(startedAtMs).toISOString(),
		scenarios,
		counts: countVerdicts(rows),
		countsByScenario: countByScenario(rows),
		...(rest.profile === "chatgpt" && { readiness: readReadiness(rows) }),
		rows,
	};
}
