// The help of one command: what fits on a screen (-h), and all of it (--help).
import type { Page } from "../../output/index.ts";
import { commandLines, headed, paragraph, rows } from "./layout.ts";
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
} from "./manifest.ts";

const SHORT_EXAMPLES = 3;
const HELP_ROW = ["-h, --help", HELP_TEXT] as const;

export function shortCommandHelp(
	command: CommandRecord,
	program: string,
	page: Page,
): string[] {
	const used = command.mostUsed ?? [];
	const flags = used.flatMap((name) => command.flags[name] ?? []);
	return [
		...paragraph(page, command.summary ?? "", ""),
		...headed(page, "USAGE", usageLines(command, program, page)),
		...headed(
			page,
			"OPTIONS",
			rows(
				page,
				flags.map((flag) => [flagHead(flag), firstClause(flagText(flag))]),
			),
		),
		...headed(
			page,
			"EXAMPLES",
			commandLines(examplesOf(command, program).slice(0, SHORT_EXAMPLES)),
		),
		"",
		`More: ${program} ${spokenName(command)} --help`,
	];
}

export function wholeCommandHelp(
	command: CommandRecord,
	program: string,
	page: Page,
): string[] {
	const { description } = command;
	return [
		...paragraph(page, command.summary ?? "", ""),
		...headed(page, "USAGE", usageLines(command, program, page)),
		...headed(
			page,
			"DESCRIPTION",
			description ? paragraph(page, description) : [],
		),
		...headed(
			page,
			"ARGUMENTS",
			rows(
				page,
				Object.values(command.args).map((arg) => [
					arg.name.toUpperCase(),
					arg.description ?? "",
				]),
			),
		),
		...flagGroups(command).flatMap(([title, flags]) =>
			headed(
				page,
				title,
				rows(page, [
					...flags.map((flag) => [flagHead(flag), flagText(flag)] as const),
					...(title === "OPTIONS" ? [HELP_ROW] : []),
				]),
			),
		),
		...headed(page, "EXAMPLES", commandLines(examplesOf(command, program))),
		...headed(page, "EXIT STATUS", rows(page, exitRows())),
		...headed(
			page,
			"SEE ALSO",
			paragraph(page, seeAlso(command, program).join(", ")),
		),
	];
}

const usageLines = (command: CommandRecord, program: string, page: Page) =>
	usagesOf(command).flatMap((usage) =>
		paragraph(page, `${program} ${usage}`).map((line, at) =>
			at === 0 ? line : `  ${line}`,
		),
	);

function flagHead(flag: FlagRecord): string {
	const short = flag.char ? `-${flag.char}, ` : "";
	const value = valueName(flag);
	const shown = value ? ` ${value}${flag.multiple ? "..." : ""}` : "";
	return `${short}--${flag.name}${shown}`;
}

/** As much as one needs to know whether to read on. */
const firstClause = (text: string) =>
	`${text.split(/[;:.] | \(/)[0]?.replace(/\.$/, "")}.`;

const seeAlso = ({ id }: CommandRecord, program: string) => [
	`${program}-${id.replaceAll(":", "-")}(1)`,
	...["records(5)", "captures(5)", "guide(7)", "faq(7)"].map(
		(page) => `${program}-${page}`,
	),
];
