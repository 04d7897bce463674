// list SERVER: every event type that a server offers.
import { Flags } from "@oclif/core";
import type { CatalogueEntry, Output } from "../output/index.ts";
import { type ConnectionFlags, connect } from "../program/connect/connect.ts";
import { serverArgs } from "../program/flags/args.ts";
import { connectionFlags, talkFlags } from "../program/flags/flags.ts";
import { onlyServer } from "../program/flags/words.ts";
import { EventsCommand } from "../program/process/command.ts";
import type { World } from "../program/process/world.ts";
import type { Descriptor } from "../protocol/index.ts";
import type { ServerAddress } from "../servers/index.ts";

export interface ListOptions {
	server: ServerAddress;
	connection: ConnectionFlags;
	asTable: boolean;
}

export default class List extends EventsCommand {
	static override summary = "List the event types that a server offers.";
	static override description =
		"Reads every page of events/list. On a terminal a table with modes and arguments, and why a type is unusable here; elsewhere one descriptor a line, exactly as the server wrote it. A server without the Events extension ends it with status 5.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp --bearer-env SHOP_TOKEN | jq -r .name",
		"<%= config.bin %> <%= command.id %> -- mcp-events serve --stdio",
	];
	static override usage = "list [SERVER] [-- COMMAND...]";
	static override strict = false;
	static override args = serverArgs;
	static override mostUsed = ["output", "bearer-env", "header", "verbose"];
	static override flags = {
		output: Flags.option({
			char: "o",
			options: ["table", "ndjson"] as const,
			summary: "By default a table on a terminal and NDJSON elsewhere.",
		})(),
		...connectionFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags, raw, child } = await this.parseWords(List);
		const { output: form, verbose, quiet } = flags;
		return this.perform({ verbose, quiet }, (world, output) =>
			runList(
				{
					server: onlyServer(raw, child),
					connection: flags,
					asTable: form ? form === "table" : world.stdout.isTTY === true,
				},
				world,
				output,
			),
		);
	}
}

/** Prints the catalogue; returns the exit status. */
export async function runList(
	options: ListOptions,
	world: World,
	output: Output,
): Promise<number> {
	await using session = await connect(options.server, options.connection, {
		world,
		output,
	});
	const { listEventTypes, requireEvents } = await import("../session/index.ts");
	requireEvents(session, options.connection.force);
	const pages = listEventTypes(session, {
		signal: world.stop,
		odd: (what) => output.note(what),
	});
	if (options.asTable) await printTable(pages, output);
	else await printLines(pages, output);
	return 0;
}

type Pages = AsyncIterable<Descriptor[]>;

async function printLines(pages: Pages, output: Output): Promise<void> {
	let isEmpty = true;
	for await (const page of pages) {
		await output.lines(page.map((descriptor) => descriptor.raw));
		if (page.length > 0) isEmpty = false;
	}
	if (isEmpty) output.say("the server lists no event types");
}

async function printTable(pages: Pages, output: Output): Promise<void> {
	const { catalogueEntry } = await import(
		"../program/connect/catalogue-entry.ts"
	);
	const { renderCatalogue } = await import("../output/index.ts");
	const entries: CatalogueEntry[] = [];
	for await (const page of pages)
		for (const descriptor of page) entries.push(catalogueEntry(descriptor));
	await output.text((page) => renderCatalogue(entries, page));
}
