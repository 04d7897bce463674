// Completion for bash, 3.2 too (macOS): no associative arrays, and `compopt` only where there is one.
import {
	type CompletedCommand,
	firstWords,
	secondWords,
	topicsOf,
	type Values,
} from "./model.ts";

/** Any text as one word of the shell. */
export const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const quoteAll = (texts: readonly string[]) => texts.map(quote).join(" ");

export function bashCompletion(
	program: string,
	commands: readonly CompletedCommand[],
): string {
	return `# bash completion for ${program}, made by: ${program} completion bash
# It knows commands, flags and their values by itself: a TAB starts no process.

_mcp_events_words() {
	local word
	for word in "$@"; do
		[[ $word == "$cur"* ]] && COMPREPLY+=("$(printf '%q' "$word")")
	done
}

_mcp_events_paths() {
	local path
	compopt -o filenames 2>/dev/null
	while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$cur")
}

# Puts the command into \`command\`, the number of positional words before the cursor into \`place\`, and the flag whose
# value stands at the cursor into \`flag\`. Bash cuts words at = and :.
_mcp_events_read() {
	local i word isValue=
	command= place=0 flag= isServer=
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=\${COMP_WORDS[i]}
		if [[ $word == -- ]]; then isServer=1 && return; fi
		if [[ $word == = || $word == : ]]; then
			[[ $word == = && $flag == --* ]] && isValue=1
			[[ $word == : ]] && ((i++))
		elif [[ -n $isValue ]]; then isValue= flag=
		elif [[ $word == -* ]]; then
			flag=$word
			_mcp_events_takes_value && isValue=1
		elif [[ -z $command ]]; then command=$word flag=
		elif [[ " ${topicsOf(commands).join(" ")} " == *" $command "* ]]; then command="$command $word" flag=
		else ((place++)); flag=
		fi
	done
	[[ -n $isValue ]] || flag=
}

_mcp_events_takes_value() {
	case "$command $flag" in
${commands.map(valuePattern).filter(Boolean).join("\n")}
	*) return 1 ;;
	esac
}

_mcp_events() {
	local cur=\${COMP_WORDS[COMP_CWORD]} command place flag isServer
	COMPREPLY=()
	_mcp_events_read
	if [[ $cur == = ]]; then cur=; fi
	if [[ -n $isServer ]]; then _mcp_events_paths -f; _mcp_events_paths -c; return; fi
	if [[ -n $flag ]]; then
		case "$command $flag" in
${commands.flatMap(valueCases).join("\n")}
		esac
		return
	fi
	if [[ $cur == -* ]]; then
		case "$command" in
${commands.map((command) => `		${quote(command.words.join(" "))}) _mcp_events_words ${quoteAll(flagWords(command))} ;;`).join("\n")}
		*) _mcp_events_words --help --version -h ;;
		esac
		return
	fi
	case "$command" in
	'') _mcp_events_words ${quoteAll(firstWords(commands).map(([word]) => word))} help ;;
${topicsOf(commands)
	.map(
		(topic) =>
			`	${quote(topic)}) _mcp_events_words ${quoteAll(secondWords(topic, commands).map(([word]) => word))} ;;`,
	)
	.join("\n")}
	'help') _mcp_events_words ${quoteAll(firstWords(commands).map(([word]) => word))} ;;
	*)
		case "$command $place" in
${commands.flatMap(positionalCases).join("\n")}
		esac ;;
	esac
}

complete -F _mcp_events ${program}
`;
}

const flagWords = ({ flags }: CompletedCommand) =>
	flags.flatMap(({ name, letter }) => (letter ? [letter, name] : [name]));

const pattern = (
	{ words, flags }: CompletedCommand,
	isWanted: (values: Values) => boolean,
) =>
	flags
		.filter(({ values }) => values && isWanted(values))
		.flatMap(({ name, letter }) => (letter ? [letter, name] : [name]))
		.map((flag) => quote(`${words.join(" ")} ${flag}`))
		.join("|");

function valuePattern(command: CompletedCommand): string {
	const flags = pattern(command, () => true);
	return flags && `	${flags}) return 0 ;;`;
}

function valueCases(command: CompletedCommand): string[] {
	const paths = (["files", "folders"] as const).flatMap((kind) => {
		const flags = pattern(command, (values) => values.kind === kind);
		return flags ? [`		${flags}) ${act({ kind })} ;;`] : [];
	});
	const words = command.flags.flatMap(({ name, letter, values }) => {
		if (values?.kind !== "words") return [];
		const flags = (letter ? [letter, name] : [name]).map((flag) =>
			quote(`${command.words.join(" ")} ${flag}`),
		);
		return [`		${flags.join("|")}) ${act(values)} ;;`];
	});
	return [...paths, ...words];
}

function positionalCases({ words, positionals }: CompletedCommand): string[] {
	return positionals.flatMap((values, at) => {
		if (values.kind === "unknown") return [];
		const isLast = at === positionals.length - 1;
		return [
			`		${quote(`${words.join(" ")} `)}${isLast && values.kind !== "words" ? "*" : at}) ${act(values)} ;;`,
		];
	});
}

function act(values: Values): string {
	switch (values.kind) {
		case "words":
			return `_mcp_events_words ${quoteAll(values.words)}`;
		case "files":
			return "_mcp_events_paths -f";
		case "folders":
			return "_mcp_events_paths -d";
		case "unknown":
			return ":";
	}
}
