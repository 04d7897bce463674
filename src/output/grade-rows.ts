// What all forms of a report share: how a row is named, and which rows count against the server.
import type { Counts, GradedRow, VerdictWord } from "../grade/index.ts";
import type { GradeToShow } from "./grade-forms.ts";

const PREFIX = /^sep-3415-/;

/** `scenario/id` without the prefix: what --only and the file of --expected-failures take. */
export const keyOf = ({ scenario, id }: GradedRow) =>
	`${scenario}/${id.replace(PREFIX, "")}`;

export function isExpected(row: GradedRow, { expected }: GradeToShow): boolean {
	return expected.includes(keyOf(row));
}

export function isUnexpectedPass(
	row: GradedRow,
	{ unexpectedPasses }: GradeToShow,
): boolean {
	return unexpectedPasses.includes(keyOf(row));
}

/** A failure that nobody expected, or a pass that somebody did not. */
export function countsAgainst(row: GradedRow, shown: GradeToShow): boolean {
	if (row.verdict === "FAILURE") return !isExpected(row, shown);
	return isUnexpectedPass(row, shown);
}

/** What matters most first. */
export const VERDICT_ORDER: readonly VerdictWord[] = [
	"FAILURE",
	"WARNING",
	"UNTESTABLE",
	"SKIPPED",
	"SUCCESS",
];

/** `12 passed, 1 failed, 2 warnings, 3 skipped, 4 untestable`: what is none is left out, but for the passes. */
export function countsText(counts: Counts): string {
	const { SUCCESS, FAILURE, WARNING, SKIPPED, UNTESTABLE } = counts;
	const parts = [
		`${SUCCESS} passed`,
		FAILURE > 0 ? `${FAILURE} failed` : "",
		WARNING > 0 ? `${WARNING} ${WARNING === 1 ? "warning" : "warnings"}` : "",
		SKIPPED > 0 ? `${SKIPPED} skipped` : "",
		UNTESTABLE > 0 ? `${UNTESTABLE} untestable` : "",
	];
	return parts.filter(Boolean).join(", ");
}

/**
 * Rows in groups of those that were left untried for one reason, which is then told once; every other row stands alone.
 * A group takes the place of its first row.
 */
export function groupAlike(rows: readonly GradedRow[]): GradedRow[][] {
	const groups: GradedRow[][] = [];
	const known = new Map<string, GradedRow[]>();
	for (const row of rows) {
		const { verdict, scenario, message } = row;
		const key = `${scenario}\n${message}`;
		const group = verdict === "UNTESTABLE" ? known.get(key) : undefined;
		if (group) {
			group.push(row);
			continue;
		}
		const own = [row];
		groups.push(own);
		if (verdict === "UNTESTABLE") known.set(key, own);
	}
	return groups;
}

/** The ids of rows, without the prefix, after one another. */
export const idsText = (rows: readonly GradedRow[]): string =>
	rows.map(({ id }) => id.replace(PREFIX, "")).join(", ");
