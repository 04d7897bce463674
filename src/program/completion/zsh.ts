// Completion for zsh: the words are read as in bash, and each candidate is shown with what it is for.
import { quote } from "./bash.ts";
import {
	type CompletedCommand,
	type CompletedFlag,
	firstWords,
	oneLine,
	secondWords,
	topicsOf,
	type Values,
} from "./model.ts";

/** `_describe` parts the word from its text at the first colon that has no backslash. */
const described = (word: string, text: string) =>
	quote(
		`${word.replaceAll("\\", "\\\\").replaceAll(":", "\\:")}:${oneLine(text)}`,
	);

export function zshCompletion(
	program: string,
	commands: readonly CompletedCommand[],
): string {
	const firsts = firstWords(commands).map(([word, text]) =>
		described(word, text),
	);
	return `#compdef ${program}
# zsh completion for ${program}, made by: ${program} completion zsh
# It knows commands, flags and their values by itself: a TAB starts no process.

_mcp_events_takes_value() {
	case "$command $flag" in
${commands.map(valuePattern).filter(Boolean).join("\n")}
	*) return 1 ;;
	esac
}

_mcp_events_offer() {
	local -a candidates
	local title=$1
	shift
	candidates=("$@")
	_describe "$title" candidates
}

# Puts the command into \`command\`, the number of positional words before the cursor into \`place\`, and the flag whose
# value stands at the cursor into \`flag\`.
_mcp_events_read() {
	local i word
	for ((i = 2; i < CURRENT; i++)); do
		word=$words[i]
		if [[ $word == -- ]]; then server=$i; return; fi
		if [[ -n $flag ]]; then flag=
		elif [[ $word == --*=* ]]; then :
		elif [[ $word == -* ]]; then
			flag=$word
			_mcp_events_takes_value || flag=
		elif [[ -z $command ]]; then command=$word
		elif [[ " ${topicsOf(commands).join(" ")} " == *" $command "* ]]; then command="$command $word"
		else ((place++))
		fi
	done
}

_mcp_events() {
	local command= flag= place=0 server=0
	_mcp_events_read
	if ((server)); then
		shift $server words
		((CURRENT -= server))
		_normal
		return
	fi
	if [[ -z $flag && $words[CURRENT] == --*=* ]]; then
		flag=\${words[CURRENT]%%=*}
		compset -P '*='
	fi
	if [[ -n $flag ]]; then
		case "$command $flag" in
${commands.flatMap((command) => command.flags.flatMap((flag) => valueCase(command, flag))).join("\n")}
		*) _message 'a value' ;;
		esac
		return
	fi
	if [[ $words[CURRENT] == -* ]]; then
		case "$command" in
${commands.map((command) => `		${quote(command.words.join(" "))}) _mcp_events_offer option ${flagWords(command).join(" ")} ;;`).join("\n")}
		*) _mcp_events_offer option '--help:Show help.' '--version:Show the version.' ;;
		esac
		return
	fi
	case "$command" in
	'') _mcp_events_offer command ${firsts.join(" ")} 'help:Show the help of a command.' ;;
	'help') _mcp_events_offer command ${firsts.join(" ")} ;;
${topicsOf(commands)
	.map(
		(topic) =>
			`	${quote(topic)}) _mcp_events_offer command ${secondWords(
				topic,
				commands,
			)
				.map(([word, text]) => described(word, text))
				.join(" ")} ;;`,
	)
	.join("\n")}
	*)
		case "$command $place" in
${commands.flatMap(positionalCases).join("\n")}
		esac ;;
	esac
}

# As a file of fpath it is run each time, else it is read once.
if [[ $funcstack[1] == _${program} ]]; then
	_mcp_events "$@"
else
	compdef _mcp_events ${program}
fi
`;
}

const flagWords = ({ flags }: CompletedCommand) =>
	flags.flatMap(({ name, letter, text }) =>
		(letter ? [letter, name] : [name]).map((word) => described(word, text)),
	);

const namesOf = (
	{ words }: CompletedCommand,
	{ name, letter }: CompletedFlag,
) =>
	(letter ? [letter, name] : [name])
		.map((flag) => quote(`${words.join(" ")} ${flag}`))
		.join("|");

function valuePattern(command: CompletedCommand): string {
	const names = command.flags
		.filter(({ values }) => values)
		.map((flag) => namesOf(command, flag));
	return names.length === 0 ? "" : `	${names.join("|")}) return 0 ;;`;
}

function valueCase(command: CompletedCommand, flag: CompletedFlag): string[] {
	const { values } = flag;
	if (!values || values.kind === "unknown") return [];
	return [
		`		${namesOf(command, flag)}) ${act(values, flag.name.slice(2))} ;;`,
	];
}

function positionalCases({ words, positionals }: CompletedCommand): string[] {
	return positionals.flatMap((values, at) => {
		if (values.kind === "unknown") return [];
		const isLast = at === positionals.length - 1;
		return [
			`		${quote(`${words.join(" ")} `)}${isLast && values.kind !== "words" ? "*" : at}) ${act(values, "value")} ;;`,
		];
	});
}

function act(values: Values, title: string): string {
	switch (values.kind) {
		case "words":
			return `_mcp_events_offer ${title} ${values.words.map((word) => quote(word.replaceAll("\\", "\\\\").replaceAll(":", "\\:"))).join(" ")}`;
		case "files":
			return "_files";
		case "folders":
			return "_files -/";
		case "unknown":
			return ":";
	}
}
