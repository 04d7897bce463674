// Flags that mean the same in every command. A flag that only one command has stands in that command's file.
import { Flags } from "@oclif/core";
import { MESSAGE_LIMIT_BYTES } from "../../protocol/index.ts";
import { parseDuration, parseSize } from "./duration.ts";

/** A flag whose value is a duration; it arrives as milliseconds. */
export const durationFlag = Flags.custom<number>({
	helpValue: "DURATION",
	parse: async (text, _context, flag) => parseDuration(text, flag.name),
});

/** A flag whose value is a size; it arrives as bytes. */
export const sizeFlag = Flags.custom<number>({
	helpValue: "SIZE",
	parse: async (text, _context, flag) => parseSize(text, flag.name),
});

export const connectionFlags = {
	header: Flags.string({
		char: "H",
		helpValue: "'K: V'",
		helpGroup: "CONNECTION",
		multiple: true,
		multipleNonGreedy: true,
		summary: "Send this header with every request (repeatable).",
	}),
	"bearer-env": Flags.string({
		helpValue: "VAR",
		helpGroup: "CONNECTION",
		summary: "Send the token in this environment variable as Authorization.",
	}),
	timeout: durationFlag({
		helpGroup: "CONNECTION",
		summary: "Longest wait for an answer; streams have none.",
		default: 30_000,
		defaultHelp: async () => "30s",
	}),
	"connect-timeout": durationFlag({
		helpGroup: "CONNECTION",
		summary: "Longest wait for a connection.",
		default: 10_000,
		defaultHelp: async () => "10s",
	}),
	ca: Flags.string({
		helpValue: "FILE",
		helpGroup: "CONNECTION",
		summary: "Trust the certificates in this PEM file too.",
	}),
	insecure: Flags.boolean({
		helpGroup: "CONNECTION",
		summary: "Accept any TLS certificate. For tests only.",
	}),
	resolver: Flags.string({
		helpValue: "HOST:PORT",
		helpGroup: "CONNECTION",
		summary: "Ask this DNS server for the address of SERVER's name.",
	}),
	force: Flags.boolean({
		helpGroup: "CONNECTION",
		summary: "Ask a server that did not declare the Events extension.",
	}),
	"max-message": sizeFlag({
		helpGroup: "CONNECTION",
		summary: "Largest message that is read.",
		default: MESSAGE_LIMIT_BYTES,
		defaultHelp: async () => "16mb",
	}),
	"log-rpc": Flags.string({
		helpValue: "FILE",
		helpGroup: "CONNECTION",
		summary: "Append every message, both ways, to FILE; secrets are masked.",
	}),
};

export const talkFlags = {
	verbose: Flags.boolean({
		char: "v",
		summary: "Tell more on stderr: the probe, what was odd, what was skipped.",
	}),
	quiet: Flags.boolean({
		summary: "Keep status off stderr; warnings and errors stay.",
	}),
};

export const argumentFlags = {
	arg: Flags.string({
		char: "a",
		helpValue: "KEY=VALUE",
		helpGroup: "EVENT ARGUMENT",
		multiple: true,
		multipleNonGreedy: true,
		summary:
			"An argument of the EVENT before it, typed by its schema (repeatable; repeat a key for an array, a.b=c for an object).",
	}),
	args: Flags.string({
		helpValue: "JSON|@FILE|-",
		helpGroup: "EVENT ARGUMENT",
		multiple: true,
		multipleNonGreedy: true,
		summary: "All arguments of the EVENT before it, as one JSON object.",
	}),
	"no-validate": Flags.boolean({
		helpGroup: "EVENT ARGUMENT",
		summary: "Send the arguments even if they do not fit the schema.",
	}),
};

export const OUTPUT_FORMS = [
	"events",
	"records",
	"pretty",
	"cloudevents",
] as const;

export const followFlags = {
	output: Flags.option({
		char: "o",
		helpGroup: "OUTPUT",
		options: OUTPUT_FORMS,
		summary:
			"Form of the output; by default pretty on a terminal and events elsewhere.",
	})(),
	count: Flags.integer({
		char: "n",
		min: 1,
		helpValue: "N",
		helpGroup: "OUTPUT",
		summary: "End after N events.",
	}),
	for: durationFlag({
		helpGroup: "OUTPUT",
		summary: "End after this time; status 6 if --count was not reached.",
	}),
	"ready-file": Flags.string({
		helpValue: "PATH",
		helpGroup: "OUTPUT",
		summary:
			"Write one JSON line (url, pid, subscriptions) when events can flow.",
	}),
	cursor: Flags.string({
		helpValue: "CURSOR",
		helpGroup: "POSITION",
		summary: "Go on after this position; without it, from now.",
	}),
	"max-age": durationFlag({
		helpGroup: "POSITION",
		summary: "Replay nothing older than this.",
	}),
	"dedup-window": Flags.integer({
		min: 0,
		helpValue: "N",
		helpGroup: "POSITION",
		default: 10_000,
		summary: "Drop repeats among the last N events; 0 turns it off.",
	}),
};

/** For those that go on where they stopped. */
export const resumeFlags = {
	resume: Flags.boolean({
		helpGroup: "POSITION",
		summary:
			"Go on where the last run with --resume stopped; the position is saved as its events are taken.",
	}),
	"from-now": Flags.boolean({
		helpGroup: "POSITION",
		summary: "Start from now, whatever position is saved.",
	}),
	steal: Flags.boolean({
		helpGroup: "POSITION",
		summary:
			"With --resume: take the position over from another process, which then ends.",
	}),
	state: Flags.string({
		helpValue: "DIR",
		helpGroup: "POSITION",
		summary:
			"Keep positions here; by default in the XDG state folder. One that is not used for 180 days is removed.",
	}),
};

export const pollFlags = {
	"interval-floor": durationFlag({
		helpGroup: "POLL",
		default: 1_000,
		defaultHelp: async () => "1s",
		summary: "Never poll faster than this, whatever the server says.",
	}),
	"interval-ceiling": durationFlag({
		helpGroup: "POLL",
		summary: "Never wait longer than this for the next poll.",
	}),
	"max-pages": Flags.integer({
		min: 1,
		helpValue: "N",
		helpGroup: "POLL",
		summary:
			"Ask for at most N answers in a row where the server has more, then wait.",
	}),
	"max-events": Flags.integer({
		min: 1,
		helpValue: "N",
		helpGroup: "POLL",
		summary: "Ask for at most N events an answer.",
	}),
};

export const pushFlags = {
	heartbeats: Flags.boolean({
		helpGroup: "PUSH",
		summary: "Show heartbeats too (records, or a line on stderr).",
	}),
};

/** For those that go on until they are told to stop. */
export const lifeFlags = {
	"stale-after": durationFlag({
		helpGroup: "LIVENESS",
		default: 60_000,
		defaultHelp: async () => "60s",
		summary:
			"Reconnect when nothing was heard for this long: no event, no heartbeat, no answer to a poll.",
	}),
	"give-up-after": durationFlag({
		helpGroup: "LIVENESS",
		summary:
			"End, with status 6, when nothing was heard for this long; without it, it is tried for ever.",
	}),
	"status-every": durationFlag({
		helpGroup: "LIVENESS",
		summary:
			"Tell this often how long ago the last event and the last sign of life came.",
	}),
	"list-every": durationFlag({
		helpGroup: "LIVENESS",
		default: 600_000,
		defaultHelp: async () => "10m",
		summary:
			"Look this often for changes of what the server offers, where it does not tell of them.",
	}),
};
