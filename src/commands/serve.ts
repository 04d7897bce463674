// serve [SOURCE [PATH]]: the embedded MCP Events server.
import { Args, Flags } from "@oclif/core";
import { durationFlag, talkFlags } from "../program/flags/flags.ts";
import { EventsCommand } from "../program/process/command.ts";
import { type ServeOptions, SOURCES } from "../program/serve/options.ts";

export default class Serve extends EventsCommand {
	static override summary =
		"Serve MCP Events: a demo, the lines of a file, or the lines of stdin.";
	static override description =
		"An honest MCP Events server to run against, over HTTP (2026-07-28, and initialize for older clients) or, with --stdio, over stdin and stdout. demo offers clock.tick and dice.rolled; file offers each line appended to PATH, over rotation and truncation as tail -F does; stdin offers each line it reads, NDJSON or not. It offers poll and push, and listens on 127.0.0.1 unless told otherwise. The URL is told on stderr.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> --port 8931",
		"<%= config.bin %> <%= command.id %> file app.log --port 8931",
		"producer | <%= config.bin %> <%= command.id %> stdin --event-name orders.created --id-field id",
		"<%= config.bin %> tail clock.tick -- <%= config.bin %> <%= command.id %> --stdio",
	];
	static override usage =
		"serve [demo | file PATH | stdin] [--port PORT | --stdio]";
	static override args = {
		source: Args.string({
			ignoreStdin: true,
			options: [...SOURCES],
			default: "demo",
			description: "Where the events come from: demo, file or stdin.",
		}),
		path: Args.string({
			ignoreStdin: true,
			description: "The file to follow.",
		}),
	};
	static override flags = {
		port: Flags.integer({
			min: 0,
			max: 65_535,
			default: 0,
			helpValue: "PORT",
			helpGroup: "HTTP",
			summary: "Listen on this port; 0 takes a free one.",
		}),
		host: Flags.string({
			default: "127.0.0.1",
			helpValue: "ADDRESS",
			helpGroup: "HTTP",
			summary: "Listen on this address.",
		}),
		path: Flags.string({
			default: "/mcp",
			helpValue: "PATH",
			helpGroup: "HTTP",
			summary: "Path of the endpoint.",
		}),
		"allow-origin": Flags.string({
			multiple: true,
			multipleNonGreedy: true,
			helpValue: "ORIGIN",
			helpGroup: "HTTP",
			summary: "Take calls from web pages of this origin (repeatable).",
		}),
		"allow-host": Flags.string({
			multiple: true,
			multipleNonGreedy: true,
			helpValue: "NAME",
			helpGroup: "HTTP",
			summary: "Answer to this host name too (repeatable).",
		}),
		"ready-file": Flags.string({
			helpValue: "PATH",
			helpGroup: "HTTP",
			summary: "Write one JSON line (url, pid) when it listens.",
		}),
		stdio: Flags.boolean({
			summary: "Serve over stdin and stdout in place of HTTP.",
		}),
		era: Flags.option({
			options: ["both", "modern", "legacy"] as const,
			default: "both" as const,
			summary:
				"Speak 2026-07-28 (modern), initialize of older revisions (legacy), or both.",
		})(),
		heartbeat: durationFlag({
			default: 25_000,
			defaultHelp: async () => "25s",
			summary: "From one heartbeat of a stream to the next.",
		}),
		"poll-interval": durationFlag({
			default: 1_000,
			defaultHelp: async () => "1s",
			summary: "The wait that poll results ask for.",
		}),
		buffer: Flags.integer({
			min: 1,
			default: 10_000,
			helpValue: "N",
			helpGroup: "SOURCE",
			summary: "Keep the last N events of each type for replay (demo, stdin).",
		}),
		seed: Flags.string({
			default: "mcp-events",
			helpValue: "TEXT",
			helpGroup: "SOURCE",
			summary: "Decides the dice of demo.",
		}),
		"event-name": Flags.string({
			helpValue: "NAME",
			helpGroup: "SOURCE",
			summary: "Name of the event type of stdin.",
		}),
		"id-field": Flags.string({
			helpValue: "FIELD",
			helpGroup: "SOURCE",
			summary: "Member of each line of stdin that is its eventId.",
		}),
		"timestamp-field": Flags.string({
			helpValue: "FIELD",
			helpGroup: "SOURCE",
			summary: "Member of each line of stdin that says when it happened.",
		}),
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags, args } = await this.parseWords(Serve);
		const { verbose, quiet } = flags;
		const options: ServeOptions = {
			source: args.source as ServeOptions["source"],
			path: args.path,
			overStdio: flags.stdio,
			http: {
				host: flags.host,
				port: flags.port,
				path: flags.path,
				allowOrigins: flags["allow-origin"] ?? [],
				allowHosts: flags["allow-host"] ?? [],
			},
			readyFile: flags["ready-file"],
			seed: flags.seed,
			bufferSize: flags.buffer,
			eventName: flags["event-name"],
			idField: flags["id-field"],
			timestampField: flags["timestamp-field"],
			served: {
				era: flags.era,
				heartbeatMs: flags.heartbeat,
				pollIntervalMs: flags["poll-interval"],
			},
		};
		return this.perform({ verbose, quiet }, async (world, output) => {
			const { runServe } = await import("../program/serve/serve.ts");
			return runServe(options, world, output);
		});
	}
}
