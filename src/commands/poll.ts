// poll SERVER EVENT: one event type by poll.
import { Flags } from "@oclif/core";
import { serverEventArgs } from "../program/flags/args.ts";
import {
	argumentFlags,
	connectionFlags,
	followFlags,
	lifeFlags,
	pollFlags,
	resumeFlags,
	talkFlags,
} from "../program/flags/flags.ts";
import { execFlags } from "../program/flags/handler-flags.ts";
import { EventsCommand } from "../program/process/command.ts";

export default class Poll extends EventsCommand {
	static override summary = "Follow one event type by poll (events/poll).";
	static override description =
		"Asks again and again for what came after the last cursor, at the server's pace but never faster than --interval-floor, and prints each event once, exactly as the server wrote it. What fails for the moment is tried again.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created | jq .data",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created --cursor CURSOR --once",
		"<%= config.bin %> <%= command.id %> clock.tick -- mcp-events serve --stdio",
	];
	static override usage =
		"poll [SERVER] EVENT [-a KEY=VALUE...] [-- COMMAND...]";
	static override strict = false;
	static override args = serverEventArgs;
	static override mostUsed = [
		"arg",
		"count",
		"output",
		"resume",
		"cursor",
		"once",
		"bearer-env",
	];
	static override flags = {
		...argumentFlags,
		...followFlags,
		...resumeFlags,
		...execFlags,
		...lifeFlags,
		...pollFlags,
		once: Flags.boolean({
			helpGroup: "POLL",
			summary: "End when the server has nothing more for now.",
		}),
		...connectionFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const words = await this.parseWords(Poll);
		return this.follow(words, { via: "poll", most: 1 });
	}
}
