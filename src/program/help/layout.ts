// Help as lines: a heading with what stands below it, rows of two columns, folded text.
import { type Page, wrap } from "../../output/index.ts";

const INDENT = "  ";
const WIDEST = 100;
const NARROWEST = 40;
/** A head that is longer stands on a line of its own. */
const WIDEST_HEAD = 28;

/** Columns that text may take: long lines are hard to read, whatever the terminal has. */
export const textWidth = (page: Page) =>
	Math.max(NARROWEST, Math.min(page.width, WIDEST));

export function headed(page: Page, title: string, lines: string[]): string[] {
	return lines.length === 0 ? [] : ["", page.palette.heading(title), ...lines];
}

export function paragraph(page: Page, text: string, indent = INDENT): string[] {
	return wrap(text, textWidth(page) - indent.length).map(
		(line) => indent + line,
	);
}

/** Command lines to copy: never folded. */
export const commandLines = (lines: readonly string[]) =>
	lines.map((line) => `${INDENT}${line}`);

export function rows(
	page: Page,
	cells: readonly (readonly [head: string, text: string])[],
): string[] {
	const heads = cells
		.map(([head]) => head.length)
		.filter((width) => width <= WIDEST_HEAD);
	const column = Math.max(0, ...heads) + INDENT.length * 2;
	return cells.flatMap(([head, text]) => {
		const lines = wrap(text, textWidth(page) - column);
		const isWide = head.length > WIDEST_HEAD;
		const first = isWide ? [INDENT + head] : [];
		return [
			...first,
			...lines.map((line, at) =>
				at === 0 && !isWide
					? (INDENT + head).padEnd(column) + line
					: " ".repeat(column) + line,
			),
		];
	});
}
