// Who we are, on the wire and in messages.
import packageJson from "../../../package.json" with { type: "json" };

export const PROGRAM = {
	name: packageJson.name,
	version: packageJson.version,
	description: packageJson.description,
} as const;

/** The words that stand before several commands, with what `--help` says of each. */
export const TOPICS = packageJson.oclif.topics;
