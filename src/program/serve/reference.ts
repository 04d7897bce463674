// A secret that need not stand on a command line or in a configuration: a reference to a file or the environment.
import { Fault } from "../../faults/index.ts";
import { readTextFile } from "../flags/files.ts";
import type { World } from "../process/world.ts";

const FROM_ENVIRONMENT = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;

/** The text behind `@FILE` or `env:VAR`, without white space around it; any other text stands for itself. */
export async function readReference(
	text: string,
	flag: string,
	{ env }: Pick<World, "env">,
): Promise<string> {
	if (text.startsWith("@"))
		return (await readTextFile(text.slice(1), flag)).trim();
	if (!text.startsWith("env:")) return text;
	const name = FROM_ENVIRONMENT.exec(text)?.[1];
	const value = name === undefined ? undefined : env[name];
	if (value !== undefined && value.trim() !== "") return value.trim();
	throw new Fault("wrong-use", {
		what: `${flag} ${text} names no environment variable that is set`,
		why: name === undefined ? "it is no name of one" : `${name} is empty`,
		next: `export ${name ?? "NAME"}=..., or name a file: ${flag} ...@FILE`,
	});
}
