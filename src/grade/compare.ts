// Runs of one server under several profiles as one report: each finding says which profiles it breaks.
import type { Profile } from "./catalogue/row.ts";
import { countByScenario, countVerdicts, type Report } from "./report.ts";
import type { GradedRow, VerdictWord } from "./verdict.ts";

/** From what counts most to what counts least. */
const WEIGHT: readonly VerdictWord[] = [
	"FAILURE",
	"WARNING",
	"UNTESTABLE",
	"SUCCESS",
	"SKIPPED",
];

/**
 * The rows of all runs, each with the verdict that counts most and with `breaks`: the profiles under which it failed
 * or warned. `reports` is not empty, and all have the same rows.
 */
export function mergeReports(reports: readonly [Report, ...Report[]]): Report {
	const [first] = reports;
	const rows = first.rows.map((row, at) => {
		const all = reports.flatMap(({ profile, rows: own }) => {
			const graded = own[at];
			return graded ? [{ profile, graded }] : [];
		});
		return mergeRow(row, all);
	});
	const readiness = reports.find((report) => report.readiness)?.readiness;
	return {
		...first,
		compared: reports.map(({ profile }) => profile),
		durationMs: reports.reduce((sum, report) => sum + report.durationMs, 0),
		isComplete: reports.every((report) => report.isComplete),
		offersEvents: reports.some((report) => report.offersEvents),
		counts: countVerdicts(rows),
		countsByScenario: countByScenario(rows),
		...(readiness && { readiness }),
		rows,
	};
}

function mergeRow(
	row: GradedRow,
	all: readonly { profile: Profile; graded: GradedRow }[],
): GradedRow {
	const graded = all.map((each) => each.graded);
	const worst =
		WEIGHT.map((verdict) =>
			graded.find((each) => each.verdict === verdict),
		).find((found) => found !== undefined) ?? row;
	const breaks = all
		.filter(({ graded: { verdict } }) =>
			["FAILURE", "WARNING"].includes(verdict),
		)
		.map(({ profile }) => profile);
	if (breaks.length === 0) return worst;
	return {
		...worst,
		breaks,
		message: `breaks ${breaks.join(" and ")}: ${worst.message}`,
	};
}
