// Makes a man page of a text in a small part of Markdown: headings, paragraphs, lists, terms with what is said of them,
// and blocks that stand as they are. What a block is run with stands behind its fence, for the tests alone.
import {
	bold,
	guardLines,
	italic,
	literal,
	type Program,
	page,
	roff,
} from "./roff.ts";

/** The text of a page, by the name of its file: `guide.7.md`. */
export interface PageText {
	file: string;
	text: string;
}

/** What a block of this language becomes, in place of its lines. */
export type Expand = (lines: readonly string[]) => string[];

const TITLE = /^# (\S+)\((\d)\): (.*)$/;

/** Returns the page's file name and source. Throws where a line is none of what is understood. */
export function renderTextPage(
	program: Program,
	{ file, text }: PageText,
	expansions: Readonly<Record<string, Expand>>,
): [name: string, source: string] {
	const [first = "", ...lines] = text.trimEnd().split("\n");
	const [, name = "", chapter = "", purpose = ""] = TITLE.exec(first) ?? [];
	if (name === "") throw new Error(`man/${file} has no title`);
	const body = blocksOf(lines)
		.flatMap((block) => render(block, expansions))
		.filter((line, at, all) => !isIdle(line, all[at - 1]));
	const head = [`.SH NAME`, `${name} \\- ${inline(purpose)}`];
	const from = `man/${file}`;
	return [
		`${name}.${chapter}`,
		page(program, { name, chapter, from }, [...head, ...body]),
	];
}

/** A heading begins a paragraph by itself. */
const isIdle = (line: string, before: string | undefined) =>
	line === ".PP" && /^\.S[HS] /.test(before ?? "");

interface Block {
	/** The fence's language; undefined for text. */
	language: string | undefined;
	lines: string[];
}

/** Paragraphs and fenced blocks, in order. */
function blocksOf(lines: readonly string[]): Block[] {
	const blocks: Block[] = [];
	let open: Block | undefined;
	for (const line of lines) {
		const [, fence] = /^```(\S*)/.exec(line) ?? [];
		if (fence !== undefined) {
			const isEnd = open?.language !== undefined;
			open = isEnd ? undefined : { language: fence, lines: [] };
			if (open) blocks.push(open);
		} else if (open?.language !== undefined) open.lines.push(line);
		else if (line === "") open = undefined;
		else {
			if (!open) {
				open = { language: undefined, lines: [] };
				blocks.push(open);
			}
			open.lines.push(line);
		}
	}
	return blocks;
}

function render(
	{ language, lines }: Block,
	expansions: Readonly<Record<string, Expand>>,
): string[] {
	if (language !== undefined)
		return (
			expansions[language]?.(lines) ?? [".PP", ".RS 2", literal(lines), ".RE"]
		);
	const [first = ""] = lines;
	const [, marks, title] = /^(##+) (.*)$/.exec(first) ?? [];
	if (title !== undefined)
		return [`${marks === "##" ? ".SH" : ".SS"} ${headingText(title, marks)}`];
	if (first.startsWith("- ")) return items(lines);
	if (lines[1]?.startsWith(": ")) return terms(lines);
	return [".PP", inline(lines.join(" "))];
}

const headingText = (title: string, marks = "") =>
	roff(marks === "##" ? title.toUpperCase() : title);

/** `- ` begins an item; lines that are set in go on with it. */
const items = (lines: readonly string[]) =>
	joined(lines, "- ").flatMap((item) => [".IP \\(bu 2", inline(item.slice(2))]);

/** A line that is a term, then `: ` and what is said of it, for each of them. */
function terms(lines: readonly string[]): string[] {
	const source: string[] = [];
	for (const line of lines) {
		if (line.startsWith(": ")) source.push(inline(line.slice(2)));
		else if (line.startsWith("  ")) source.push(inline(line.trim()));
		else source.push(".TP", inline(line));
	}
	return source;
}

function joined(lines: readonly string[], mark: string): string[] {
	const found: string[] = [];
	for (const line of lines) {
		if (line.startsWith(mark)) found.push(line);
		else found.push(`${found.pop() ?? ""} ${line.trim()}`);
	}
	return found;
}

/** `code` is bold, *words* are italic. */
export const inline = (text: string) =>
	guardLines(
		text
			.split(/(`[^`]+`|\*[^*\s][^*]*\*)/)
			.map((part, at) => {
				if (at % 2 === 0) return roff(part).replace(/^\\&/, "");
				const inner = part.slice(1, -1);
				return part.startsWith("`") ? bold(inner) : italic(inner);
			})
			.join(""),
	);
