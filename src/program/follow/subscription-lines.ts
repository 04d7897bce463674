// The lines of --from: one subscription each, as the words of a command line or as a JSON object. What the server makes
// of them is known later; bad-lines.ts tells of both.
import { isRecord } from "../../protocol/index.ts";
import type { Mode } from "../../tail/index.ts";
import { splitLine } from "../flags/split-line.ts";
import type { EventWords } from "../flags/words.ts";
import { type BadLine, badLines } from "./bad-lines.ts";

export interface LineOptions {
	/** As the user named it. */
	file: string;
	/** Whether webhooks can be received. */
	canReceive: boolean;
}

/** Where each line came from, for what is told of it later. */
export type LineWords = EventWords & { line: number };

type Reading = Omit<EventWords, "line">;

/**
 * Reads the subscriptions of a text. Blank lines, and those that begin with `#`, are passed over. Throws one
 * `wrong-use` that tells of all lines that cannot be read, or of a text without any.
 */
export function parseSubscriptions(
	text: string,
	{ file, canReceive }: LineOptions,
): LineWords[] {
	const bad: BadLine[] = [];
	const words: LineWords[] = [];
	const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
	for (const [at, whole] of lines.entries()) {
		const line = whole.trim();
		if (line === "" || line.startsWith("#")) continue;
		const read = line.startsWith("{") ? readObject(line) : readWords(line);
		const problem =
			typeof read === "string" ? read : problemOf(read, canReceive);
		if (problem !== undefined) bad.push({ line: at + 1, problem });
		else if (typeof read !== "string") words.push({ ...read, line: at + 1 });
	}
	if (bad.length > 0) throw badLines(bad, file);
	if (words.length === 0)
		throw badLines([{ line: lines.length, problem: "nothing is named" }], file);
	return words;
}

const MODES: readonly string[] = ["webhook", "push", "poll"];
const isMode = (text: string): text is Mode => MODES.includes(text);

function problemOf(
	{ name, via }: Reading,
	canReceive: boolean,
): string | undefined {
	if (name === "") return "the event has no name";
	if (via === "webhook" && !canReceive)
		return "webhook needs --public-url or --tunnel";
	return undefined;
}

/** The subscription of a JSON object, or what is wrong with it. */
function readObject(line: string): Reading | string {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch (error) {
		return `it is no JSON: ${error instanceof Error ? error.message : ""}`;
	}
	if (!isRecord(value)) return "it is no object";
	const { event, arguments: args, via, cursor, ...others } = value;
	const [stray] = Object.keys(others);
	if (stray !== undefined)
		return `${quoted(stray)} is none of event, arguments, via and cursor`;
	if (typeof event !== "string") return "event must be the name of one";
	if (args !== undefined && !isRecord(args))
		return "arguments must be an object";
	if (cursor !== undefined && typeof cursor !== "string")
		return "cursor must be a string";
	if (via !== undefined && (typeof via !== "string" || !isMode(via)))
		return noMode(JSON.stringify(via));
	const json = args === undefined ? [] : [JSON.stringify(args)];
	return { name: event, pairs: [], json, via, cursor };
}

/** The subscription of `EVENT [-a KEY=VALUE]... [--args JSON] [--via MODE] [--cursor CURSOR]`, or what is wrong. */
function readWords(line: string): Reading | string {
	const words = splitLine(line);
	if (!words) return "a quote is not closed, or a backslash ends it";
	const read: Reading = { name: "", pairs: [], json: [] };
	const names: string[] = [];
	while (words.length > 0) {
		const word = words.shift() ?? "";
		if (!word.startsWith("-")) {
			names.push(word);
			continue;
		}
		const { flag, value = words.shift() } = splitFlag(word);
		if (value === undefined) return `${flag} has no value`;
		const problem = takeFlag(flag, value, read);
		if (problem !== undefined) return problem;
	}
	const [name] = names;
	if (name === undefined) return "no event is named";
	if (names.length > 1)
		return `it names ${names.map(quoted).join(" and ")}: one event a line, and -a before each argument`;
	return { ...read, name };
}

function splitFlag(word: string): { flag: string; value?: string } {
	const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
	if (flag !== undefined && value !== undefined) return { flag, value };
	const isShort = /^-a./s.test(word);
	return isShort ? { flag: "-a", value: word.slice(2) } : { flag: word };
}

function takeFlag(
	flag: string,
	value: string,
	read: Reading,
): string | undefined {
	if (flag === "-a" || flag === "--arg") read.pairs.push(value);
	else if (flag === "--cursor") read.cursor = value;
	else if (flag === "--via") {
		if (!isMode(value)) return noMode(quoted(value));
		read.via = value;
	} else if (flag === "--args") {
		if (value === "-") return "--args - : a line cannot read stdin";
		read.json.push(value);
	} else return `${flag} is none of -a, --args, --via and --cursor`;
	return undefined;
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 80));
const noMode = (text: string) => `${text} is none of ${MODES.join(", ")}`;
