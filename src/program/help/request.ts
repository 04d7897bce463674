// Whether the words ask for help, how much of it, and about what.
import type { CommandRecord } from "./manifest.ts";

export interface HelpRequest {
	/** The words of a command or of a topic; none: the program. */
	about: string[];
	/** All of it (`--help`), or what fits on a screen (`-h`). */
	isWhole: boolean;
}

/** undefined where no help is asked for. What follows `--` belongs to a server. */
export function readHelpRequest(
	words: readonly string[],
	topics: readonly string[],
): HelpRequest | undefined {
	const [first] = words;
	if (first === undefined) return { about: [], isWhole: false };
	const dashes = words.indexOf("--");
	const own = dashes === -1 ? words : words.slice(0, dashes);
	const isWhole = own.includes("--help") || first === "help";
	const isLoneTopic = words.length === 1 && topics.includes(first);
	if (!isWhole && !own.includes("-h") && !isLoneTopic) return undefined;
	const rest = first === "help" ? own.slice(1) : own;
	const end = rest.findIndex((word) => word.startsWith("-"));
	return { about: rest.slice(0, end === -1 ? rest.length : end), isWhole };
}

/** The words without those that ask for help: for whoever finds out that they name nothing. */
export const withoutHelp = (words: readonly string[]) =>
	words.filter(
		(word, at) =>
			word !== "--help" && word !== "-h" && !(at === 0 && word === "help"),
	);

/** The command that the words begin with, or the commands of the topic that they are. */
export function findSubject(
	[first, second, ...others]: readonly string[],
	commands: readonly CommandRecord[],
): { command: CommandRecord } | { topic: CommandRecord[] } | undefined {
	const find = (id: string) => commands.find((command) => command.id === id);
	const command = find(`${first}:${second}`) ?? find(first ?? "");
	if (command) return { command };
	const topic = commands.filter(({ id }) => id.startsWith(`${first}:`));
	const isTopic = topic.length > 0 && second === undefined && !others.length;
	return isTopic ? { topic } : undefined;
}
