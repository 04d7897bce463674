// Turns what oclif throws about words on the command line into a fault, and everything unknown into a bug.
import { Fault, nearestNames } from "../faults/index.ts";

interface OclifError extends Error {
	oclif: { exit?: number };
}

/** The exit status that oclif itself asked for (help, version), or undefined for a real error. */
export function plainExit(error: unknown): number | undefined {
	return isOclifError(error) && (error as { code?: unknown }).code === "EEXIT"
		? (error.oclif.exit ?? 0)
		: undefined;
}

/**
 * A `wrong-use` fault for an error of oclif's parser; anything else comes back as it is.
 * `commands` are the ids that exist, `words` what was typed.
 */
export function asUsageFault(
	error: unknown,
	commands: readonly string[],
	words: readonly string[],
): unknown {
	if (error instanceof Fault || !isOclifError(error)) return error;
	const [first = "", ...rest] = error.message
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line && !line.startsWith("See more help"));
	if (/^command .* not found$/.test(first))
		return unknownCommand(words[0] ?? "", commands);
	const command = commandOf(words, commands);
	return new Fault("wrong-use", {
		what: lowerFirst(first),
		why: rest.length > 0 ? rest.join("; ") : undefined,
		next: `mcp-events ${command}--help`,
		cause: error,
	});
}

/** The command that the words begin with, and a blank; "" where they name none. */
function commandOf(
	[first = "", second = ""]: readonly string[],
	commands: readonly string[],
): string {
	if (commands.includes(`${first}:${second}`)) return `${first} ${second} `;
	return commands.includes(first) ? `${first} ` : "";
}

function unknownCommand(word: string, commands: readonly string[]): Fault {
	const near = nearestNames(word, commands);
	return new Fault("wrong-use", {
		what: `there is no command ${JSON.stringify(word)}`,
		why: near.length > 0 ? `the nearest: ${near.join(", ")}` : undefined,
		next: near[0] ? `mcp-events ${near[0]} --help` : "mcp-events --help",
	});
}

function isOclifError(error: unknown): error is OclifError {
	return error instanceof Error && "oclif" in error;
}

const lowerFirst = (text: string) =>
	text.replace(/[.:]$/, "").replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());
