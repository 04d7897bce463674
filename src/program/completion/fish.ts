// Completion for fish: one line for each thing that can stand somewhere, under the condition that it can.
import {
	type CompletedCommand,
	firstWords,
	oneLine,
	secondWords,
	topicsOf,
	type Values,
} from "./model.ts";

/** Any text as one word of fish, which knows two escapes inside single quotes. */
const quote = (text: string) =>
	`'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

export function fishCompletion(
	program: string,
	commands: readonly CompletedCommand[],
): string {
	const line = (condition: string, words: string) =>
		`complete -c ${program} -n ${quote(condition)} ${words}`;
	const topics = topicsOf(commands);
	return `# fish completion for ${program}, made by: ${program} completion fish
# It knows commands, flags and their values by itself: a TAB starts no process.

# The words before the cursor that are no flags, after the program's name.
function __mcp_events_words
	set -l tokens (commandline -opc)
	set -e tokens[1]
	string match -v -- '-*' $tokens
end

# Whether the command is the one of these words.
function __mcp_events_is
	set -l words (__mcp_events_words)
	test (count $words) -ge (count $argv)
	or return 1
	set words $words[1..(count $argv)]
	test "$words" = "$argv"
end

# Whether nothing but these words was typed.
function __mcp_events_only
	set -l words (__mcp_events_words)
	test "$words" = "$argv"
end

function __mcp_events_is_ours
	not contains -- -- (commandline -opc)
end

complete -c ${program} -e
complete -c ${program} -n __mcp_events_is_ours -f
complete -c ${program} -n 'not __mcp_events_is_ours' -F
${line("__mcp_events_only", "-l version -d 'Show the version.'")}
${[...firstWords(commands), ["help", "Show the help of a command."] as const]
	.map(([word, text]) => line("__mcp_events_only", offer(word, text)))
	.join("\n")}
${firstWords(commands)
	.map(([word, text]) => line("__mcp_events_only help", offer(word, text)))
	.join("\n")}
${topics
	.flatMap((topic) =>
		secondWords(topic, commands).map(([word, text]) =>
			line(`__mcp_events_only ${topic}`, offer(word, text)),
		),
	)
	.join("\n")}
${commands.flatMap((command) => commandLines(command, line)).join("\n")}
`;
}

const offer = (word: string, text: string) =>
	`-a ${quote(quote(word))} -d ${quote(oneLine(text))}`;

function commandLines(
	{ words, flags, positionals }: CompletedCommand,
	line: (condition: string, words: string) => string,
): string[] {
	const isIt = `__mcp_events_is_ours; and __mcp_events_is ${words.join(" ")}`;
	return [
		...flags.map(({ name, letter, text, values }) => {
			const short = letter ? ` -s ${letter.slice(1)}` : "";
			const value = values ? ` ${valueWords(values)}` : "";
			return line(
				isIt,
				`-l ${name.slice(2)}${short}${value} -d ${quote(oneLine(text))}`,
			);
		}),
		...positionals.flatMap((values) =>
			values.kind === "unknown" ? [] : [line(isIt, positionalWords(values))],
		),
	];
}

const list = (words: readonly string[]) => quote(words.map(quote).join(" "));

function valueWords(values: Values): string {
	switch (values.kind) {
		case "words":
			return `-x -a ${list(values.words)}`;
		case "files":
			return "-r -F";
		case "folders":
			return "-x -a '(__fish_complete_directories)'";
		case "unknown":
			return "-x";
	}
}

const positionalWords = (values: Values) =>
	values.kind === "words" ? `-a ${list(values.words)}` : "-F";
