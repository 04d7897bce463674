// Makes the man pages from the records that the help is made of (oclif's manifest) and from the fault tables, so that
// flags, help and pages cannot drift apart. Pure: manifest in, pages out.
import type { Interfaces } from "@oclif/core";
import { EXIT_STATUSES, FAULT_CODES } from "../src/faults/index.ts";

export interface Program {
	name: string;
	version: string;
	description: string;
}

type Manifest = Interfaces.Manifest;
type CommandRecord = Manifest["commands"][string];
type FlagRecord = CommandRecord["flags"][string];

/** The day of the last change to the pages' wording: a build must give the same bytes every day. */
const PAGE_DATE = "2026-11-30";
const LINE_CHARACTERS = 78;

/** File name to page source, in man(7). */
export function renderManPages(
	program: Program,
	manifest: Manifest,
): Map<string, string> {
	const commands = Object.values(manifest.commands).filter((c) => !c.hidden);
	const pages = new Map([
		[`${program.name}.1`, renderMainPage(program, commands)],
	]);
	for (const command of commands)
		pages.set(
			`${pageName(program, command)}.1`,
			renderCommandPage(program, command, commands),
		);
	return pages;
}

const pageName = (program: Program, command: CommandRecord) =>
	`${program.name}-${command.id.replaceAll(":", "-")}`;

const spoken = (command: CommandRecord) => command.id.replaceAll(":", " ");

function renderMainPage(program: Program, commands: CommandRecord[]): string {
	return page(program, program.name, [
		...section("NAME", `${program.name} \\- ${roff(program.description)}`),
		...section(
			"SYNOPSIS",
			`.B ${program.name}\n.I COMMAND\n.RI [ "SERVER" "] [" "EVENT" ...]\n.RI [ "options" ]`,
		),
		...section(
			"DESCRIPTION",
			roff(
				"SERVER is the URL of an MCP server, or the command that stands after -- and is started over stdio. EVENT is the name of an event type. Records go to stdout and nothing else does; status, warnings and errors go to stderr.",
			),
		),
		...section(
			"COMMANDS",
			...commands.map((c) => tagged(bold(spoken(c)), plain(c.summary))),
		),
		...exitSection(),
		...section(
			"FAULTS",
			roff(
				"Under --output records a fault is one record with its code. Codes are never renamed:",
			),
			...Object.entries(FAULT_CODES).map(([code, { exit, meaning }]) =>
				tagged(bold(code), `${meaning} (status ${EXIT_STATUSES[exit].status})`),
			),
		),
		...section(
			"SEE ALSO",
			commands.map((c) => `.BR ${pageName(program, c)} (1)`).join(",\n"),
		),
	]);
}

function renderCommandPage(
	program: Program,
	command: CommandRecord,
	commands: CommandRecord[],
): string {
	const name = pageName(program, command);
	return page(program, name, [
		...section("NAME", `${name} \\- ${plain(command.summary)}`),
		...section("SYNOPSIS", synopsis(program, command)),
		...section("DESCRIPTION", plain(command.description)),
		...argumentSection(command),
		...optionSections(command),
		...section("EXAMPLES", ...examples(program, command)),
		...exitSection(),
		...section(
			"SEE ALSO",
			[program.name, ...others(program, command, commands)]
				.map((other) => `.BR ${other} (1)`)
				.join(",\n"),
		),
	]);
}

const others = (
	program: Program,
	command: CommandRecord,
	commands: CommandRecord[],
) => commands.filter((c) => c !== command).map((c) => pageName(program, c));

function synopsis(program: Program, command: CommandRecord): string {
	const usages = [command.usage ?? spoken(command)].flat();
	return usages
		.map((usage) => `.B ${program.name}\n${plain(usage)}`)
		.join("\n.br\n");
}

function argumentSection(command: CommandRecord): string[] {
	const args = Object.values(command.args);
	if (args.length === 0) return [];
	return section(
		"ARGUMENTS",
		...args.map((arg) =>
			tagged(italic(arg.name.toUpperCase()), plain(arg.description)),
		),
	);
}

function optionSections(command: CommandRecord): string[] {
	const groups = new Map<string, FlagRecord[]>();
	for (const flag of Object.values(command.flags)) {
		if (flag.hidden) continue;
		const group = flag.helpGroup ?? "OPTIONS";
		groups.set(group, [...(groups.get(group) ?? []), flag]);
	}
	return [...groups].flatMap(([group, flags]) =>
		section(
			group === "OPTIONS" ? group : `${group} OPTIONS`,
			...flags.map((flag) => tagged(flagHead(flag), flagText(flag))),
		),
	);
}

function flagHead(flag: FlagRecord): string {
	const long = bold(`--${flag.name}`);
	const value =
		flag.type === "option"
			? ` ${italic(valueName(flag))}${flag.multiple ? " ..." : ""}`
			: "";
	return `${flag.char ? `${bold(`-${flag.char}`)}, ` : ""}${long}${value}`;
}

function valueName(flag: FlagRecord): string {
	if (flag.type === "option" && flag.options?.length)
		return flag.options.join("|");
	const { helpValue } = flag as { helpValue?: string | string[] };
	return [helpValue ?? flag.name.toUpperCase()].flat().join(" ");
}

function flagText(flag: FlagRecord): string {
	const text = plain(flag.summary ?? flag.description);
	const shown = flag.type === "option" ? flag.default : undefined;
	return shown === undefined
		? text
		: `${text} Default: ${roff(String(shown))}.`;
}

function examples(program: Program, command: CommandRecord): string[] {
	const lines = (command.examples ?? []).map((example) =>
		(typeof example === "string" ? example : example.command)
			.replaceAll("<%= config.bin %>", program.name)
			.replaceAll("<%= command.id %>", spoken(command)),
	);
	return [`.nf\n${lines.map(roff).join("\n.sp\n")}\n.fi`];
}

function exitSection(): string[] {
	return section(
		"EXIT STATUS",
		...Object.values(EXIT_STATUSES).map(({ status, meaning }) =>
			tagged(bold(String(status)), roff(meaning)),
		),
	);
}

function page(program: Program, name: string, body: string[]): string {
	const head = `.TH ${name.toUpperCase()} 1 ${PAGE_DATE} "${program.name} ${program.version}" "User Commands"`;
	const lines = body.join("\n").split("\n").flatMap(fold);
	return `.\\" Made from the commands by "npm run man"; edit those.\n${head}\n${lines.join("\n")}\n`;
}

/** Source lines of at most LINE_CHARACTERS, cut at spaces. Requests stay whole. */
function fold(line: string): string[] {
	if (line.length <= LINE_CHARACTERS || /^[.']/.test(line)) return [line];
	const at = line.lastIndexOf(" ", LINE_CHARACTERS);
	if (at <= 0) return [line];
	return [line.slice(0, at), ...fold(guardLines(line.slice(at + 1)))];
}

const section = (title: string, ...parts: string[]) =>
	parts.length === 0 ? [] : [`.SH ${title}`, ...parts];

const tagged = (head: string, text: string) =>
	`.TP\n${head}\n${guardLines(text)}`;
const bold = (text: string) => `\\fB${roff(text)}\\fR`;
const italic = (text: string) => `\\fI${roff(text)}\\fR`;

/** Text of a command's record: oclif's templates are not used in it. */
const plain = (text: string | undefined) => roff(text ?? "");

/** A text of which parts are escaped already: only what roff would take for a request at a line's start is left. */
const guardLines = (text: string) => text.replace(/^([.'])/gm, "\\&$1");

/** Any text as roff source: what it would obey is escaped, and what is not ASCII is named. */
function roff(text: string): string {
	const escaped = text
		.replace(/\\/g, "\\e")
		.replace(/-/g, "\\-")
		.replace(/[^\n\x20-\x7e]/gu, (char) => {
			const point = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
			return `\\[u${point.padStart(4, "0")}]`;
		});
	return guardLines(escaped);
}
