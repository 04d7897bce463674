// Turns what oclif throws about words on the command line into a fault, and everything unknown into a bug.
import { Fault, nearestNames } from "../../faults/index.ts";

/** Lines of oclif's that say nothing. */
const OF_NO_USE = /^See more help|^The following errors? occurred:$/;

interface OclifError extends Error {
	oclif: { exit?: number };
}

/** What a command may be told. */
export interface CommandWords {
	id: string;
	/** Names of its flags, without the hyphens. */
	flags: readonly string[];
}

/** The exit status that oclif itself asked for (help, version), or undefined for a real error. */
export function plainExit(error: unknown): number | undefined {
	return isOclifError(error) && (error as { code?: unknown }).code === "EEXIT"
		? (error.oclif.exit ?? 0)
		: undefined;
}

/**
 * A `wrong-use` fault for an error of oclif's parser; anything else comes back as it is.
 * `commands` are those that exist, `words` what was typed.
 */
export function asUsageFault(
	error: unknown,
	commands: readonly CommandWords[],
	words: readonly string[],
): unknown {
	if (error instanceof Fault || !isOclifError(error)) return error;
	const [first = "", ...rest] = error.message
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line && !OF_NO_USE.test(line));
	if (/^command .* not found$/.test(first))
		return unknownCommand(
			words,
			commands.map(({ id }) => id),
		);
	const command = commandOf(words, commands);
	// oclif's own two lines: "Parsing --count", and what is wrong with it.
	const [, flag] = /^Parsing (--\S+)$/.exec(first) ?? [];
	const [reason, ...others] = flag === undefined ? [first, ...rest] : rest;
	const prefix = flag === undefined ? "" : `${flag}: `;
	const why =
		others.length > 0 ? others.join("; ") : nearestFlag(first, command);
	return new Fault("wrong-use", {
		what: prefix + lowerFirst(reason ?? ""),
		why,
		next: `mcp-events ${command ? `${command.id.replace(":", " ")} ` : ""}--help`,
		cause: error,
	});
}

function nearestFlag(
	message: string,
	command: CommandWords | undefined,
): string | undefined {
	const [, name] = /^Nonexistent flags?: --([^,\s=]+)/.exec(message) ?? [];
	if (name === undefined || !command) return undefined;
	const near = nearestNames(name, command.flags);
	return near.length === 0
		? "it has no flag with a name like that"
		: `the nearest: ${near.map((flag) => `--${flag}`).join(", ")}`;
}

/** The command that the words begin with. */
function commandOf(
	[first = "", second = ""]: readonly string[],
	commands: readonly CommandWords[],
): CommandWords | undefined {
	const find = (wanted: string) => commands.find(({ id }) => id === wanted);
	return find(`${first}:${second}`) ?? find(first);
}

function unknownCommand(
	[first = "", second]: readonly string[],
	commands: readonly string[],
): Fault {
	if (second !== undefined && commands.includes(first))
		return new Fault("wrong-use", {
			what: `${first} takes no argument, and ${JSON.stringify(second)} is one`,
			next: `mcp-events ${first} --help`,
		});
	const isTopic = commands.some((id) => id.startsWith(`${first}:`));
	const word = isTopic && second !== undefined ? `${first} ${second}` : first;
	const spoken = commands.map((id) => id.replaceAll(":", " "));
	const near = nearestNames(word, spoken);
	return new Fault("wrong-use", {
		what: `there is no command ${JSON.stringify(word)}`,
		why:
			near.length > 0
				? `the nearest: ${near.join(", ")}`
				: "none has a name like that",
		next: near[0] ? `mcp-events ${near[0]} --help` : "mcp-events --help",
	});
}

function isOclifError(error: unknown): error is OclifError {
	return error instanceof Error && "oclif" in error;
}

const lowerFirst = (text: string) =>
	text.replace(/[.:]$/, "").replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());
