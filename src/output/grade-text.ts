// A report for people on a terminal: what failed first in each scenario, then what could not be tried, then the counts.
import type { GradedRow, Report, VerdictWord } from "../grade/index.ts";
import { wrapAtMost } from "./display-width.ts";
import type { GradeToShow } from "./grade-forms.ts";
import {
	countsAgainst,
	countsText,
	groupAlike,
	idsText,
	isExpected,
	isUnexpectedPass,
	keyOf,
	VERDICT_ORDER,
} from "./grade-rows.ts";
import type { Page } from "./pretty.ts";
import { visibleLine, visibleText } from "./visible-text.ts";

const WORDS: Record<VerdictWord, string> = {
	SUCCESS: "pass",
	FAILURE: "FAIL",
	WARNING: "warn",
	SKIPPED: "skip",
	UNTESTABLE: "????",
};
const INDENT = " ".repeat(7);
const MESSAGE_LINES = 6;
/** All rules of a scenario, by their names. */
const NAMES_LINES = 40;
const REASONS_MOST = 20;
const LONGEST_MESSAGE = 1_000;

export function renderGradeText(shown: GradeToShow, page: Page): string {
	const { report } = shown;
	const lines = [...headLines(report, page)];
	for (const scenario of report.scenarios) {
		const counts = report.countsByScenario[scenario];
		const told = counts ? countsText(counts) : "";
		lines.push("", `${page.palette.heading(scenario)}  ${told}`);
		for (const group of groupAlike(rowsToTell(report, scenario, shown)))
			lines.push(...groupLines(group, shown, page));
	}
	lines.push("", ...closingLines(shown, page), ...readinessLines(report, page));
	return `${lines.join("\n")}\n`;
}

function readinessLines({ readiness }: Report, { palette, width }: Page) {
	if (!readiness) return [];
	const paint =
		readiness.verdict === "ready" ? palette.heading : palette.failure;
	return [
		"",
		paint(visibleLine(readiness.told)),
		...readiness.reasons
			.slice(0, REASONS_MOST)
			.flatMap((reason) =>
				wrapAtMost(
					visibleText(reason.slice(0, LONGEST_MESSAGE)),
					width - 4,
					3,
				).map((line, at) => (at === 0 ? `  - ${line}` : `    ${line}`)),
			),
	];
}

function headLines(
	{ server, profile, compared }: Report,
	{ palette }: Page,
): string[] {
	const name = [server.name, server.version].filter(Boolean).join(" ");
	const about = name === "" ? "" : ` (${visibleLine(name, 120)})`;
	const era = server.era ? `, ${server.era}` : "";
	return [
		`${palette.name(visibleLine(server.label, 400))}${about}: ${compared ? `profiles ${compared.join(", ")}` : `profile ${profile}`}, over ${server.transport}${era}`,
	];
}

function rowsToTell(
	{ rows }: Report,
	scenario: string,
	shown: GradeToShow,
): GradedRow[] {
	const { isVerbose } = shown;
	const own = rows.filter((row) => row.scenario === scenario);
	return VERDICT_ORDER.flatMap((verdict) =>
		own.filter((row) => {
			if (row.verdict !== verdict) return false;
			const isQuiet = verdict === "SUCCESS" || verdict === "SKIPPED";
			return isVerbose || !isQuiet || isUnexpectedPass(row, shown);
		}),
	);
}

/** One row, or several that share what is told of them. */
function groupLines(
	group: readonly GradedRow[],
	shown: GradeToShow,
	{ palette, width }: Page,
): string[] {
	const [row] = group;
	if (!row) return [];
	const mark = paintOf(row, palette)(WORDS[row.verdict]);
	const room = Math.max(20, width - INDENT.length);
	const indented = (text: string, most: number) =>
		wrapAtMost(text, room, most).map((line) => INDENT + line);
	const message = visibleText(row.message.slice(0, LONGEST_MESSAGE));
	const head =
		group.length === 1
			? [
					`  ${mark} ${idsText(group)} ${palette.faint(`(${row.level})`)}${noteOf(row, shown)}`,
				]
			: [
					`  ${mark} ${group.length} rules`,
					...indented(idsText(group), NAMES_LINES).map((line) =>
						palette.faint(line),
					),
				];
	return [...head, ...indented(message, MESSAGE_LINES)];
}

function noteOf(row: GradedRow, shown: GradeToShow): string {
	if (isUnexpectedPass(row, shown)) return " passes, and was said to fail";
	return row.verdict === "FAILURE" && isExpected(row, shown)
		? " as expected"
		: "";
}

function paintOf({ verdict }: GradedRow, palette: Page["palette"]) {
	if (verdict === "FAILURE") return palette.failure;
	if (verdict === "WARNING" || verdict === "UNTESTABLE") return palette.warning;
	return palette.faint;
}

function closingLines(shown: GradeToShow, { palette }: Page): string[] {
	const { report, expected, unexpectedPasses } = shown;
	const { counts, rows, durationMs, isComplete } = report;
	const seconds = (durationMs / 1_000).toFixed(1);
	const lines = [
		`${palette.heading(`${rows.length} rules`)}: ${countsText(counts)}, in ${seconds} s`,
	];
	if (expected.length > 0)
		lines.push(
			`${expected.length} of the failures expected${unexpectedPasses.length > 0 ? `, ${unexpectedPasses.length} passed that should fail` : ""}`,
		);
	else if (unexpectedPasses.length > 0)
		lines.push(`${unexpectedPasses.length} passed that should fail`);
	if (!report.offersEvents)
		lines.push("the server does not offer the extension: nothing was graded");
	if (!isComplete) lines.push("the run was stopped before its end");
	const first = rows.find((row) => countsAgainst(row, shown));
	if (first)
		lines.push(`why: mcp-events check server --explain ${keyOf(first)}`);
	if (counts.UNTESTABLE > 0)
		lines.push(
			"untestable is no pass: each says what it wants; --strict makes it count",
		);
	return lines;
}
