// Who we are, on the wire and in messages.
import packageJson from "../../../package.json" with { type: "json" };

export const PROGRAM = {
	name: packageJson.name,
	version: packageJson.version,
	description: packageJson.description,
	topics: packageJson.oclif.topics,
} as const;
