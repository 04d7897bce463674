// What a shell can complete: commands, flags, the values of flags and of positional words, taken from the manifest.
// What only a server knows (event names) is left out, so that a TAB starts no process.
import {
	type ArgumentRecord,
	type CommandRecord,
	type FlagRecord,
	flagText,
	shownFlags,
	usagesOf,
	valueName,
} from "../help/manifest.ts";

/** What may stand in a place: a few words, a path, or what no shell can know. */
export type Values =
	| { kind: "words"; words: readonly string[] }
	| { kind: "files" | "folders" | "unknown" };

export interface CompletedFlag {
	/** With its hyphens. */
	name: string;
	letter: string | undefined;
	text: string;
	/** undefined: it takes no value. */
	values: Values | undefined;
}

export interface CompletedCommand {
	/** One word, or two. */
	words: readonly string[];
	text: string;
	flags: readonly CompletedFlag[];
	/** Of the first positional word, the second, …; the last holds for those that follow. */
	positionals: readonly Values[];
}

const HELP: CompletedFlag[] = [
	{ name: "--help", letter: "-h", text: "Show help.", values: undefined },
];
const FILE_VALUES = ["FILE", "PATH"];

export function completedCommands(
	commands: readonly CommandRecord[],
): CompletedCommand[] {
	return commands.map((command) => ({
		words: command.id.split(":"),
		text: command.summary ?? "",
		flags: [...shownFlags(command).map(completedFlag), ...HELP],
		positionals: Object.values(command.args).map((arg) =>
			positionalValues(arg, command),
		),
	}));
}

function completedFlag(flag: FlagRecord): CompletedFlag {
	return {
		name: `--${flag.name}`,
		letter: flag.char ? `-${flag.char}` : undefined,
		text: flagText(flag),
		values: flag.type === "boolean" ? undefined : flagValues(flag),
	};
}

function flagValues(flag: FlagRecord): Values {
	if (flag.options?.length) return { kind: "words", words: flag.options };
	const value = valueName(flag);
	if (FILE_VALUES.includes(value)) return { kind: "files" };
	return { kind: value === "DIR" ? "folders" : "unknown" };
}

function positionalValues(arg: ArgumentRecord, command: CommandRecord): Values {
	if (arg.options?.length) return { kind: "words", words: arg.options };
	const isFile =
		FILE_VALUES.includes(arg.name.toUpperCase()) ||
		usagesOf(command).some((usage) => usage.includes("| FILE"));
	return { kind: isFile ? "files" : "unknown" };
}

/** Words that come first: each once, a topic with what its commands do. */
export function firstWords(
	commands: readonly CompletedCommand[],
): (readonly [word: string, text: string])[] {
	const texts = new Map<string, string[]>();
	for (const { words, text } of commands) {
		const [first = "", second] = words;
		texts.set(first, [...(texts.get(first) ?? []), second ?? text]);
	}
	return [...texts].map(([word, parts]) => [word, parts.join(", ")]);
}

/** The second words of a topic; none where the word is a command. */
export const secondWords = (
	first: string,
	commands: readonly CompletedCommand[],
) =>
	commands.flatMap(({ words, text }) =>
		words[0] === first && words[1] !== undefined
			? [[words[1], text] as const]
			: [],
	);

/** The words that are followed by another. */
export const topicsOf = (commands: readonly CompletedCommand[]) =>
	[
		...new Set(commands.flatMap(({ words }) => (words[1] ? words[0] : []))),
	] as string[];

/** A text as one line, for shells that show one for each candidate. */
export const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
