// One rule for people: what it says, how it is tried, and what the last run saw of it.
import type { CatalogueRow, GradedRow, WireMessage } from "../grade/index.ts";
import { wrap } from "./display-width.ts";
import type { Page } from "./pretty.ts";
import { visibleLine, visibleText } from "./visible-text.ts";

export interface ExplainedRule {
	row: CatalogueRow;
	/** Of the last run; undefined where it was not part of one. */
	last:
		| { graded: GradedRow; server: string; startedAt: string; profile: string }
		| undefined;
}

const INDENT = "  ";
const LONGEST_TEXT = 1_500;

export function renderExplainedRule(
	{ row, last }: ExplainedRule,
	page: Page,
): string {
	const { palette } = page;
	const parts: [title: string, text: string][] = [
		["Rule", row.requirement],
		["Section", row.section],
		["Level", row.isWeak ? `${row.level}, a warning where broken` : row.level],
		["Tried", row.how],
		["Needs", row.needs.map(({ kind, name }) => `${kind}: ${name}`).join("; ")],
		["Profiles", row.profiles.join(", ")],
		...Object.entries(row.turned).map(([profile, text]): [string, string] => [
			`Under ${profile}`,
			text,
		]),
	];
	const lines = [palette.name(`${row.scenario}/${row.id}`)];
	for (const [title, text] of parts)
		if (text !== "") lines.push(...section(title, text, page));
	lines.push(...lastLines(last, page));
	return `${lines.join("\n")}\n`;
}

function section(title: string, text: string, { palette, width }: Page) {
	const lines = wrap(visibleText(text), Math.max(20, width - INDENT.length));
	return [palette.heading(title), ...lines.map((line) => INDENT + line)];
}

function lastLines(last: ExplainedRule["last"], page: Page): string[] {
	const { heading } = page.palette;
	if (!last)
		return [heading("Last run"), `${INDENT}it was not part of the last run`];
	const { graded, server, startedAt, profile } = last;
	return [
		heading("Last run"),
		`${INDENT}${visibleLine(server, 400)}, ${startedAt}, profile ${profile}`,
		...section(graded.verdict, graded.message, page),
		...(graded.evidence.length > 0 ? [heading("Evidence")] : []),
		...graded.evidence.flatMap((message) => messageLines(message, page)),
	];
}

function messageLines(message: WireMessage, { palette, width }: Page) {
	const { at, direction, via, head, headers = {}, text, cutBytes } = message;
	const arrow = direction === "sent" ? "→" : "←";
	const time = new Date(at).toISOString().slice(11, 23);
	const lines = [
		palette.faint(
			`${INDENT}${arrow} ${time} ${via}${head ? ` ${visibleLine(head, 200)}` : ""}`,
		),
		...Object.entries(headers).map(
			([name, value]) => `${INDENT}  ${visibleLine(`${name}: ${value}`, 300)}`,
		),
	];
	const shown = visibleText(text.slice(0, LONGEST_TEXT));
	const rest = text.length - Math.min(text.length, LONGEST_TEXT) + cutBytes;
	const body = rest > 0 ? `${shown}… (${rest} more)` : shown;
	if (body !== "")
		lines.push(
			...wrap(body, Math.max(20, width - 4)).map(
				(line) => `${INDENT}  ${line}`,
			),
		);
	return lines;
}
