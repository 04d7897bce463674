// subscriptions list: the webhook subscriptions that are ours.
import { Flags } from "@oclif/core";
import { talkFlags } from "../../program/flags/flags.ts";
import { stateFlags } from "../../program/flags/subscription-flags.ts";
import { EventsCommand } from "../../program/process/command.ts";

export default class SubscriptionsList extends EventsCommand {
	static override summary = "List the webhook subscriptions that are ours.";
	static override description =
		"What listen and subscribe have made and not ended, where it points, and until when. State active: a listener looks after it; left: none does any more, by a crash or --keep; elsewhere: it points at another receiver. On a terminal a table; elsewhere one JSON line each. Secrets are never shown.";
	static override examples = [
		"<%= config.bin %> <%= command.id %>",
		"<%= config.bin %> <%= command.id %> --all | jq 'select(.state == \"left\")'",
	];
	static override mostUsed = ["all", "output"];
	static override flags = {
		output: Flags.option({
			char: "o",
			options: ["table", "ndjson"] as const,
			summary: "By default a table on a terminal and NDJSON elsewhere.",
		})(),
		all: Flags.boolean({ summary: "Show those that are over too." }),
		...stateFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags } = await this.parseWords(SubscriptionsList);
		const { verbose, quiet, output: form, all } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const { runSubscriptionsList } = await import(
				"../../program/subscriptions/subscriptions.ts"
			);
			const asTable = form ? form === "table" : world.stdout.isTTY === true;
			const options = { flags, isAll: all, asTable };
			return runSubscriptionsList(options, { world, output });
		});
	}
}
