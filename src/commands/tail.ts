// tail SERVER EVENT...: several event types at once, each in the best mode on offer.
import { Flags } from "@oclif/core";
import { serverEventArgs } from "../program/flags/args.ts";
import {
	argumentFlags,
	connectionFlags,
	followFlags,
	lifeFlags,
	pollFlags,
	pushFlags,
	resumeFlags,
	talkFlags,
} from "../program/flags/flags.ts";
import { execFlags } from "../program/flags/handler-flags.ts";
import { spellTunnelFlag } from "../program/listen/tunnel-words.ts";
import { EventsCommand } from "../program/process/command.ts";

const webhookFlags = {
	"public-url": Flags.string({
		helpValue: "URL",
		helpGroup: "WEBHOOK",
		summary:
			"Receive webhooks where they are offered: servers reach this machine at this address.",
	}),
	tunnel: Flags.string({
		helpValue: "COMMAND",
		helpGroup: "WEBHOOK",
		summary:
			"Receive webhooks where they are offered, through a tunnel; as in listen.",
	}),
	host: Flags.string({
		default: "127.0.0.1",
		helpValue: "ADDRESS",
		helpGroup: "WEBHOOK",
		summary: "Receive on this address.",
	}),
	port: Flags.integer({
		min: 0,
		max: 65_535,
		default: 0,
		helpValue: "PORT",
		helpGroup: "WEBHOOK",
		summary: "Receive on this port; 0 takes a free one.",
	}),
};

export default class Tail extends EventsCommand {
	static override summary =
		"Follow one or more event types, by push where the server offers it, else by poll.";
	static override description =
		"Says on stderr which mode it chose and why, then prints each event once, exactly as the server wrote it. -a belongs to the EVENT before it. Streams that die are opened again after the last cursor; where they are refused or keep dying it goes on by poll, and back when they work, without a gap. With --resume it goes on where the last run stopped: the position is saved once the reader has taken its events, so that a kill repeats a few and loses none; where it cannot be saved for a while, that is told and it goes on. With --exec each event is handed to a command at most once, over restarts too: it is claimed on disk before, and one that a crash has cut off is told and parked among the captures, not run again; the position is saved behind what is settled. One event that fails does not stop the others.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created -a status=paid stock.low -a below=5 | jq -c .data",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created --via poll --output records",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created --resume >> orders.ndjson",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created --resume --exec 'node handle.js {{event.eventId|id}}' --exec-retries 3",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp --from subscriptions.txt --resume --output records",
		"<%= config.bin %> <%= command.id %> clock.tick --count 3 -- mcp-events serve --stdio",
	];
	static override usage =
		"tail [SERVER] [--from FILE] EVENT [-a KEY=VALUE...] [EVENT [-a KEY=VALUE...]]... [-- COMMAND...]";
	static override strict = false;
	static override args = serverEventArgs;
	static override mostUsed = [
		"arg",
		"count",
		"output",
		"via",
		"resume",
		"exec",
		"from",
		"bearer-env",
	];
	static override flags = {
		via: Flags.option({
			options: ["webhook", "push", "poll"] as const,
			summary: "Use this mode, and fail where it is not offered.",
		})(),
		from: Flags.string({
			helpValue: "FILE",
			summary:
				'Follow what FILE names too, one a line; - is stdin. A line is EVENT [-a KEY=VALUE]... [--args JSON] [--via MODE] [--cursor CURSOR], quoted as in a shell, or {"event": ..., "arguments": {...}, "via": ..., "cursor": ...}; blank lines and those that begin with # are passed over.',
		}),
		...argumentFlags,
		...followFlags,
		"dedup-window": Flags.integer({
			min: 0,
			helpValue: "N",
			helpGroup: "POSITION",
			summary:
				"Drop repeats among the last N events of each subscription; 0 turns it off. By default 10000, and fewer where more than 50 are followed.",
		}),
		...resumeFlags,
		...execFlags,
		...lifeFlags,
		...pushFlags,
		...pollFlags,
		...webhookFlags,
		...connectionFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		this.argv = spellTunnelFlag(this.argv);
		const words = await this.parseWords(Tail);
		return this.follow(words, { via: words.flags.via, most: Infinity });
	}
}
