// captures list: what arrived.
import { Flags } from "@oclif/core";
import { filterFlags, placeFlags } from "../../program/flags/capture-flags.ts";
import { talkFlags } from "../../program/flags/flags.ts";
import { EventsCommand } from "../../program/process/command.ts";

export default class CapturesList extends EventsCommand {
	static override summary = "List the deliveries that were captured.";
	static override description =
		"Oldest first, the rejected ones too. On a terminal a table; elsewhere each capture whole, one JSON line each, as it lies in the folder: id, time, method, path, headers, body, verdict, answer. What it prints can be read again by verify, replay and captures show.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> --since 1h",
		"<%= config.bin %> <%= command.id %> --event orders.created --verdict valid | jq -r .body",
		"<%= config.bin %> <%= command.id %> --verdict no-match --output table",
	];
	static override mostUsed = ["since", "event", "verdict", "output"];
	static override flags = {
		output: Flags.option({
			char: "o",
			options: ["table", "ndjson"] as const,
			summary: "By default a table on a terminal and NDJSON elsewhere.",
		})(),
		...placeFlags,
		...filterFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags } = await this.parseWords(CapturesList);
		const { verbose, quiet, output: form } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const { runCapturesList } = await import(
				"../../program/captures/captures.ts"
			);
			const asTable = form ? form === "table" : world.stdout.isTTY === true;
			return runCapturesList({ flags, asTable }, { world, output });
		});
	}
}
