// A command line with fields of an event in it. No shell is used, and each word stays one word: whatever a field holds,
// it is a part of one argument, and makes no option and no program of it.
import { basename } from "node:path";
import { Fault } from "../faults/index.ts";
import { FIELD_FILTERS, fieldText } from "./event-field.ts";

export interface CommandTemplate {
	command: string;
	hasFields: boolean;
	/** The arguments for an event, which is valid JSON on one line. */
	fill(event: Buffer): string[];
}

/** A piece of a word: text, or a field. */
type Piece = string | { path: string[]; filter: (value?: string) => string };

const FIELD = /\{\{(.*?)\}\}/s;
const PATH = /^event((?:\.[\w$-]+)+)$/;
const MEMBERS = ["eventId", "name", "timestamp", "data", "cursor"];
const EXAMPLE = "{{event.data.title|untrusted}} or {{event.eventId|id}}";

/** Those that run one of their arguments as a program, and the flags before it. */
const INTERPRETERS =
	/^(?:(?:ba|da|z|k|fi|c|tc)?sh|busybox|cmd|powershell|pwsh|node|deno|bun|python[\d.]*|perl|ruby|php|osascript|awk|gawk|sed|eval|ssh|su|env|xargs|sudo|doas)(?:\.exe)?$/i;
const PROGRAM_FLAG =
	/^(?:-[A-Za-z]*[cepSrEB]|--?(?:eval|print|command|exec|expression|split-string)|\/c)$/i;
/** Those that take a program without a flag before it. */
const TAKES_ANY_WORD = /^(?:ssh|eval|awk|gawk|sed|xargs|cmd)(?:\.exe)?$/i;

/** Reads the words of a command. Throws `wrong-use` for a field that is bare, unknown, or in a place where it could act. */
export function parseTemplate(words: readonly string[]): CommandTemplate {
	const [command = "", ...args] = words;
	if (command.includes("{{"))
		throw refused(command, "no field of an event may choose the command");
	const pieces = args.map(parseWord);
	for (const [at, word] of args.entries())
		if (hasField(pieces[at])) refuseProgram(word, words, at + 1);
	return {
		command,
		hasFields: pieces.some(hasField),
		fill: (event) => pieces.map((word) => fillWord(word, event)),
	};
}

const hasField = (word: readonly Piece[] | undefined) =>
	word?.some((piece) => typeof piece !== "string") ?? false;

function parseWord(word: string): Piece[] {
	const pieces: Piece[] = [];
	let rest = word;
	for (;;) {
		const match = FIELD.exec(rest);
		if (!match) break;
		pieces.push(rest.slice(0, match.index), parseField(match[1] ?? "", word));
		rest = rest.slice(match.index + match[0].length);
	}
	if (rest.includes("{{"))
		throw refused(word, "a {{ in it is not closed by }}");
	return [...pieces, rest].filter((piece) => piece !== "");
}

function parseField(text: string, word: string): Piece {
	const [place = "", name, ...more] = text.split("|").map((one) => one.trim());
	const path = PATH.exec(place)?.[1]?.slice(1).split(".");
	if (!path) throw refused(word, `{{${text}}} names no field of an event`);
	if (!MEMBERS.includes(path[0] ?? ""))
		throw refused(
			word,
			`an event has no ${JSON.stringify(path[0])}: it has ${MEMBERS.join(", ")}`,
		);
	const filters = [...FIELD_FILTERS.keys()].join(" and ");
	if (name === undefined)
		throw refused(
			word,
			`{{${text}}} is bare: whoever makes the event writes what it says, and it would stand there as if you had; the filters are ${filters}`,
		);
	const filter = FIELD_FILTERS.get(name);
	if (!filter || more.length > 0)
		throw refused(word, `{{${text}}} has no such filter; there are ${filters}`);
	return { path, filter: (value) => filter(value) };
}

/** Where a word is a program, what stands in it is code, whichever way it is quoted. */
function refuseProgram(
	word: string,
	words: readonly string[],
	at: number,
): void {
	const before = words.slice(0, at).map((one) => basename(one));
	const interpreter = before.find((one) => INTERPRETERS.test(one));
	if (!interpreter) return;
	const isProgram = PROGRAM_FLAG.test(words[at - 1] ?? "");
	if (isProgram || TAKES_ANY_WORD.test(interpreter))
		throw refused(
			word,
			`${interpreter} runs that word as a program, and what is filled in would be code; give it the event on stdin, or as an argument of its own`,
		);
}

/** A word that begins with a field must not become an option by it. */
function fillWord(pieces: readonly Piece[], event: Buffer): string {
	const word = pieces
		.map((piece) =>
			typeof piece === "string"
				? piece
				: piece.filter(fieldText(event, piece.path)),
		)
		.join("");
	const isFilledFirst = typeof pieces[0] === "object";
	return isFilledFirst ? word.replace(/^-/, "_") : word;
}

function refused(word: string, why: string): Fault {
	return new Fault("wrong-use", {
		what: `--exec cannot use the word ${JSON.stringify(word)}`,
		why,
		next: EXAMPLE,
	});
}
