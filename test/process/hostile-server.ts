// A server whose every field is a text that a terminal would obey, and what is looked for in what is shown of it.
import { expect } from "vitest";
import { HOSTILE_TEXTS } from "../fixtures/hostile-text.ts";
import type { CatalogueTexts } from "../fixtures/servers/catalogue.ts";
import {
	type Answer,
	openRawOddities,
	type RawOptions,
} from "../fixtures/servers/raw-oddities.ts";
import { type CliRun, runCli } from "../helpers/run-cli.ts";

export const TEXTS = HOSTILE_TEXTS.map(({ text }) => text);
export const ALL = TEXTS.join(" ");

/** Every field of a schema that may be shown. */
const schemaOf = (text: string) => ({
	type: "object",
	title: text,
	description: text,
	required: [text],
	properties: {
		[text]: {
			type: "string",
			title: text,
			description: text,
			enum: [text],
			default: text,
			examples: [text],
			pattern: text,
		},
		kind: { anyOf: [{ const: text }, { type: text }] },
	},
	anyOf: [{ required: [text] }, { required: ["kind"] }],
});

const descriptorOf = (text: string, at: number) => ({
	name: `type-${at}-${text}`,
	title: at % 2 ? text : undefined,
	description: text,
	delivery: at % 3 ? ["poll", "push"] : [text],
	inputSchema: schemaOf(text),
	payloadSchema: schemaOf(text),
});

const occurrenceOf = (text: string, at: number) => ({
	eventId: `${at}-${text}`,
	name: at % 2 ? "verbatim.case" : text,
	timestamp: text,
	data: { [text]: text, list: [text, { [text]: [text] }] },
	_meta: { [text]: text },
});

const plain = {
	name: "verbatim.case",
	description: ALL,
	delivery: ["poll", "push"],
	inputSchema: {},
	payloadSchema: schemaOf(ALL),
};

export const catalogue: CatalogueTexts = {
	descriptors: [plain, ...TEXTS.map(descriptorOf)].map((each) =>
		JSON.stringify(each),
	),
	events: {
		"verbatim.case": TEXTS.map(occurrenceOf).map((each) =>
			JSON.stringify(each),
		),
	},
	stderrText: `${TEXTS.join("\n")}\n`,
};

export async function runAgainst(
	options: RawOptions,
	[command = "", ...rest]: string[],
): Promise<CliRun> {
	const server = await openRawOddities({ catalogue, ...options });
	try {
		return await runCli([command, server.url, ...rest]);
	} finally {
		await server.close();
	}
}

/** Written in the place of a control character, as told texts have it. */
export function expectShown(text: string): void {
	for (const shown of ["\\u001b[2J", "\\u009b2J", "\\u202e", "\\u{e0001}"])
		expect(text).toContain(shown);
	expect(text).not.toMatch(FAKE);
}

export function expectHarmless({ stdout, stderr }: CliRun): void {
	expect(stdout).not.toMatch(FAKE);
	expect(stderr).not.toMatch(FAKE);
	expect(stderr).toMatch(/^mcp-events: /m);
}

/** One of the texts is a line feed and then this: a line of its own would be a lie in our name. */
const FAKE = /^mcp-events: all is well/m;

export function page(type: string, status: number): Answer {
	return (_, response) =>
		response.writeHead(status, { "content-type": type }).end(ALL);
}

/** Headers can carry C1 controls, and nothing else of the table. */
export function headers(status: number): Answer {
	const text = "\u009b2J\u0085\u009d0;owned\u009c";
	return (_, response) =>
		response
			.writeHead(status, {
				"www-authenticate": `Bearer realm="${text}"`,
				location: `http://other.example/${text}?${text}`,
				"retry-after": text,
			})
			.end(ALL);
}

export function wrongType(
	{ id }: { id: unknown },
	response: Parameters<Answer>[1],
) {
	const result = { resultType: ALL, [ALL]: ALL };
	response
		.writeHead(200, { "content-type": "application/json" })
		.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

export function discovery(
	{ id }: { id: unknown },
	response: Parameters<Answer>[1],
) {
	const result = {
		resultType: "complete",
		supportedVersions: ["2026-07-28", ALL],
		capabilities: {
			[ALL]: {},
			extensions: { "io.modelcontextprotocol/events": {}, [ALL]: {} },
		},
		instructions: ALL,
		_meta: {
			"io.modelcontextprotocol/serverInfo": { name: ALL, version: ALL },
		},
	};
	response
		.writeHead(200, { "content-type": "application/json" })
		.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}
