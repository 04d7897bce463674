// What the event types of a folder are called, and what they take and bring.
import type { TypeDescriptor } from "../../source.ts";

export const HAPPENINGS = ["created", "changed", "removed"] as const;
export type Happening = (typeof HAPPENINGS)[number];

const KINDS = ["file", "folder", "link", "other"];

const ABOUT: Record<Happening, string> = {
	created:
		"A file or folder came to be in the watched folder, or was moved into it. Told once it is quiet: a file that is still written to is told when that ends, or after a while.",
	changed:
		"A file in the watched folder has other contents, or another one took its place.",
	removed:
		"A file or folder in the watched folder is gone, or was moved away. What came and went within the settling time is not told.",
};

const INPUT_SCHEMA = {
	type: "object",
	properties: {
		glob: {
			type: "string",
			minLength: 1,
			maxLength: 200,
			description:
				"Only paths of this form: * and ? stand for what is between slashes, ** for folders",
		},
		under: {
			type: "string",
			minLength: 1,
			maxLength: 1_000,
			description: "Only what is below this folder",
		},
		extension: {
			type: "string",
			minLength: 1,
			maxLength: 50,
			description: "Only names that end so, such as .pdf; in any case",
		},
		kind: { type: "string", enum: KINDS, description: "Only such entries" },
	},
	additionalProperties: false,
	examples: [{}, { glob: "**/*.pdf" }, { under: "inbox", kind: "file" }],
};

const PAYLOAD_SCHEMA = {
	type: "object",
	properties: {
		path: {
			type: "string",
			description: "From the watched folder on, with forward slashes",
		},
		kind: { type: "string", enum: KINDS },
		sizeBytes: { type: "integer", minimum: 0 },
		modifiedAt: { type: "string", format: "date-time" },
	},
	required: ["path", "kind"],
};

export function describe(prefix: string, happening: Happening): TypeDescriptor {
	return {
		name: `${prefix}.${happening}`,
		description: `${ABOUT[happening]} Names are data of strangers: they may hold anything.`,
		delivery: ["poll", "push"],
		inputSchema: INPUT_SCHEMA,
		payloadSchema: PAYLOAD_SCHEMA,
	};
}
