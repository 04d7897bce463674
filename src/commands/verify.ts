// verify [CAPTURE | FILE | -]: checks signatures offline, and names the mistake behind one that does not fit.
import { Args, Flags } from "@oclif/core";
import {
	checkFlags,
	filterFlags,
	placeFlags,
	secretFlags,
} from "../program/flags/capture-flags.ts";
import { talkFlags } from "../program/flags/flags.ts";
import { positionalsOf } from "../program/flags/words.ts";
import { EventsCommand } from "../program/process/command.ts";

export default class Verify extends EventsCommand {
	static override summary =
		"Check the signatures of deliveries, and name what is wrong with one that does not fit.";
	static override description =
		"Reads a capture by its id, a file or folder of captures, HTTP text (a head, an empty line, the body), or a body alone with the three headers as flags; without a word, stdin. A capture is checked as of its arrival, anything else as of now. Where no signature fits it tries the mistakes that senders make, one at a time: the secret used as text, hex for base64, a body written anew, a line end, the wrong id or timestamp, milliseconds, another of our secrets, a cut body. Secrets are those of --secret-file, else those of our own subscriptions. Status 1 if any delivery fails.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> cap_mf3k2x1a_0b1c2d3e_1",
		"<%= config.bin %> <%= command.id %> request.txt --secret-file hook.secret",
		"<%= config.bin %> <%= command.id %> --id msg_1 --timestamp 1700000000 --signature 'v1,K5oZ…' --secret-file hook.secret < body.json",
		"<%= config.bin %> captures list --since 1h | <%= config.bin %> <%= command.id %> - | jq 'select(.valid | not)'",
	];
	static override usage =
		"verify [CAPTURE | FILE | -]... [--id ID --timestamp SECONDS --signature TEXT]";
	static override strict = false;
	static override args = {
		capture: Args.string({
			ignoreStdin: true,
			description: "Id of a capture, a file, a folder, or - for stdin.",
		}),
	};
	static override mostUsed = [
		"secret-file",
		"public-key",
		"since",
		"verdict",
		"tolerance",
		"output",
	];
	static override flags = {
		output: Flags.option({
			char: "o",
			options: ["text", "ndjson"] as const,
			summary: "By default text on a terminal and NDJSON elsewhere.",
		})(),
		...secretFlags,
		...checkFlags,
		id: Flags.string({
			helpValue: "ID",
			helpGroup: "SIGNATURE",
			summary: "The webhook-id header; the body is then FILE or stdin.",
		}),
		timestamp: Flags.string({
			helpValue: "SECONDS",
			helpGroup: "SIGNATURE",
			summary: "The webhook-timestamp header.",
		}),
		signature: Flags.string({
			helpValue: "TEXT",
			helpGroup: "SIGNATURE",
			summary: "The webhook-signature header.",
		}),
		now: Flags.string({
			helpValue: "WHEN",
			helpGroup: "SIGNATURE",
			summary:
				"Check as of this time: ISO 8601, Unix seconds, or an age such as 10m.",
		}),
		...placeFlags,
		...filterFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags, raw, child } = await this.parseWords(Verify);
		const { verbose, quiet, output: form, tolerance } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const { runVerify } = await import("../program/captures/verify.ts");
			const { id, timestamp, signature } = flags;
			return runVerify(
				{
					words: [...positionalsOf(raw), ...(child ?? [])],
					flags,
					typed: { id, timestamp, signature },
					publicKeyFiles: flags["public-key"] ?? [],
					now: flags.now,
					toleranceSeconds: Math.floor(tolerance / 1_000),
					asText: form ? form === "text" : world.stdout.isTTY === true,
				},
				world,
				output,
			);
		});
	}
}
