// A report as annotations of GitHub Actions: workflow commands, one line each, and the counts as plain text.
import type { GradedRow } from "../grade/index.ts";
import type { GradeToShow } from "./grade-forms.ts";
import {
	countsAgainst,
	countsText,
	groupAlike,
	idsText,
	isUnexpectedPass,
	keyOf,
} from "./grade-rows.ts";
import { visibleText } from "./visible-text.ts";

export function renderGradeGithub(shown: GradeToShow): string {
	const { report } = shown;
	const lines = groupAlike(report.rows).flatMap((group) => {
		const [row] = group;
		const level = row && levelOf(row, shown);
		if (!row || level === undefined) return [];
		return group.length === 1
			? [annotation(level, row, shown)]
			: [annotationOfMany(level, row, group)];
	});
	const total = `mcp-events: ${report.rows.length} rules: ${countsText(report.counts)}`;
	return `${[...lines, total].join("\n")}\n`;
}

function levelOf(row: GradedRow, shown: GradeToShow): string | undefined {
	if (countsAgainst(row, shown)) return "error";
	if (row.verdict === "WARNING") return "warning";
	return row.verdict === "UNTESTABLE" || row.verdict === "FAILURE"
		? "notice"
		: undefined;
}

function annotation(level: string, row: GradedRow, shown: GradeToShow): string {
	const pass = isUnexpectedPass(row, shown)
		? "passes, and was said to fail: "
		: "";
	const text = `${pass}${row.message}\n${row.requirement}`;
	return `::${level} title=${escapeProperty(keyOf(row))}::${escapeData(text)}`;
}

/** GitHub shows ten of a level: what is alike takes one. */
function annotationOfMany(
	level: string,
	{ scenario, message }: GradedRow,
	group: readonly GradedRow[],
): string {
	const title = `${scenario} (${group.length} rules)`;
	const text = `${message}\n${idsText(group)}`;
	return `::${level} title=${escapeProperty(title)}::${escapeData(text)}`;
}

const escapeData = (text: string) =>
	visibleText(text, { multiline: true })
		.replaceAll("%", "%25")
		.replaceAll("\r", "%0D")
		.replaceAll("\n", "%0A");

const escapeProperty = (text: string) =>
	escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
