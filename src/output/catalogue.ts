// What a server offers, for people: the table of `list`, and the page of `describe`. All of it is a stranger's text.
import { wrap, wrapAtMost } from "./display-width.ts";
import type { Page } from "./pretty.ts";
import { type Column, renderTable } from "./table.ts";
import { cutText, visibleText } from "./visible-text.ts";

/** One type of event, as far as people read it. */
export interface CatalogueEntry {
	name: string;
	title?: string | undefined;
	description: string;
	delivery: readonly string[];
	/** Its arguments by name; left out where the schema says nothing. */
	arguments?: readonly { name: string; required: boolean }[] | undefined;
	/** Why it cannot be used here. */
	unusable?: string | undefined;
}

/** What a schema says of one field, in words. */
export interface SchemaRow {
	name: string;
	type: string;
	required: boolean;
	default?: string | undefined;
	description?: string | undefined;
	deprecated?: boolean | undefined;
}

/** A schema in words: its fields, and the rules that hold between them. */
export interface SchemaText {
	rows: readonly SchemaRow[];
	rules: readonly string[];
}

const LONGEST_TEXT = 4_000;
const MOST_LINES = 40;
const INDENT = "  ";

const CATALOGUE_COLUMNS: readonly Column[] = [
	{ title: "EVENT", style: "name", isFixed: true },
	{ title: "MODES", isFixed: true },
	{ title: "ARGUMENTS", style: "key" },
	{ title: "DESCRIPTION" },
];

/** The table of `list`, with a last line end. An argument in brackets may be left out. */
export function renderCatalogue(
	entries: readonly CatalogueEntry[],
	page: Page,
): string {
	if (entries.length === 0) return "The server offers no events.\n";
	const rows = entries.map((entry) => [
		entry.name,
		modesOf(entry),
		(entry.arguments ?? [])
			.map(({ name, required }) => (required ? name : `[${name}]`))
			.join(" "),
		entry.unusable
			? `Not usable here: ${entry.unusable}`
			: entry.title || entry.description,
	]);
	return `${renderTable(CATALOGUE_COLUMNS, rows, page)}\n`;
}

/** The page of `describe`, with a last line end. `commandLine` is ready to paste: the caller has quoted it. */
export function renderDescription(
	entry: CatalogueEntry,
	parts: { input: SchemaText; payload: SchemaText; commandLine?: string },
	page: Page,
): string {
	const { palette } = page;
	const title = entry.title ? ` - ${bounded(entry.title)}` : "";
	const lines = [palette.name(bounded(entry.name)) + title];
	lines.push(...paragraphs(entry.description, page));
	lines.push("", `${palette.heading("Modes:")} ${visibleText(modesOf(entry))}`);
	if (entry.unusable)
		lines.push(palette.warning(`Not usable here: ${bounded(entry.unusable)}`));
	lines.push(...section("Arguments", "none", parts.input, page));
	lines.push(...section("Payload", "anything", parts.payload, page));
	if (parts.commandLine)
		lines.push(
			"",
			palette.heading("Try it"),
			// Never folded: it is there to be pasted.
			INDENT + visibleText(parts.commandLine),
		);
	return `${lines.join("\n")}\n`;
}

function modesOf({ delivery }: CatalogueEntry): string {
	return delivery.length > 0 ? delivery.join(", ") : "none";
}

function bounded(text: string): string {
	return visibleText(cutText(text, LONGEST_TEXT));
}

function paragraphs(text: string, { width }: Page): string[] {
	const visible = visibleText(cutText(text, LONGEST_TEXT).trim(), {
		multiline: true,
	});
	if (visible === "") return [];
	const lines = visible
		.split("\n")
		.flatMap((line) => wrap(line, width - INDENT.length))
		.map((line) => (line === "" ? "" : INDENT + line));
	if (lines.length <= MOST_LINES && text.length <= LONGEST_TEXT) return lines;
	return [...lines.slice(0, MOST_LINES), `${INDENT}…`];
}

function section(
	title: string,
	empty: string,
	schema: SchemaText,
	page: Page,
): string[] {
	const { rows, rules } = schema;
	const { palette, width } = page;
	if (rows.length === 0 && rules.length === 0)
		return ["", `${palette.heading(`${title}:`)} ${empty}`];
	const inner = width - INDENT.length;
	const table =
		rows.length > 0 ? renderSchemaRows(rows, { ...page, width: inner }) : "";
	const ruleLines = rules.flatMap((rule) =>
		wrapAtMost(`- ${bounded(rule)}`, inner - 2, 6).map((line, at) =>
			at === 0 ? line : `  ${line}`,
		),
	);
	return [
		"",
		palette.heading(title),
		...[...(table ? table.split("\n") : []), ...ruleLines].map(
			(line) => INDENT + line,
		),
	];
}

/** Columns that would be empty in every row are left out. */
function renderSchemaRows(rows: readonly SchemaRow[], page: Page): string {
	const all: { column: Column; cell: (row: SchemaRow) => string }[] = [
		{
			column: { title: "NAME", style: "key", isFixed: true },
			cell: ({ name }) => name,
		},
		{ column: { title: "TYPE" }, cell: ({ type }) => type },
		{
			column: { title: "REQUIRED", isFixed: true },
			cell: ({ required }) => (required ? "yes" : ""),
		},
		{
			column: { title: "DEFAULT", style: "literal" },
			cell: (row) => row.default ?? "",
		},
		{
			column: { title: "DESCRIPTION" },
			cell: (row) =>
				[row.deprecated ? "(deprecated)" : "", row.description ?? ""]
					.filter(Boolean)
					.join(" "),
		},
	];
	const used = all.filter(({ cell }) => rows.some((row) => cell(row) !== ""));
	return renderTable(
		used.map(({ column }) => column),
		rows.map((row) => used.map(({ cell }) => cell(row))),
		page,
	);
}
