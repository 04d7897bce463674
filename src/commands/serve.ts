// serve [SOURCE [PATH]]: the embedded MCP Events server.
import { Args, Flags } from "@oclif/core";
import { talkFlags } from "../program/flags/flags.ts";
import { EventsCommand } from "../program/process/command.ts";
import { httpFlags, limitFlags } from "../program/serve/http-flags.ts";
import { mannersFlags } from "../program/serve/manners-flags.ts";
import { SOURCES, type SourceKind } from "../program/serve/options.ts";
import { sourceFlags } from "../program/serve/source-flags.ts";
import { webhookFlags } from "../program/serve/webhook-flags.ts";

export default class Serve extends EventsCommand {
	static override summary =
		"Serve MCP Events: a demo, or what a file, folder, database, capture, webhook or stdin tells.";
	static override description =
		"An honest MCP Events server to run against, over HTTP (2026-07-28, and initialize for older clients) or, with --stdio, over stdin and stdout. demo offers clock.tick and dice.rolled; file offers each line appended to PATH, over rotation and truncation as tail -F does; stdin offers each line it reads, NDJSON or not; dir tells of files below PATH that come, change and go; sqlite tells of rows that other programs add to the database PATH; capture serves deliveries again that listen has captured; inbound makes what is posted to it events. It offers poll and push, with --token webhooks too, and listens on 127.0.0.1 unless told otherwise. The URL is told on stderr. Several sources in one server, and everything else that flags say, may stand in a configuration file: --config FILE. With --fault it breaks a rule of your choice, to try what is on the other side.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> --port 8931",
		"<%= config.bin %> <%= command.id %> file app.log --port 8931",
		"producer | <%= config.bin %> <%= command.id %> stdin --event-name orders.created --id-field id",
		"<%= config.bin %> <%= command.id %> sqlite app.db --table orders --token me=env:MY_TOKEN",
		"<%= config.bin %> <%= command.id %> inbound --hook push=github:env:GITHUB_SECRET",
		"<%= config.bin %> <%= command.id %> --config serve.json",
		"<%= config.bin %> tail clock.tick -- <%= config.bin %> <%= command.id %> --stdio",
	];
	static override usage = "serve [SOURCE [PATH]] [--port PORT | --stdio]";
	static override args = {
		source: Args.string({
			ignoreStdin: true,
			options: [...SOURCES],
			description: `Where the events come from: ${SOURCES.join(", ")}; demo where nothing is said.`,
		}),
		path: Args.string({
			ignoreStdin: true,
			description: "The file or folder of file, dir, sqlite or capture.",
		}),
	};
	static override mostUsed = [
		"port",
		"stdio",
		"token",
		"config",
		"event-name",
		"fault",
		"profile",
	];
	static override flags = {
		...httpFlags,
		...limitFlags,
		...webhookFlags,
		...mannersFlags,
		...sourceFlags,
		config: Flags.string({
			helpValue: "FILE",
			summary:
				"Read this JSON file, which can say all that flags can, and name several sources. Flags count before it.",
		}),
		"config-schema": Flags.boolean({
			summary: "Print the JSON Schema of --config.",
		}),
		stdio: Flags.boolean({
			summary: "Serve over stdin and stdout in place of HTTP.",
		}),
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags, args, raw } = await this.parseWords(Serve);
		const { verbose, quiet } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			if (flags["list-faults"] || flags["config-schema"]) {
				const lists = await import("../program/serve/lists.ts");
				return flags["list-faults"]
					? lists.listFaults(output)
					: lists.printConfigSchema(output);
			}
			const { runServe } = await import("../program/serve/serve.ts");
			const source = args.source as SourceKind | undefined;
			const words = { flags, args: { ...args, source }, raw };
			return runServe(words, world, output);
		});
	}
}
