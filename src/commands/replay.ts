// replay CAPTURE... --to URL: captured deliveries, sent again.
import { Args, Flags } from "@oclif/core";
import {
	filterFlags,
	placeFlags,
	postFlags,
	secretFlags,
} from "../program/flags/capture-flags.ts";
import { talkFlags } from "../program/flags/flags.ts";
import { parseSpeed } from "../program/flags/speed.ts";
import { positionalsOf } from "../program/flags/words.ts";
import { EventsCommand } from "../program/process/command.ts";

export default class Replay extends EventsCommand {
	static override summary = "Send captured deliveries again.";
	static override description =
		"Signs each afresh, with the secret of the subscription that it came by or that of --secret-file: same body and webhook-id, new timestamp and signature. With --as-captured it sends what came, byte for byte. From a file or folder only what was valid, or parked by --exec, is sent, unless --verdict says otherwise. Each answer is a record (or a line on a terminal). Status 1 if any answer is not 2xx, 3 if there was none at all.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> cap_mf3k2x1a_0b1c2d3e_1 --to http://127.0.0.1:3000/hook",
		"<%= config.bin %> captures list --event orders.created | <%= config.bin %> <%= command.id %> - --to http://127.0.0.1:3000/hook --speed 10x",
		"<%= config.bin %> <%= command.id %> deliveries.ndjson --to http://127.0.0.1:3000/hook --secret-file hook.secret --new-id --set data.total=0",
	];
	static override usage = "replay CAPTURE | FILE | - ... --to URL";
	static override strict = false;
	static override args = {
		capture: Args.string({
			ignoreStdin: true,
			description:
				"Id of a capture, a file or folder of captures, or - for stdin.",
		}),
	};
	static override mostUsed = [
		"to",
		"secret-file",
		"as-captured",
		"new-id",
		"set",
		"speed",
		"since",
	];
	static override flags = {
		...postFlags,
		...secretFlags,
		"as-captured": Flags.boolean({
			helpGroup: "CONTENT",
			summary: "Send the captured bytes, headers and signature.",
		}),
		"new-id": Flags.boolean({
			helpGroup: "CONTENT",
			summary:
				"A new webhook-id each; where that is the eventId, a new eventId too.",
		}),
		"webhook-id": Flags.option({
			helpGroup: "CONTENT",
			options: ["event", "message"] as const,
			summary:
				"Make the webhook-id the eventId, or an id of its own; by default as it was captured.",
		})(),
		"subscription-id": Flags.string({
			helpValue: "ID",
			helpGroup: "CONTENT",
			summary: "X-MCP-Subscription-Id in place of the captured one.",
		}),
		set: Flags.string({
			helpValue: "PATH=VALUE",
			helpGroup: "CONTENT",
			multiple: true,
			multipleNonGreedy: true,
			summary:
				"Change one value in the body, data.total=12.5 (repeatable); all else stays byte for byte.",
		}),
		filter: Flags.string({
			helpValue: "PATH=VALUE",
			helpGroup: "CAPTURE",
			multiple: true,
			multipleNonGreedy: true,
			summary: "Only bodies with this value, data.status=paid (repeatable).",
		}),
		speed: Flags.string({
			helpValue: "1x|10x|max",
			helpGroup: "PACE",
			default: "max",
			summary: "Keep the gaps between arrivals, shorten them, or leave none.",
		}),
		concurrency: Flags.integer({
			min: 1,
			max: 256,
			default: 1,
			helpValue: "N",
			helpGroup: "PACE",
			summary: "Wait for at most N answers at once; more than 1 may reorder.",
		}),
		rate: Flags.integer({
			min: 1,
			helpValue: "N",
			helpGroup: "PACE",
			summary: "Begin at most N a second.",
		}),
		output: Flags.option({
			char: "o",
			options: ["text", "ndjson"] as const,
			summary: "By default text on a terminal and NDJSON elsewhere.",
		})(),
		...placeFlags,
		...filterFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags, raw } = await this.parseWords(Replay);
		const { verbose, quiet, output: form, concurrency } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const speed = parseSpeed(flags.speed);
			const { runReplay } = await import("../program/captures/replay.ts");
			return runReplay(
				{
					words: positionalsOf(raw),
					flags,
					asCaptured: flags["as-captured"],
					isNewId: flags["new-id"],
					webhookId: flags["webhook-id"],
					subscriptionId: flags["subscription-id"],
					bodyFilters: flags.filter ?? [],
					edits: flags.set ?? [],
					pace: { speed, perSecond: flags.rate, concurrency },
					asText: form ? form === "text" : world.stdout.isTTY === true,
				},
				world,
				output,
			);
		});
	}
}
