// stream SERVER EVENT: one event type by push.
import { serverEventArgs } from "../program/flags/args.ts";
import {
	argumentFlags,
	connectionFlags,
	followFlags,
	lifeFlags,
	pushFlags,
	resumeFlags,
	talkFlags,
} from "../program/flags/flags.ts";
import { execFlags } from "../program/flags/handler-flags.ts";
import { EventsCommand } from "../program/process/command.ts";

export default class Stream extends EventsCommand {
	static override summary = "Follow one event type by push (events/stream).";
	static override description =
		"Opens one stream and prints each event once, exactly as the server wrote it. A stream that dies is opened again after the last cursor; silence for --stale-after counts as death. Ends with status 8 when the server terminates the subscription.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created | jq .data",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created -a status=paid --count 10",
		"<%= config.bin %> <%= command.id %> clock.tick -- mcp-events serve --stdio",
	];
	static override usage =
		"stream [SERVER] EVENT [-a KEY=VALUE...] [-- COMMAND...]";
	static override strict = false;
	static override args = serverEventArgs;
	static override mostUsed = [
		"arg",
		"count",
		"output",
		"resume",
		"cursor",
		"bearer-env",
	];
	static override flags = {
		...argumentFlags,
		...followFlags,
		...resumeFlags,
		...execFlags,
		...lifeFlags,
		...pushFlags,
		...connectionFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const words = await this.parseWords(Stream);
		return this.follow(words, { via: "push", most: 1 });
	}
}
