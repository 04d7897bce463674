// Makes the man pages from the records that the help is made of (oclif's manifest), from the tables of faults and of
// record kinds, and from the texts beside this file, so that flags, help and pages cannot drift apart. Pure: manifest and
// texts in, pages out.
import { EXIT_STATUSES, FAULT_CODES } from "../src/faults/index.ts";
import {
	type CommandRecord,
	examplesOf,
	exitRows,
	type FlagRecord,
	flagGroups,
	flagText,
	HELP_TEXT,
	spokenName,
	usagesOf,
	valueName,
} from "../src/program/help/manifest.ts";
import { renderVerdicts } from "./render-captures.ts";
import { foldJson, renderCommonFields, renderKinds } from "./render-records.ts";
import { type PageText, renderTextPage } from "./render-text.ts";
import {
	bold,
	italic,
	literal,
	type Program,
	page,
	roff,
	section,
	seeAlso,
	tagged,
} from "./roff.ts";

interface Manifest {
	commands: Record<string, CommandRecord>;
}

const FROM = "the commands";
/** The pages that are texts, as every other page points to them. */
const TEXTS = [
	["records", "5"],
	["captures", "5"],
	["guide", "7"],
	["faq", "7"],
] as const;

/** File name to page source, in man(7). */
export function renderManPages(
	program: Program,
	manifest: Manifest,
	texts: readonly PageText[],
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
	for (const text of texts) {
		const [name, source] = renderTextPage(program, text, {
			"records-common": renderCommonFields,
			"records-kinds": renderKinds,
			verdicts: renderVerdicts,
			json: renderJson,
			"exit-statuses": statusTags,
		});
		pages.set(name, source);
	}
	return pages;
}

const pageName = (program: Program, command: CommandRecord) =>
	`${program.name}-${command.id.replaceAll(":", "-")}`;

const textPages = ({ name }: Program) =>
	TEXTS.map(([text, chapter]) => [`${name}-${text}`, chapter] as const);

function renderMainPage(program: Program, commands: CommandRecord[]): string {
	const { name } = program;
	return page(program, { name, chapter: "1", from: FROM }, [
		...section("NAME", `${name} \\- ${roff(program.description)}`),
		...section(
			"SYNOPSIS",
			`.B ${name}\n.I COMMAND\n.RI [ "SERVER" "] [" "EVENT" ...]\n.RI [ "options" ]`,
		),
		...section(
			"DESCRIPTION",
			roff(
				"SERVER is the URL of an MCP server, or the command that stands after -- and is started over stdio. EVENT is the name of an event type. Records go to stdout and nothing else does; status, warnings and errors go to stderr.",
			),
		),
		...section(
			"COMMANDS",
			...commands.map((c) => tagged(bold(spokenName(c)), plain(c.summary))),
		),
		...section("EXIT STATUS", ...statusTags()),
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
			seeAlso([
				...commands.map((c) => [pageName(program, c), "1"] as const),
				...textPages(program),
			]),
		),
	]);
}

function renderCommandPage(
	program: Program,
	command: CommandRecord,
	commands: CommandRecord[],
): string {
	const name = pageName(program, command);
	const others = commands
		.filter((c) => c !== command)
		.map((c) => pageName(program, c));
	return page(program, { name, chapter: "1", from: FROM }, [
		...section("NAME", `${name} \\- ${plain(command.summary)}`),
		...section("SYNOPSIS", synopsis(program, command)),
		...section("DESCRIPTION", plain(command.description)),
		...argumentSection(command),
		...optionSections(command),
		...section("EXAMPLES", exampleLines(program, command)),
		...section("EXIT STATUS", ...statusTags()),
		...section(
			"SEE ALSO",
			seeAlso([
				...[program.name, ...others].map((other) => [other, "1"] as const),
				...textPages(program),
			]),
		),
	]);
}

const synopsis = (program: Program, command: CommandRecord) =>
	usagesOf(command)
		.map((usage) => `.B ${program.name}\n${plain(usage)}`)
		.join("\n.br\n");

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

const optionSections = (command: CommandRecord) =>
	flagGroups(command).flatMap(([title, flags]) =>
		section(
			title,
			...flags.map((flag) => tagged(flagHead(flag), plain(flagText(flag)))),
			...(title === "OPTIONS" ? [HELP_FLAG] : []),
		),
	);

const HELP_FLAG = tagged(`${bold("-h")}, ${bold("--help")}`, HELP_TEXT);

function flagHead(flag: FlagRecord): string {
	const value = valueName(flag);
	const shown = value ? ` ${italic(value)}${flag.multiple ? " ..." : ""}` : "";
	const short = flag.char ? `${bold(`-${flag.char}`)}, ` : "";
	return `${short}${bold(`--${flag.name}`)}${shown}`;
}

const exampleLines = (program: Program, command: CommandRecord) =>
	literal(
		examplesOf(command, program.name).flatMap((example, at) =>
			at === 0 ? [example] : ["", example],
		),
	);

/** Lines of JSON, folded to be read. */
const renderJson = (lines: readonly string[]) => [
	".PP",
	".RS 2",
	literal(
		lines.flatMap((line, at) =>
			at === 0 ? foldJson(line) : ["", ...foldJson(line)],
		),
	),
	".RE",
];

const statusTags = () =>
	exitRows().map(([status, meaning]) => tagged(bold(status), roff(meaning)));

/** Text of a command's record: oclif's templates are not used in it. */
const plain = (text: string | undefined) => roff(text ?? "");
