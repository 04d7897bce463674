// What the events of `serve` are made of. Each flag belongs to some sources, and is refused beside others.
import { Flags } from "@oclif/core";
import { durationFlag } from "../flags/flags.ts";
import type { SourceKind } from "./options.ts";

const group = { helpGroup: "SOURCE" };

const feedFlags = {
	buffer: Flags.integer({
		...group,
		min: 1,
		default: 10_000,
		helpValue: "N",
		summary:
			"Keep the last N events of each type for replay (demo, stdin, dir, inbound).",
	}),
	seed: Flags.string({
		...group,
		default: "mcp-events",
		helpValue: "TEXT",
		summary: "Decides the dice of demo.",
	}),
	"event-name": Flags.string({
		...group,
		helpValue: "NAME",
		summary: "Name of the event type of file, stdin or sqlite.",
	}),
	prefix: Flags.string({
		...group,
		helpValue: "TEXT",
		summary: "Begin the names of the event types of dir or capture with it.",
	}),
	"id-field": Flags.string({
		...group,
		helpValue: "FIELD",
		summary:
			"Member of each line of stdin, or plain post, that is its eventId.",
	}),
	"timestamp-field": Flags.string({
		...group,
		helpValue: "FIELD",
		summary:
			"Member of each line of stdin, or plain post, that says when it happened.",
	}),
	speed: Flags.string({
		...group,
		default: "1x",
		helpValue: "FACTOR",
		summary: "Pace of capture: 1x as it was, 10x faster, max without waits.",
	}),
};

const dirFlags = {
	ignore: Flags.string({
		...group,
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "GLOB",
		summary: "Leave these paths of dir out (repeatable).",
	}),
	settle: durationFlag({
		...group,
		default: 250,
		defaultHelp: async () => "250ms",
		summary: "Tell of a path of dir once it was quiet for so long.",
	}),
};

const inboundFlags = {
	hook: Flags.string({
		...group,
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "NAME[=SCHEME:SECRET]",
		summary:
			"Make each POST to /inbound/NAME an event (inbound, repeatable). SCHEME is standard-webhooks, github or stripe; SECRET is @FILE or env:VAR. NAME alone takes plain JSON.",
	}),
	"allow-plain": Flags.boolean({
		...group,
		summary: "Take plain posts of inbound from other machines too.",
	}),
};

const sqliteFlags = {
	table: Flags.string({
		...group,
		helpValue: "NAME",
		summary: "Make the new rows of this table events (sqlite).",
	}),
	query: Flags.string({
		...group,
		helpValue: "SQL",
		summary: "Make the new rows of this SELECT events (sqlite).",
	}),
	preset: Flags.option({
		...group,
		options: ["apple-mail", "apple-messages"] as const,
		summary: "Know the tables of this program (sqlite).",
	})(),
	"key-column": Flags.string({
		...group,
		helpValue: "COLUMN",
		summary: "The key of --query, where it has several that could be.",
	}),
	"id-column": Flags.string({
		...group,
		helpValue: "COLUMN",
		summary: "Column of sqlite that is the eventId.",
	}),
	"timestamp-column": Flags.string({
		...group,
		helpValue: "COLUMN",
		summary: "Column of sqlite that says when it happened.",
	}),
	"timestamp-format": Flags.option({
		...group,
		options: ["auto", "seconds", "milliseconds", "apple"] as const,
		summary: "What stands in --timestamp-column.",
	})(),
	"require-filter": Flags.boolean({
		...group,
		summary: "Refuse a subscription to all rows of sqlite.",
	}),
	"scan-interval": durationFlag({
		...group,
		default: 250,
		defaultHelp: async () => "250ms",
		summary: "Look at the database of sqlite so often.",
	}),
};

export const sourceFlags = {
	...feedFlags,
	...dirFlags,
	...inboundFlags,
	...sqliteFlags,
};

/** The flags that mean something to a source. */
export const FLAGS_OF: Record<SourceKind, readonly string[]> = {
	demo: ["seed", "buffer"],
	file: ["event-name"],
	stdin: ["event-name", "id-field", "timestamp-field", "buffer"],
	dir: ["prefix", "ignore", "settle", "buffer"],
	sqlite: ["event-name", ...Object.keys(sqliteFlags)],
	capture: ["prefix", "speed"],
	inbound: ["hook", "allow-plain", "id-field", "timestamp-field", "buffer"],
};
