// describe SERVER EVENT: one event type, its arguments and payload, and a line to follow it.
import { Flags } from "@oclif/core";
import type { Output } from "../output/index.ts";
import { type ConnectionFlags, connect } from "../program/connect/connect.ts";
import { serverEventArgs } from "../program/flags/args.ts";
import { connectionFlags, talkFlags } from "../program/flags/flags.ts";
import {
	positionalsOf,
	readEventWords,
	readServerWords,
} from "../program/flags/words.ts";
import { EventsCommand } from "../program/process/command.ts";
import type { World } from "../program/process/world.ts";
import type { ServerAddress } from "../servers/index.ts";

export interface DescribeOptions {
	server: ServerAddress;
	connection: ConnectionFlags;
	event: string;
	asText: boolean;
}

export default class Describe extends EventsCommand {
	static override summary = "Describe one event type of a server.";
	static override description =
		"Shows its delivery modes, its arguments as a table made from inputSchema, the fields of its payload, and a command line to follow it. With --output json the descriptor itself, exactly as the server wrote it.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created --output json | jq .inputSchema",
		"<%= config.bin %> <%= command.id %> dice.rolled -- mcp-events serve --stdio",
	];
	static override usage = "describe [SERVER] EVENT [-- COMMAND...]";
	static override strict = false;
	static override args = serverEventArgs;
	static override mostUsed = ["output", "bearer-env", "header", "verbose"];
	static override flags = {
		output: Flags.option({
			char: "o",
			options: ["text", "json"] as const,
			summary: "By default text on a terminal and JSON elsewhere.",
		})(),
		...connectionFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags, raw, child } = await this.parseWords(Describe);
		const { output: form, verbose, quiet } = flags;
		return this.perform({ verbose, quiet }, (world, output) => {
			const { server } = readServerWords(positionalsOf(raw), child);
			const [event] = readEventWords(raw, child === undefined);
			const asText = form ? form === "text" : world.stdout.isTTY === true;
			return runDescribe(
				{ server, connection: flags, event: event?.name ?? "", asText },
				world,
				output,
			);
		});
	}
}

/** Prints one descriptor; throws `event-unknown` with the nearest names; returns the exit status. */
export async function runDescribe(
	options: DescribeOptions,
	world: World,
	output: Output,
): Promise<number> {
	await using session = await connect(options.server, options.connection, {
		world,
		output,
	});
	const { findEventTypes, requireEvents } = await import("../session/index.ts");
	requireEvents(session, options.connection.force);
	const [descriptor] = await findEventTypes(session, [options.event], {
		signal: world.stop,
		odd: (what) => output.note(what),
	});
	if (!descriptor) return 0;
	if (!options.asText) {
		await output.lines([descriptor.raw]);
		return 0;
	}
	const { explainSchema } = await import("../arguments/index.ts");
	const { catalogueEntry } = await import(
		"../program/connect/catalogue-entry.ts"
	);
	const { tailLine } = await import("../program/follow/tail-line.ts");
	const { renderDescription } = await import("../output/index.ts");
	const parts = {
		input: explainSchema(descriptor.inputSchema),
		payload: explainSchema(descriptor.payloadSchema),
		commandLine: tailLine(options.server, descriptor),
	};
	await output.text((page) =>
		renderDescription(catalogueEntry(descriptor), parts, page),
	);
	return 0;
}
