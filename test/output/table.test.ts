import fc from "fast-check";
import { expect, it } from "vitest";
import { PLAIN } from "../../src/output/colors.ts";
import { displayWidth } from "../../src/output/display-width.ts";
import { renderTable } from "../../src/output/table.ts";

const page = (width: number) => ({ width, palette: PLAIN });
const AB = [{ title: "A" }, { title: "B" }];

it("aligns by columns of the terminal, not by characters", () => {
	const rows = [
		["日本", "1"],
		["cafe\u0301", "2"],
		["👩‍👩‍👧‍👦", "3"],
	];
	expect(renderTable(AB, rows, page(40)).split("\n")).toEqual([
		"A     B",
		"日本  1",
		"cafe\u0301  2",
		"👩‍👩‍👧‍👦    3",
	]);
});

it("paints a cell without disturbing the columns", () => {
	const palette = { ...PLAIN, name: (text: string) => `<${text}>` };
	const columns = [{ title: "A", style: "name" as const }, { title: "B" }];
	expect(renderTable(columns, [["x", "1"]], { width: 40, palette })).toBe(
		"A  B\n<x>  1",
	);
});

it("says by … that a cell has more than six lines", () => {
	const lines = renderTable(AB, [["x", "word ".repeat(100)]], page(20)).split(
		"\n",
	);
	expect(lines.length).toBe(7);
	expect(lines.at(-1)).toMatch(/…$/);
});

it("makes a block of each row where the terminal is too narrow for columns", () => {
	const columns = ["EVENT", "MODES", "DESCRIPTION"].map((title) => ({ title }));
	const rows = [
		["order.created.by.somebody", "poll, push", "An order was placed today"],
		["stock.low", "", "Little is left"],
	];
	expect(renderTable(columns, rows, page(34)).split("\n")).toEqual([
		"EVENT        order.created.by.some",
		"             body",
		"MODES        poll, push",
		"DESCRIPTION  An order was placed",
		"             today",
		"",
		"EVENT        stock.low",
		"DESCRIPTION  Little is left",
	]);
});

it("tears no escape apart, and has room for the longest", () => {
	const columns = ["A", "B", "C", "D"].map((title) => ({ title }));
	const tags = "\u{e0069}\u{10fffd}".repeat(3);
	const table = renderTable(columns, [[tags, tags, tags, tags]], page(54));
	for (const line of table.split("\n")) {
		expect(displayWidth(line)).toBeLessThanOrEqual(54);
		expect(line).toMatch(/^[A-D ]+$|^(\\u\{(e0069|10fffd)\} *)+$/);
	}
});

it("never is wider than the terminal, and ends no line with a blank", () => {
	const cell = fc.string({ unit: "grapheme", maxLength: 60 });
	const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 4 });
	fc.assert(
		fc.property(rows, fc.integer({ min: 30, max: 100 }), (cells, width) => {
			const columns = [
				{ title: "A", isFixed: true },
				{ title: "B" },
				{ title: "C" },
			];
			for (const line of renderTable(columns, cells, page(width)).split("\n")) {
				expect(displayWidth(line)).toBeLessThanOrEqual(width);
				expect(line).not.toMatch(/ $/);
			}
		}),
		{ seed: 3415 },
	);
});
