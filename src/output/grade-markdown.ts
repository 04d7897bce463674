// A report as Markdown for a pull request: the counts of each scenario, then what did not pass, the worst first.
import type { GradedRow } from "../grade/index.ts";
import type { GradeToShow } from "./grade-forms.ts";
import {
	countsAgainst,
	countsText,
	groupAlike,
	isExpected,
	isUnexpectedPass,
	VERDICT_ORDER,
} from "./grade-rows.ts";
import { visibleLine } from "./visible-text.ts";

const LONGEST_CELL = 400;

export function renderGradeMarkdown(shown: GradeToShow): string {
	const { report } = shown;
	const lines = [
		`## MCP Events: ${escapeCell(report.server.label)}`,
		"",
		`${report.rows.length} rules, ${report.compared ? "profiles" : "profile"} \`${(report.compared ?? [report.profile]).join(", ")}\`: ${countsText(report.counts)}.`,
		"",
		"| scenario | passed | failed | warnings | skipped | untestable |",
		"|---|--:|--:|--:|--:|--:|",
		...report.scenarios.map((scenario) => {
			const counts = report.countsByScenario[scenario];
			const cells = counts
				? [
						counts.SUCCESS,
						counts.FAILURE,
						counts.WARNING,
						counts.SKIPPED,
						counts.UNTESTABLE,
					]
				: [];
			return `| ${[scenario, ...cells].join(" | ")} |`;
		}),
		...findingLines(shown),
		...readinessLines(report),
	];
	return `${lines.join("\n")}\n`;
}

function readinessLines({ readiness }: GradeToShow["report"]): string[] {
	if (!readiness) return [];
	return [
		"",
		`**${escapeCell(readiness.told)}**`,
		...readiness.reasons
			.slice(0, 20)
			.map((reason) => `- ${escapeCell(reason)}`),
	];
}

function findingLines(shown: GradeToShow): string[] {
	const told = shown.report.rows
		.filter(
			(row) =>
				isUnexpectedPass(row, shown) ||
				(row.verdict !== "SUCCESS" && row.verdict !== "SKIPPED"),
		)
		.sort((a, b) => placeOf(a, shown) - placeOf(b, shown));
	if (told.length === 0) return [];
	return [
		"",
		"| verdict | rule | found |",
		"|---|---|---|",
		...groupAlike(told).map((group) => lineOf(group, shown)),
	];
}

/** What counts against the server comes first. */
const placeOf = (row: GradedRow, shown: GradeToShow) =>
	countsAgainst(row, shown) ? -1 : VERDICT_ORDER.indexOf(row.verdict);

function lineOf(group: readonly GradedRow[], shown: GradeToShow): string {
	const [row] = group;
	if (!row) return "";
	const ids = group.map(({ id }) => `\`${id}\``).join(", ");
	const about =
		group.length === 1
			? `${row.scenario}, ${row.level}`
			: `${row.scenario}, ${group.length} rules`;
	return `| ${verdictWords(row, shown)} | ${ids} (${about}) | ${escapeCell(row.message)} |`;
}

function verdictWords(row: GradedRow, shown: GradeToShow): string {
	if (isUnexpectedPass(row, shown)) return "unexpected pass";
	const isFine = row.verdict === "FAILURE" && isExpected(row, shown);
	return isFine ? "expected failure" : row.verdict.toLowerCase();
}

/** Pipes, markup, and what makes a link of an address that stands alone. */
const MARKUP = /[\\`*_{}[\]<>()#+!|~@&$]|:(?=\/\/)|(?<=www)\./g;

/** Behind these a name or a number would call a person, or refer to an issue, by whatever they are written. */
const CALLS = ["@", "#"];
const ZERO_WIDTH_SPACE = "&#8203;";

/** No pipe ends a cell, and nothing a server said becomes markup, a link or a call. */
function escapeCell(text: string): string {
	return visibleLine(text, LONGEST_CELL).replace(MARKUP, (char) => {
		const reference = `&#${char.charCodeAt(0)};`;
		return CALLS.includes(char) ? reference + ZERO_WIDTH_SPACE : reference;
	});
}
