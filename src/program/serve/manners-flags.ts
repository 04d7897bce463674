// What kind of server `serve` plays, and what it does wrong on purpose.
import { Flags } from "@oclif/core";
import { durationFlag } from "../flags/flags.ts";

const group = { helpGroup: "MANNERS" };

export const mannersFlags = {
	profile: Flags.option({
		...group,
		options: ["final", "chatgpt", "sketch"] as const,
		summary:
			"Write the dialect of the standard, of ChatGPT's servers, or of the sketch before it. By default final.",
	})(),
	era: Flags.option({
		...group,
		options: ["both", "modern", "legacy"] as const,
		summary:
			"Speak 2026-07-28 (modern), initialize of older revisions (legacy), or both. By default both, or what --profile speaks.",
	})(),
	heartbeat: durationFlag({
		...group,
		default: 25_000,
		defaultHelp: async () => "25s",
		summary: "From one heartbeat of a stream to the next.",
	}),
	"poll-interval": durationFlag({
		...group,
		default: 1_000,
		defaultHelp: async () => "1s",
		summary: "The wait that poll results ask for.",
	}),
	fault: Flags.string({
		...group,
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "NAME[=VALUE]",
		summary:
			"Break one rule on purpose, to test what is on the other side (repeatable).",
	}),
	"list-faults": Flags.boolean({
		...group,
		summary: "List what --fault takes, with the rule that each breaks.",
	}),
	"conformance-controls": Flags.boolean({
		...group,
		summary:
			"Offer tools by which a grader makes things happen, and deliver again after 1.1s and 2s. Never where strangers can call.",
	}),
};
