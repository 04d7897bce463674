// How `serve` delivers by webhook: whom it may call, and by what schedule.
import { Flags } from "@oclif/core";
import { Fault } from "../../faults/index.ts";
import { parseDuration } from "../flags/duration.ts";
import { durationFlag } from "../flags/flags.ts";

const MOST_DELAYS = 10;

/** `5s,30s`: milliseconds. Throws `wrong-use`. */
export function parseDelays(text: string): number[] {
	const delays = text
		.split(",")
		.map((part) => parseDuration(part.trim(), "retry-delays"));
	if (delays.length <= MOST_DELAYS) return delays;
	throw new Fault("wrong-use", {
		what: `--retry-delays has ${delays.length} delays`,
		why: `at most ${MOST_DELAYS} are taken`,
		next: "--retry-delays 5s,30s,2m,5m",
	});
}

const group = { helpGroup: "WEBHOOK" };

export const webhookFlags = {
	"allow-callback": Flags.string({
		...group,
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "PATTERN",
		summary:
			"Take the consent of this callback for granted, https://HOST[:PORT][/PATH], with a * for one label of HOST (repeatable). It lifts no other rule.",
	}),
	"allow-private-callbacks": Flags.string({
		...group,
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "CIDR",
		summary:
			"Call callbacks at these addresses too, such as 127.0.0.0/8 (repeatable). Whoever has a token can then reach them through this server.",
	}),
	"callback-ca": Flags.string({
		...group,
		helpValue: "FILE",
		summary: "Trust the certificates in this PEM file too when calling.",
	}),
	resolver: Flags.string({
		...group,
		helpValue: "HOST:PORT",
		summary: "Ask this name server for the addresses of callbacks.",
	}),
	store: Flags.string({
		...group,
		helpValue: "PATH",
		summary:
			"Keep subscriptions in this file, for their owner alone: they outlive a restart, and may be long or without expiry.",
	}),
	"retry-delays": Flags.custom<number[]>({
		...group,
		helpValue: "DURATION,...",
		summary:
			"The waits between the attempts at one event. By default 5s,30s,2m,5m.",
		parse: async (text) => parseDelays(text),
	})(),
	"suspend-after": durationFlag({
		...group,
		summary:
			"Stop delivering when nearly everything failed for so long. By default 1h.",
	}),
	"drop-after": durationFlag({
		...group,
		summary:
			"Drop a subscription without expiry when nothing was acknowledged for so long. By default 7d.",
	}),
	"ttl-default": durationFlag({
		...group,
		summary: "Grant this time where a client names none. By default 1h.",
	}),
	"ttl-floor": durationFlag({
		...group,
		summary: "Grant no less. By default 1m.",
	}),
	"ttl-ceiling": durationFlag({
		...group,
		summary:
			"Grant no more. By default 30d with --store; without it never more than 1h.",
	}),
	"max-subscriptions": Flags.integer({
		...group,
		min: 1,
		helpValue: "N",
		summary: "Subscriptions of one caller at once. By default 2000.",
	}),
	"webhook-id": Flags.option({
		...group,
		options: ["message", "event"] as const,
		summary:
			"Make the webhook-id of an event an id of the message, or its eventId. By default what the profile says.",
	})(),
	"sign-ed25519": Flags.string({
		...group,
		helpValue: "FILE",
		summary:
			"Sign with this ed25519 key too (PEM, or whsk_), and serve its public half as a JWK set.",
	}),
};
