// The records that oclif's manifest keeps of the commands, and the words that help, man pages and completion share.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { EXIT_STATUSES } from "../../faults/index.ts";

export interface FlagRecord {
	name: string;
	char?: string;
	type: "boolean" | "option";
	summary?: string;
	helpGroup?: string;
	helpValue?: string | string[];
	/** The values it takes, where they are few. */
	options?: readonly string[];
	multiple?: boolean;
	hidden?: boolean;
	default?: unknown;
}

export interface ArgumentRecord {
	name: string;
	description?: string;
	options?: readonly string[];
}

export interface CommandRecord {
	/** Its words, with a colon between them. */
	id: string;
	summary?: string;
	description?: string;
	usage?: string | string[];
	examples?: readonly string[];
	/** The flags that its short help shows. */
	mostUsed?: readonly string[];
	hidden?: boolean;
	args: Record<string, ArgumentRecord>;
	flags: Record<string, FlagRecord>;
}

/** The commands that people are told of, by name. `root` is the folder of our package.json. */
export async function readCommands(root: string): Promise<CommandRecord[]> {
	const text = await readFile(join(root, "oclif.manifest.json"), "utf8");
	const { commands } = JSON.parse(text) as {
		commands: Record<string, CommandRecord>;
	};
	return Object.values(commands)
		.filter((command) => !command.hidden)
		.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export const spokenName = (command: CommandRecord) =>
	command.id.replaceAll(":", " ");

export const shownFlags = (command: CommandRecord) =>
	Object.values(command.flags).filter((flag) => !flag.hidden);

/** The ways to use it, without the program's name. */
export const usagesOf = (command: CommandRecord) =>
	[command.usage ?? spokenName(command)].flat();

/** Its examples as one types them. */
export const examplesOf = (command: CommandRecord, program: string) =>
	(command.examples ?? []).map((example) =>
		example
			.replaceAll("<%= config.bin %>", program)
			.replaceAll("<%= command.id %>", spokenName(command)),
	);

/** What stands for the flag's value in help; empty for one that takes none. */
export function valueName(flag: FlagRecord): string {
	if (flag.type === "boolean") return "";
	if (flag.options?.length) return flag.options.join("|");
	return [flag.helpValue ?? flag.name.toUpperCase()].flat().join(" ");
}

/** What it does, and its default. */
export function flagText(flag: FlagRecord): string {
	const text = flag.summary ?? "";
	return flag.type === "boolean" || flag.default === undefined
		? text
		: `${text} Default: ${flag.default}.`;
}

/** The flags in groups, those of no group first. */
export function flagGroups(command: CommandRecord): [string, FlagRecord[]][] {
	const groups = new Map<string, FlagRecord[]>([["OPTIONS", []]]);
	for (const flag of shownFlags(command)) {
		const title = flag.helpGroup ? `${flag.helpGroup} OPTIONS` : "OPTIONS";
		groups.set(title, [...(groups.get(title) ?? []), flag]);
	}
	return [...groups];
}

/** What -h and --help do, for the options of no group. */
export const HELP_TEXT = "Show what is most used, or everything.";

/** Each exit status, and what it means. */
export const exitRows = () =>
	Object.values(EXIT_STATUSES).map(
		({ status, meaning }) => [String(status), meaning] as const,
	);
