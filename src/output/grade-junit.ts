// A report as JUnit XML: a suite for each scenario, a case for each row. What was not tried is skipped, and says so.
import type { GradedRow, Scenario } from "../grade/index.ts";
import type { GradeToShow } from "./grade-forms.ts";
import { countsAgainst, isUnexpectedPass } from "./grade-rows.ts";
import { visibleText } from "./visible-text.ts";

export function renderGradeJunit(shown: GradeToShow): string {
	const { report } = shown;
	const { rows, scenarios } = report;
	const totals = attributes({
		name: "mcp-events check server",
		...sums(rows, shown),
		time: seconds(report.durationMs),
	});
	const lines = [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<testsuites${totals}>`,
		...scenarios.flatMap((scenario) => suiteLines(scenario, shown)),
		"</testsuites>",
	];
	return `${lines.join("\n")}\n`;
}

function suiteLines(scenario: Scenario, shown: GradeToShow): string[] {
	const { report } = shown;
	const rows = report.rows.filter((row) => row.scenario === scenario);
	const head = attributes({
		name: scenario,
		...sums(rows, shown),
		timestamp: report.startedAt,
		time: seconds(rows.reduce((total, { tookMs }) => total + tookMs, 0)),
	});
	return [
		`  <testsuite${head}>`,
		...rows.flatMap((row) => caseLines(row, shown)),
		"  </testsuite>",
	];
}

function caseLines(row: GradedRow, shown: GradeToShow): string[] {
	const head = attributes({
		name: row.id,
		classname: row.scenario,
		time: seconds(row.tookMs),
	});
	const inside = insideOf(row, shown);
	if (inside === "") return [`    <testcase${head}/>`];
	return [`    <testcase${head}>`, `      ${inside}`, "    </testcase>"];
}

function insideOf(row: GradedRow, shown: GradeToShow): string {
	const { verdict, message } = row;
	if (countsAgainst(row, shown)) {
		const told = isUnexpectedPass(row, shown)
			? `passes, and was said to fail: ${message}`
			: message;
		const head = attributes({ message: told, type: row.level });
		return `<failure${head}>${escapeXml(evidenceText(row))}</failure>`;
	}
	if (verdict === "SKIPPED" || verdict === "UNTESTABLE")
		return `<skipped${attributes({ message: `${verdict}: ${message}` })}/>`;
	if (verdict === "SUCCESS") return "";
	const word = verdict === "FAILURE" ? "expected failure" : "warning";
	return `<system-out>${escapeXml(`${word}: ${message}`)}</system-out>`;
}

function evidenceText({ requirement, evidence }: GradedRow): string {
	const messages = evidence.map(
		({ direction, head, text }) =>
			`${direction === "sent" ? ">" : "<"} ${head === undefined ? "" : `${head} `}${text}`,
	);
	return [requirement, ...messages].join("\n");
}

function sums(rows: readonly GradedRow[], shown: GradeToShow) {
	return {
		tests: String(rows.length),
		failures: String(rows.filter((row) => countsAgainst(row, shown)).length),
		errors: "0",
		skipped: String(
			rows.filter(
				({ verdict }) => verdict === "SKIPPED" || verdict === "UNTESTABLE",
			).length,
		),
	};
}

const seconds = (ms: number) => (ms / 1_000).toFixed(3);

function attributes(values: Record<string, string>): string {
	return Object.entries(values)
		.map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
		.join("");
}

const ENTITIES: Record<string, string> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&apos;",
};

/** XML knows no way to write most control characters: they are made visible first. */
function escapeXml(text: string): string {
	return visibleText(text, { multiline: true }).replace(
		/[&<>"']/g,
		(char) => ENTITIES[char] ?? char,
	);
}
