// captures show CAPTURE...: one delivery, whole.
import { Args, Flags } from "@oclif/core";
import { placeFlags } from "../../program/flags/capture-flags.ts";
import { talkFlags } from "../../program/flags/flags.ts";
import { positionalsOf } from "../../program/flags/words.ts";
import { EventsCommand } from "../../program/process/command.ts";

export default class CapturesShow extends EventsCommand {
	static override summary =
		"Show captured deliveries: verdict, headers in their order, body.";
	static override description =
		"On a terminal a page for people, with a JSON body laid out and every number as it was written; elsewhere the capture as one JSON line. What a terminal would obey is made visible.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> cap_mf3k2x1a_0b1c2d3e_1",
		"<%= config.bin %> <%= command.id %> cap_mf3k2x1a_0b1c2d3e_1 | jq -r .body",
	];
	static override usage = "captures show CAPTURE...";
	static override strict = false;
	static override args = {
		capture: Args.string({
			ignoreStdin: true,
			description: "Id of a capture, a file of captures, or - for stdin.",
		}),
	};
	static override mostUsed = ["output", "captures"];
	static override flags = {
		output: Flags.option({
			char: "o",
			options: ["text", "json"] as const,
			summary: "By default text on a terminal and JSON elsewhere.",
		})(),
		...placeFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags, raw } = await this.parseWords(CapturesShow);
		const { verbose, quiet, output: form } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const { runCapturesShow } = await import(
				"../../program/captures/captures.ts"
			);
			const asText = form ? form === "text" : world.stdout.isTTY === true;
			const words = positionalsOf(raw);
			return runCapturesShow({ words, flags, asText }, { world, output });
		});
	}
}
