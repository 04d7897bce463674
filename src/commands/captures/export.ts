// captures export [CAPTURE...]: deliveries for other tools.
import { Args, Flags } from "@oclif/core";
import { filterFlags, placeFlags } from "../../program/flags/capture-flags.ts";
import { talkFlags } from "../../program/flags/flags.ts";
import { positionalsOf } from "../../program/flags/words.ts";
import { EventsCommand } from "../../program/process/command.ts";

export default class CapturesExport extends EventsCommand {
	static override summary =
		"Write captured deliveries as curl commands, HTTP text or a HAR 1.2 log.";
	static override description =
		"curl: a command for a POSIX shell that sends the same headers and bytes. raw: the requests as HTTP/1.1 text, one after the other. har: a log that browsers and proxies open. The signature is the captured one, so a receiver that checks the time takes it for five minutes only; replay signs afresh.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> cap_mf3k2x1a_0b1c2d3e_1 --to http://127.0.0.1:3000/hook | sh",
		"<%= config.bin %> <%= command.id %> cap_mf3k2x1a_0b1c2d3e_1 --as raw > request.txt",
		"<%= config.bin %> <%= command.id %> --since 1h --as har > deliveries.har",
	];
	static override usage = "captures export [CAPTURE | FILE | -]...";
	static override strict = false;
	static override args = {
		capture: Args.string({
			ignoreStdin: true,
			description:
				"Id of a capture, a file of captures, or - for stdin; without it, all.",
		}),
	};
	static override mostUsed = ["as", "to", "since", "event", "verdict"];
	static override flags = {
		as: Flags.option({
			options: ["curl", "raw", "har"] as const,
			default: "curl" as const,
			summary: "The form.",
		})(),
		to: Flags.string({
			helpValue: "URL",
			summary:
				"URL in curl commands and HAR; by default the one that it was sent to.",
		}),
		...placeFlags,
		...filterFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags, raw } = await this.parseWords(CapturesExport);
		const { verbose, quiet, as: form, to } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const { runCapturesExport } = await import(
				"../../program/captures/captures.ts"
			);
			const words = positionalsOf(raw);
			return runCapturesExport({ words, flags, form, to }, { world, output });
		});
	}
}
