// subscriptions prune [SERVER]: ends and forgets webhook subscriptions that nobody looks after.
import { serverArgs } from "../../program/flags/args.ts";
import { connectionFlags, talkFlags } from "../../program/flags/flags.ts";
import { stateFlags } from "../../program/flags/subscription-flags.ts";
import { onlyServer, positionalsOf } from "../../program/flags/words.ts";
import { EventsCommand } from "../../program/process/command.ts";

export default class SubscriptionsPrune extends EventsCommand {
	static override summary =
		"Unsubscribe what crashed listeners left at a server, and forget what is over.";
	static override description =
		"With SERVER, unsubscribes there what a listener left behind, by a crash or --keep, and forgets it. In any case forgets subscriptions that have ended or expired, with their secrets: captures of theirs can then be checked with --secret-file only. What a running listener looks after, and what points elsewhere, stays.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp --bearer-env SHOP_TOKEN",
		"<%= config.bin %> <%= command.id %>",
	];
	static override usage = "subscriptions prune [SERVER] [-- COMMAND...]";
	static override strict = false;
	static override args = serverArgs;
	static override mostUsed = ["bearer-env", "header", "state"];
	static override flags = {
		...stateFlags,
		...connectionFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags, raw, child } = await this.parseWords(SubscriptionsPrune);
		const { verbose, quiet } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const isLocal = child === undefined && positionalsOf(raw).length === 0;
			const server = isLocal ? undefined : onlyServer(raw, child);
			const { runSubscriptionsPrune } = await import(
				"../../program/subscriptions/subscriptions.ts"
			);
			return runSubscriptionsPrune({ server, flags }, { world, output });
		});
	}
}
