// The help of the program as a whole, and of a topic, which is a word that several commands begin with.
import type { Page } from "../../output/index.ts";
import { commandLines, headed, paragraph, rows } from "./layout.ts";
import { type CommandRecord, exitRows, spokenName } from "./manifest.ts";

export interface ProgramWords {
	name: string;
	description: string;
	/** What each topic is for. */
	topics: Record<string, { description: string }>;
}

/** Commands in the order in which one comes to need them. Those that are named nowhere stand under OTHER. */
const GROUPS: readonly (readonly [title: string, ids: readonly string[]])[] = [
	["FOLLOW EVENTS", ["list", "describe", "tail", "stream", "poll"]],
	[
		"RECEIVE WEBHOOKS",
		["listen", "subscribe", "unsubscribe", "subscriptions", "captures"],
	],
	["CHECK AND SEND", ["verify", "replay", "send", "secret"]],
	["RUN AND GRADE SERVERS", ["serve", "check"]],
	["OTHER", []],
];

const EXAMPLES = [
	"mcp-events list https://shop.example/mcp",
	"mcp-events tail https://shop.example/mcp orders.created | jq -c .data",
	"mcp-events tail clock.tick --count 3 -- mcp-events serve --stdio",
];

export function programHelp(
	program: ProgramWords,
	commands: readonly CommandRecord[],
	{ isWhole, page }: { isWhole: boolean; page: Page },
): string[] {
	const groups = GROUPS.map(([title, ids]) => {
		const own = title === "OTHER" ? unnamed(commands) : ids;
		const cells = own.flatMap((id) =>
			rowsOf(id, commands, { program, isWhole }),
		);
		return [title, cells] as const;
	});
	return [
		...paragraph(page, `${program.description}.`, ""),
		...headed(page, "USAGE", [
			`  ${program.name} COMMAND [SERVER] [EVENT...] [OPTIONS] [-- SERVER-COMMAND...]`,
		]),
		...(isWhole
			? groups.flatMap(([title, cells]) =>
					headed(page, title, rows(page, cells)),
				)
			: headed(
					page,
					"COMMANDS",
					rows(
						page,
						groups.flatMap(([, cells]) => cells),
					),
				)),
		...headed(
			page,
			"EXAMPLES",
			commandLines(isWhole ? EXAMPLES : EXAMPLES.slice(-1)),
		),
		...(isWhole ? endings(program.name, page) : []),
		"",
		`More: ${program.name} ${isWhole ? "COMMAND --help" : "--help, or COMMAND -h"}`,
	];
}

function endings(name: string, page: Page): string[] {
	return [
		...headed(page, "EXIT STATUS", rows(page, exitRows())),
		...headed(page, "SEE ALSO", [
			`  ${name}(1), ${name}-guide(7), ${name}-faq(7), ${name}-records(5), ${name}-captures(5)`,
		]),
	];
}

export function topicHelp(
	program: ProgramWords,
	commands: readonly CommandRecord[],
	page: Page,
): string[] {
	const topic = commands[0]?.id.split(":")[0] ?? "";
	return [
		...paragraph(page, program.topics[topic]?.description ?? "", ""),
		...headed(page, "USAGE", [`  ${program.name} ${topic} COMMAND [OPTIONS]`]),
		...headed(
			page,
			"COMMANDS",
			rows(
				page,
				commands.map((command) => [spokenName(command), command.summary ?? ""]),
			),
		),
		"",
		`More: ${program.name} ${topic} COMMAND --help`,
	];
}

const firstWord = ({ id }: CommandRecord) => id.split(":")[0] ?? "";

function unnamed(commands: readonly CommandRecord[]): string[] {
	const named = new Set(GROUPS.flatMap(([, ids]) => ids));
	return [...new Set(commands.map(firstWord))].filter((id) => !named.has(id));
}

/** The rows of a command or a topic: in short one, in full one for each command. */
function rowsOf(
	id: string,
	commands: readonly CommandRecord[],
	{ program, isWhole }: { program: ProgramWords; isWhole: boolean },
): (readonly [string, string])[] {
	const own = commands.filter((command) => firstWord(command) === id);
	if (isWhole)
		return own.map((command) => [spokenName(command), command.summary ?? ""]);
	const [command] = own;
	if (!command) return [];
	const topic = program.topics[id];
	if (topic && own.length > 1)
		return [[id, topic.description.replace(/\.$/, "")]];
	return [[spokenName(command), purpose(command.summary ?? "")]];
}

/** The summary up to its first stop: a line of a list. */
const purpose = (summary: string) =>
	summary.split(/[:;,.] | \(/)[0]?.replace(/\.$/, "") ?? summary;
