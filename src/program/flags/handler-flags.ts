// Flags of what a listener hands its deliveries to.
import { Flags } from "@oclif/core";
import { durationFlag } from "./flags.ts";

export const handlerFlags = {
	"forward-to": Flags.string({
		helpValue: "[NAME=]URL",
		helpGroup: "HANDLER",
		multiple: true,
		multipleNonGreedy: true,
		summary:
			"Send each delivery on to this URL, with the bytes and headers that came; with NAME= only events of that name (repeatable).",
	}),
	"forward-header": Flags.string({
		helpValue: "'K: V'",
		helpGroup: "HANDLER",
		multiple: true,
		multipleNonGreedy: true,
		summary:
			"Send this header on too, in place of one of its name (repeatable).",
	}),
	"forward-unverified": Flags.boolean({
		helpGroup: "HANDLER",
		summary:
			"Forward those too whose signature does not fit; their senders are refused all the same.",
	}),
	"relay-status": Flags.boolean({
		helpGroup: "HANDLER",
		summary:
			"Answer the sender, once its delivery is on disk, by the status of the handler: 502 or 504 where a URL did not answer, 500 where a command failed.",
	}),
	exec: Flags.string({
		helpValue: "COMMAND",
		helpGroup: "HANDLER",
		summary:
			"Run this for each event, which is one JSON line on its stdin. It is no shell's: quotes group words, and that is all.",
	}),
	"exec-timeout": durationFlag({
		helpGroup: "HANDLER",
		default: 30_000,
		defaultHelp: async () => "30s",
		summary: "End a command that runs for longer.",
	}),
	"exec-concurrency": Flags.integer({
		min: 1,
		max: 256,
		default: 1,
		helpValue: "N",
		helpGroup: "HANDLER",
		summary: "Run at most N commands at once; more than 1 may reorder.",
	}),
};

export interface HandlerFlags {
	"forward-to"?: string[] | undefined;
	"forward-header"?: string[] | undefined;
	"forward-unverified": boolean;
	"relay-status": boolean;
	exec?: string | undefined;
	"exec-timeout": number;
	"exec-concurrency": number;
}
