// Columns for people: aligned by display width, folded to fit the terminal, without blanks at line ends. Where the
// terminal is too narrow for columns, each row is a block with a line for each of its cells.
import type { Palette } from "./colors.ts";
import { displayWidth, pad, wrapAtMost } from "./display-width.ts";
import type { Page } from "./pretty.ts";
import { cutText, visibleText } from "./visible-text.ts";

export interface Column {
	title: string;
	/** How its cells are painted; plain where absent. */
	style?: keyof Palette;
	/** Folded only when nothing else can give way: what one copies from it should stay whole. */
	isFixed?: boolean;
}

const GAP = "  ";
/** Room for the longest title and for the longest escape, neither of which is torn apart. */
const FEWEST_COLUMNS = 12;
const LINES_OF_ONE_CELL = 6;
const LONGEST_CELL = 2_000;

/** The table with its heading, without the last line end. Cells may be anybody's text: they are made visible here. */
export function renderTable(
	columns: readonly Column[],
	rows: readonly (readonly string[])[],
	page: Page,
): string {
	const cells = rows.map((row) =>
		columns.map((_, at) => visibleText(cutText(row[at] ?? "", LONGEST_CELL))),
	);
	const widths = fitWidths(columns, cells, page.width);
	if (sum(widths) > roomOf(columns, page.width))
		return renderBlocks(columns, cells, page);
	const heading = columns.map((column) => column.title);
	const styles = columns.map(({ style }) => style);
	return [
		...rowLines(heading, widths, () => page.palette.heading),
		...cells.flatMap((row) =>
			rowLines(row, widths, (at) => {
				const style = styles[at];
				return style ? page.palette[style] : undefined;
			}),
		),
	].join("\n");
}

function renderBlocks(
	columns: readonly Column[],
	cells: readonly string[][],
	{ width, palette }: Page,
): string {
	const titleWidth = Math.max(
		...columns.map(({ title }) => displayWidth(title)),
	);
	const room = Math.max(FEWEST_COLUMNS, width - titleWidth - GAP.length);
	const blocks = cells.map((row) =>
		columns.flatMap(({ title, style }, at) => {
			const cell = row[at] ?? "";
			if (cell === "") return [];
			return rowLines([title, cell], [titleWidth, room], (side) =>
				side === 0 ? palette.heading : style && palette[style],
			);
		}),
	);
	return blocks.map((lines) => lines.join("\n")).join("\n\n");
}

type PaintOf = (at: number) => ((text: string) => string) | undefined;

function rowLines(
	row: readonly string[],
	widths: readonly number[],
	paintOf: PaintOf,
): string[] {
	const folded = row.map((cell, at) =>
		wrapAtMost(cell, widths[at] ?? FEWEST_COLUMNS, LINES_OF_ONE_CELL),
	);
	const height = Math.max(...folded.map((lines) => lines.length));
	return Array.from({ length: height }, (_, line) =>
		lineOf(
			folded.map((lines) => lines[line] ?? ""),
			widths,
			paintOf,
		),
	);
}

/** Blanks are left out where nothing follows: a painted blank at a line's end cannot be trimmed any more. */
function lineOf(
	texts: readonly string[],
	widths: readonly number[],
	paintOf: PaintOf,
): string {
	const last = texts.findLastIndex((text) => text !== "");
	return texts
		.slice(0, last + 1)
		.map((text, at) => {
			const blanks =
				at === last ? "" : pad("", (widths[at] ?? 0) - displayWidth(text));
			return (paintOf(at)?.(text) ?? text) + blanks;
		})
		.join(GAP);
}

/** The widest column gives way first; fixed ones only when the others are as narrow as they may be. */
function fitWidths(
	columns: readonly Column[],
	cells: readonly string[][],
	width: number,
): number[] {
	const widths = columns.map(({ title }, at) =>
		cells.reduce(
			(widest, row) => Math.max(widest, displayWidth(row[at] ?? "")),
			displayWidth(title),
		),
	);
	const room = roomOf(columns, width);
	for (const mayShrink of [(at: number) => !columns[at]?.isFixed, () => true]) {
		while (sum(widths) > room) {
			const widest = indexOfWidest(widths, mayShrink);
			if (widest === undefined) break;
			const over = sum(widths) - room;
			const next = nextWidth(widths, widest, mayShrink);
			widths[widest] = Math.max((widths[widest] ?? 0) - over, next);
		}
	}
	return widths;
}

function indexOfWidest(
	widths: readonly number[],
	mayShrink: (at: number) => boolean,
): number | undefined {
	let widest: number | undefined;
	for (const [at, width] of widths.entries())
		if (
			mayShrink(at) &&
			width > FEWEST_COLUMNS &&
			width > (widths[widest ?? -1] ?? 0)
		)
			widest = at;
	return widest;
}

/** How far the widest column may go down before another is wider: at least by one. */
function nextWidth(
	widths: readonly number[],
	widest: number,
	mayShrink: (at: number) => boolean,
): number {
	const others = widths.filter((_, at) => at !== widest && mayShrink(at));
	const target = Math.max(FEWEST_COLUMNS, ...others);
	return Math.min(target, (widths[widest] ?? 0) - 1);
}

function roomOf(columns: readonly Column[], width: number): number {
	return width - GAP.length * (columns.length - 1);
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, each) => total + each, 0);
}
