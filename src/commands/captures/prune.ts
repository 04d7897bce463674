// captures prune: throws captures away.
import { Flags } from "@oclif/core";
import { filterFlags, placeFlags } from "../../program/flags/capture-flags.ts";
import { durationFlag, talkFlags } from "../../program/flags/flags.ts";
import { EventsCommand } from "../../program/process/command.ts";

export default class CapturesPrune extends EventsCommand {
	static override summary = "Remove captured deliveries.";
	static override description =
		"Removes what fits every filter that is given, the rejected ones too; one filter, or --all, must be given. Files that a listener is writing are left alone.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> --older-than 7d",
		"<%= config.bin %> <%= command.id %> --verdict no-match --dry-run",
		"<%= config.bin %> <%= command.id %> --all",
	];
	static override mostUsed = ["older-than", "all", "dry-run", "verdict"];
	static override flags = {
		"older-than": durationFlag({
			summary: "What arrived longer ago than this.",
		}),
		all: Flags.boolean({ summary: "Everything." }),
		"dry-run": Flags.boolean({
			summary: "Say what would go, and remove nothing.",
		}),
		...placeFlags,
		...filterFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags } = await this.parseWords(CapturesPrune);
		const { verbose, quiet } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const { runCapturesPrune } = await import(
				"../../program/captures/captures.ts"
			);
			const age = flags["older-than"];
			return runCapturesPrune(
				{
					flags,
					untilMs: age === undefined ? undefined : world.now() - age,
					isAll: flags.all,
					isDryRun: flags["dry-run"],
				},
				{ world, output },
			);
		});
	}
}
