// Text as man(7) source: what roff would obey is escaped, lines are folded, and pages have one frame.

export interface Program {
	name: string;
	version: string;
	description: string;
}

/** The day of the last change to the pages' wording: a build must give the same bytes every day. */
const PAGE_DATE = "2026-11-30";
const LINE_CHARACTERS = 78;
const MANUALS: Record<string, string> = {
	1: "User Commands",
	5: "File Formats",
	7: "Miscellanea",
};

/** A page of man/: `from` says what it is made from, which is what one edits. */
export function page(
	program: Program,
	{ name, chapter, from }: { name: string; chapter: string; from: string },
	body: readonly string[],
): string {
	const head = `.TH ${name.toUpperCase()} ${chapter} ${PAGE_DATE} "${program.name} ${program.version}" "${MANUALS[chapter]}"\n.nh`;
	const lines = body.join("\n").split("\n").flatMap(fold);
	return `.\\" Made from ${from} by "npm run man"; edit those.\n${head}\n${lines.join("\n")}\n`;
}

/** Source lines of at most LINE_CHARACTERS, cut at spaces. Requests stay whole. */
function fold(line: string): string[] {
	if (line.length <= LINE_CHARACTERS || /^[.']/.test(line)) return [line];
	const at = line.lastIndexOf(" ", LINE_CHARACTERS);
	if (at <= 0) return [line];
	return [line.slice(0, at), ...fold(guardLines(line.slice(at + 1)))];
}

export const section = (title: string, ...parts: string[]) =>
	parts.length === 0 ? [] : [`.SH ${title}`, ...parts];

/** A term, and what is said of it. */
export const tagged = (head: string, text: string) =>
	`.TP\n${head}\n${guardLines(text)}`;

export const bold = (text: string) => `\\fB${roff(text)}\\fR`;
export const italic = (text: string) => `\\fI${roff(text)}\\fR`;

/** References to other pages, as a list. */
export const seeAlso = (names: readonly (readonly [string, string])[]) =>
	names.map(([name, chapter]) => `.BR ${name} (${chapter})`).join(",\n");

/** Lines that stand as they are: a reader may copy them. */
export const literal = (lines: readonly string[]) =>
	[".nf", ...lines.flatMap(literalLine), ".fi"].join("\n");

/** The source is cut where it is too long, and what is shown is not: `\c` joins. Unguarded, a part could be a request. */
function literalLine(line: string): string[] {
	if (line === "") return [".sp"];
	const parts = [""];
	for (const [token] of roff(line).matchAll(/\\\[[^\]]*\]|\\.|./g)) {
		const last = parts.at(-1) ?? "";
		if (last.length + token.length > LINE_CHARACTERS - 4) parts.push(token);
		else parts[parts.length - 1] = last + token;
	}
	return parts.map(
		(part, at) => `\\&${part}${at < parts.length - 1 ? "\\c" : ""}`,
	);
}

/** A text of which parts are escaped already: only what roff would take for a request at a line's start is left. */
export const guardLines = (text: string) => text.replace(/^([.'])/gm, "\\&$1");

/** Any text as roff source: what it would obey is escaped, and what is not ASCII is named. */
export function roff(text: string): string {
	const escaped = text
		.replace(/\\/g, "\\e")
		.replace(/-/g, "\\-")
		.replace(/[^\n\x20-\x7e]/gu, (char) => {
			const point = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
			return `\\[u${point.padStart(4, "0")}]`;
		});
	return guardLines(escaped);
}
