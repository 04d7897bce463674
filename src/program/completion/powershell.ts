// Completion for PowerShell: tables of what may stand where, and one script block that looks it up. Where it offers
// nothing, PowerShell offers files.
import {
	type CompletedCommand,
	firstWords,
	oneLine,
	secondWords,
	topicsOf,
} from "./model.ts";

/** Any text as one word: PowerShell takes the typographic quotes for the plain one. */
const quote = (text: string) =>
	`'${text.replaceAll(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;

const list = (texts: readonly string[]) => `@(${texts.map(quote).join(", ")})`;

/** A word and what it is for, with a tab between them: nested lists would come apart. */
const told = ([word, text]: readonly [string, string]) =>
	`${word}\t${oneLine(text)}`;

const HELP = ["help", "Show the help of a command."] as const;

export function powershellCompletion(
	program: string,
	commands: readonly CompletedCommand[],
): string {
	return `# PowerShell completion for ${program}, made by: ${program} completion powershell
# It knows commands, flags and their values by itself: a TAB starts no process.

# What may stand after a command's words; after a flag (an empty list: any value); at a place of a positional word.
$mcpEventsWords = [hashtable]::new([StringComparer]::Ordinal)
$mcpEventsFlags = [hashtable]::new([StringComparer]::Ordinal)
$mcpEventsValues = [hashtable]::new([StringComparer]::Ordinal)
${tableRows(commands).join("\n")}

Register-ArgumentCompleter -Native -CommandName ${quote(program)}, ${quote(`${program}.cmd`)} -ScriptBlock {
	param($wordToComplete, $commandAst, $cursorPosition)
	$command = ''
	$flag = ''
	$place = 0
	foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
		if ($element.Extent.EndOffset -ge $cursorPosition) { break }
		$word = $element.ToString()
		if ($word -ceq '--') { return }
		if ($flag) { $flag = '' }
		elseif ($word.StartsWith('-')) { if ($mcpEventsValues.ContainsKey("$command $word")) { $flag = $word } }
		elseif (-not $command) { $command = $word }
		elseif ($mcpEventsWords.ContainsKey($command)) { $command = "$command $word" }
		else { $place++ }
	}
	$candidates = if ($flag) { $mcpEventsValues["$command $flag"] }
	elseif ($wordToComplete.StartsWith('-')) { $mcpEventsFlags[$command] }
	elseif ($mcpEventsWords.ContainsKey($command)) { $mcpEventsWords[$command] }
	else { $mcpEventsValues["$command $place"] }
	foreach ($candidate in $candidates) {
		$word, $text = $candidate -split "\`t", 2
		if (-not $word.StartsWith($wordToComplete)) { continue }
		if (-not $text) { $text = $word }
		[System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $text)
	}
}
`;
}

function tableRows(commands: readonly CompletedCommand[]): string[] {
	const firsts = firstWords(commands);
	return [
		row("Words", "", [...firsts, HELP].map(told)),
		row("Words", "help", firsts.map(told)),
		...topicsOf(commands).map((topic) =>
			row("Words", topic, secondWords(topic, commands).map(told)),
		),
		...commands.flatMap(commandRows),
	];
}

const row = (table: string, key: string, values: readonly string[]) =>
	`$mcpEvents${table}[${quote(key)}] = ${list(values)}`;

function commandRows({
	words,
	flags,
	positionals,
}: CompletedCommand): string[] {
	const name = words.join(" ");
	const spelled = flags.flatMap(({ name: long, letter, text, values }) =>
		(letter ? [letter, long] : [long]).map((word) => ({ word, text, values })),
	);
	return [
		row(
			"Flags",
			name,
			spelled.map(({ word, text }) => told([word, text])),
		),
		...spelled.flatMap(({ word, values }) =>
			values
				? [
						row(
							"Values",
							`${name} ${word}`,
							values.kind === "words" ? values.words : [],
						),
					]
				: [],
		),
		...positionals.flatMap((values, at) =>
			values.kind === "words"
				? [row("Values", `${name} ${at}`, values.words)]
				: [],
		),
	];
}
