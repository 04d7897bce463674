// unsubscribe SERVER EVENT: ends webhook subscriptions.
import { Flags } from "@oclif/core";
import { serverEventArgs } from "../program/flags/args.ts";
import {
	argumentFlags,
	connectionFlags,
	talkFlags,
} from "../program/flags/flags.ts";
import { stateFlags } from "../program/flags/subscription-flags.ts";
import { EventsCommand } from "../program/process/command.ts";

export default class Unsubscribe extends EventsCommand {
	static override summary = "End webhook subscriptions of one event.";
	static override description =
		"With --to, the subscription at that callback; without it, every one that is known to be ours, for the same server, event and arguments (subscriptions list). That the server knows none is as good as its end.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created -a status=paid --bearer-env SHOP_TOKEN --to https://app.example/hooks",
	];
	static override usage =
		"unsubscribe [SERVER] EVENT [-a KEY=VALUE...] [--to URL] [-- COMMAND...]";
	static override strict = false;
	static override args = serverEventArgs;
	static override mostUsed = ["to", "arg", "bearer-env"];
	static override flags = {
		to: Flags.string({
			helpValue: "URL",
			helpGroup: "SUBSCRIPTION",
			summary: "The callback; by default all that are ours.",
		}),
		...stateFlags,
		arg: argumentFlags.arg,
		args: argumentFlags.args,
		...connectionFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags, raw, child } = await this.parseWords(Unsubscribe);
		const { verbose, quiet } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const { oneEvent } = await import(
				"../program/flags/subscription-flags.ts"
			);
			const { runUnsubscribe } = await import(
				"../program/subscriptions/unsubscribe.ts"
			);
			return runUnsubscribe(
				{ ...oneEvent(raw, child), to: flags.to, flags },
				{ world, output },
			);
		});
	}
}
