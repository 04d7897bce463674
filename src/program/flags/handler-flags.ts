// Flags of what events are handed to: a command, and, for a listener, URLs.
import { Flags } from "@oclif/core";
import { durationFlag } from "./flags.ts";

export const execFlags = {
	exec: Flags.string({
		helpValue: "COMMAND",
		helpGroup: "HANDLER",
		summary:
			"Run this for each event, once, with the event as one JSON line on its stdin. It is no shell's: quotes group words; {{event.data.title|untrusted}} and {{event.eventId|id}} put a field into a word.",
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
	"exec-retries": Flags.integer({
		min: 0,
		max: 20,
		default: 0,
		helpValue: "N",
		helpGroup: "HANDLER",
		summary:
			"Run a command that failed again, up to N times, with growing waits; then its event is parked among the captures, for replay.",
	}),
	batch: Flags.string({
		helpValue: "N[,DURATION]",
		helpGroup: "HANDLER",
		summary:
			"Hand up to N events to one run, one a line; the first of them waits for others this long, by default not at all.",
	}),
	"max-per-hour": Flags.integer({
		min: 1,
		helpValue: "N",
		helpGroup: "HANDLER",
		summary:
			"Run the command at most N times in any hour, over restarts too; what exceeds it waits.",
	}),
};

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
	...execFlags,
};

export interface ExecFlags {
	exec?: string | undefined;
	"exec-timeout": number;
	"exec-concurrency": number;
	"exec-retries": number;
	batch?: string | undefined;
	"max-per-hour"?: number | undefined;
}

export interface HandlerFlags extends ExecFlags {
	"forward-to"?: string[] | undefined;
	"forward-header"?: string[] | undefined;
	"forward-unverified": boolean;
	"relay-status": boolean;
}
