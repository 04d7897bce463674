// A report as annotations of GitHub Actions: workflow commands, one line each, and the counts as plain text.
import type { GradedRow } from "../grade/index.ts";
import type { GradeToShow } from "./grade-forms.ts";
import {
	countsAgainst,
	countsText,
	isUnexpectedPass,
	keyOf,
} from "./grade-rows.ts";
import { visibleText } from "./visible-text.ts";

export function renderGradeGithub(shown: GradeToShow): string {
	const { report } = shown;
	const lines = report.rows.flatMap((row) => {
		const level = levelOf(row, shown);
		return level === undefined ? [] : [annotation(level, row, shown)];
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

const escapeData = (text: string) =>
	visibleText(text, { multiline: true })
		.replaceAll("%", "%25")
		.replaceAll("\r", "%0D")
		.replaceAll("\n", "%0A");

const escapeProperty = (text: string) =>
	escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
