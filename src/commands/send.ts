// send --to URL: one event or envelope of our own making.
import { Flags } from "@oclif/core";
import {
	placeFlags,
	postFlags,
	secretFlags,
} from "../program/flags/capture-flags.ts";
import { talkFlags } from "../program/flags/flags.ts";
import { EventsCommand } from "../program/process/command.ts";

export default class Send extends EventsCommand {
	static override summary =
		"Send one signed event, or control envelope, to a receiver.";
	static override description =
		"Makes an event of --event and --data, or an envelope of --type, signs it as of now and POSTs it; the answer is a record (or a line on a terminal). --corrupt makes one thing wrong, for a receiver that must refuse it: signature (one bit of it), timestamp (signed well, an hour ago), body (a blank added after signing), id (changed after signing), header (no webhook-signature). Status 1 if the answer is not 2xx, also where --corrupt asks for that; 3 if there is none.";
	static override examples = [
		'<%= config.bin %> <%= command.id %> --to http://127.0.0.1:3000/hook --secret-file hook.secret --event orders.created --data \'{"order":"A-1001"}\'',
		"<%= config.bin %> <%= command.id %> --to http://127.0.0.1:3000/hook --secret-file hook.secret --type verification",
		"! <%= config.bin %> <%= command.id %> --to http://127.0.0.1:3000/hook --secret-file hook.secret --event orders.created --corrupt signature",
	];
	static override usage =
		"send --to URL (--event NAME [--data JSON | @FILE | -] | --type TYPE)";
	static override mostUsed = [
		"to",
		"secret-file",
		"event",
		"data",
		"type",
		"corrupt",
	];
	static override flags = {
		...postFlags,
		...secretFlags,
		event: Flags.string({
			helpValue: "NAME",
			helpGroup: "CONTENT",
			summary: "Name of the event.",
		}),
		data: Flags.string({
			helpValue: "JSON|@FILE|-",
			helpGroup: "CONTENT",
			summary:
				"The event's data, an object, sent as it is written; for --type terminated its error. By default {}.",
		}),
		type: Flags.option({
			helpGroup: "CONTENT",
			options: ["gap", "terminated", "verification"] as const,
			exclusive: ["event"],
			summary: "A control envelope in place of an event.",
		})(),
		"event-id": Flags.string({
			helpValue: "ID",
			helpGroup: "CONTENT",
			summary: "The eventId; by default a new one.",
		}),
		cursor: Flags.string({
			helpValue: "CURSOR",
			helpGroup: "CONTENT",
			summary: "The cursor of the event, or of --type gap.",
		}),
		"webhook-id": Flags.option({
			helpGroup: "CONTENT",
			options: ["event", "message"] as const,
			default: "message" as const,
			summary:
				"Make the webhook-id the eventId (older receivers), or an id of its own.",
		})(),
		"subscription-id": Flags.string({
			helpValue: "ID",
			helpGroup: "CONTENT",
			summary:
				"X-MCP-Subscription-Id; by default that of our subscription at the URL.",
		}),
		corrupt: Flags.option({
			helpGroup: "CONTENT",
			options: ["signature", "timestamp", "body", "id", "header"] as const,
			summary: "Make one thing wrong.",
		})(),
		output: Flags.option({
			char: "o",
			options: ["text", "ndjson"] as const,
			summary: "By default text on a terminal and NDJSON elsewhere.",
		})(),
		state: placeFlags.state,
		...talkFlags,
	};

	async run(): Promise<number> {
		const { flags } = await this.parseWords(Send);
		const { verbose, quiet, output: form } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const { runSend } = await import("../program/captures/send.ts");
			return runSend(
				{
					flags,
					event: flags.event,
					data: flags.data,
					eventId: flags["event-id"],
					cursor: flags.cursor,
					webhookId: flags["webhook-id"],
					subscriptionId: flags["subscription-id"],
					type: flags.type,
					corrupt: flags.corrupt,
					asText: form ? form === "text" : world.stdout.isTTY === true,
				},
				world,
				output,
			);
		});
	}
}
