// subscribe SERVER EVENT --to URL: a webhook subscription that points elsewhere.
import { Flags } from "@oclif/core";
import { serverEventArgs } from "../program/flags/args.ts";
import {
	argumentFlags,
	connectionFlags,
	durationFlag,
	talkFlags,
} from "../program/flags/flags.ts";
import { stateFlags } from "../program/flags/subscription-flags.ts";
import { EventsCommand } from "../program/process/command.ts";

export default class Subscribe extends EventsCommand {
	static override summary =
		"Subscribe by webhook for a receiver elsewhere, or refresh that subscription.";
	static override description =
		"Asks the server once (events/subscribe) and prints what it granted as one JSON line: id, refreshBefore, cursor. The receiver at --to must know the secret before, and must answer the verification. Called again with the same server, event, arguments and --to it refreshes the subscription, with the same secret and from the last cursor; without a refresh before refreshBefore it lapses. To receive on this machine, use listen.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --to https://app.example/hooks --secret-file hook.secret",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created -a status=paid --bearer-env SHOP_TOKEN --to https://app.example/hooks --secret-file hook.secret --ttl 1d | jq -r .refreshBefore",
	];
	static override usage =
		"subscribe [SERVER] EVENT [-a KEY=VALUE...] --to URL [-- COMMAND...]";
	static override strict = false;
	static override args = serverEventArgs;
	static override mostUsed = ["to", "secret-file", "ttl", "arg", "bearer-env"];
	static override flags = {
		to: Flags.string({
			required: true,
			helpValue: "URL",
			helpGroup: "SUBSCRIPTION",
			summary: "The callback: where deliveries are sent.",
		}),
		"secret-file": Flags.string({
			helpValue: "PATH",
			helpGroup: "SUBSCRIPTION",
			summary:
				"File with the whsec_ secret; without it the one from before, or a new one that is told on stderr.",
		}),
		ttl: durationFlag({
			helpGroup: "SUBSCRIPTION",
			summary: "Ask for a subscription of this length.",
		}),
		"no-expiry": Flags.boolean({
			helpGroup: "SUBSCRIPTION",
			exclusive: ["ttl"],
			summary: "Ask for a subscription that never expires.",
		}),
		cursor: Flags.string({
			helpValue: "CURSOR",
			helpGroup: "POSITION",
			summary:
				"Go on after this position; by default the last one known, else from now.",
		}),
		"max-age": durationFlag({
			helpGroup: "POSITION",
			summary: "Replay nothing older than this.",
		}),
		...stateFlags,
		...argumentFlags,
		...connectionFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags, raw, child } = await this.parseWords(Subscribe);
		const { verbose, quiet } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const { oneEvent } = await import(
				"../program/flags/subscription-flags.ts"
			);
			const { runSubscribe } = await import(
				"../program/subscriptions/subscribe.ts"
			);
			return runSubscribe(
				{
					...oneEvent(raw, child),
					to: flags.to,
					secretFile: flags["secret-file"],
					cursor: flags.cursor,
					maxAgeMs: flags["max-age"],
					ttlMs: flags["no-expiry"] ? null : flags.ttl,
					validate: !flags["no-validate"],
					flags,
				},
				{ world, output },
			);
		});
	}
}
