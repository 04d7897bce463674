// From the words and flags of poll, stream and tail to the options of follow.ts.
import { Fault } from "../../faults/index.ts";
import type { ConnectionFlags } from "../connect/connect.ts";
import type { ExecFlags } from "../flags/handler-flags.ts";
import {
	positionalsOf,
	readEventWords,
	readServerWords,
	type WordToken,
} from "../flags/words.ts";
import type { FollowOptions } from "./follow.ts";

/** The flags that poll, stream and tail have, by their own names (flags.ts); each command has some of them. */
export interface FollowFlags extends ConnectionFlags, ExecFlags {
	from?: string | undefined;
	count?: number | undefined;
	for?: number | undefined;
	"ready-file"?: string | undefined;
	cursor?: string | undefined;
	resume: boolean;
	steal: boolean;
	host?: string;
	port?: number;
	"public-url"?: string | undefined;
	tunnel?: string | undefined;
	"from-now": boolean;
	state?: string | undefined;
	"max-age"?: number | undefined;
	"dedup-window"?: number | undefined;
	"no-validate": boolean;
	"interval-floor"?: number | undefined;
	"max-events"?: number | undefined;
	once?: boolean;
	"interval-ceiling"?: number | undefined;
	"max-pages"?: number | undefined;
	"stale-after": number;
	"give-up-after"?: number | undefined;
	"status-every"?: number | undefined;
	"list-every": number;
	heartbeats?: boolean;
}

export interface FollowWords {
	flags: FollowFlags;
	raw: readonly WordToken[];
	child: string[] | undefined;
}

/** Throws `wrong-use`. `most`: how many events the command takes. */
export function followOptions(
	{ flags, raw, child }: FollowWords,
	{ via, most }: { via: FollowOptions["via"]; most: number },
): FollowOptions {
	refuseContradictions(flags);
	const { server } = readServerWords(positionalsOf(raw), child);
	const { from } = flags;
	const events = readEventWords(raw, child === undefined, from !== undefined);
	if (events.length > most)
		throw new Fault("wrong-use", {
			what: `${events.length} events are named where one is taken: ${events.map((event) => event.name).join(", ")}`,
			why: child
				? "with a command after --, every word before it is an event"
				: undefined,
			next: "mcp-events tail follows several at once",
		});
	return {
		server,
		connection: flags,
		events,
		from,
		via,
		hub: hubFlags(flags, via),
		validate: !flags["no-validate"],
		count: flags.count,
		forMs: flags.for,
		readyFile: flags["ready-file"],
		resume: flags.resume
			? { steal: flags.steal, fromNow: flags["from-now"] }
			: undefined,
		exec: flags,
		tail: {
			cursor: flags.cursor,
			maxAgeMs: flags["max-age"],
			maxEvents: flags["max-events"],
			intervalFloorMs: flags["interval-floor"],
			intervalCeilingMs: flags["interval-ceiling"],
			maxPages: flags["max-pages"],
			once: flags.once,
			staleAfterMs: flags["stale-after"],
			giveUpAfterMs: flags["give-up-after"],
			statusEveryMs: flags["status-every"],
			listEveryMs: flags.once ? undefined : flags["list-every"],
			dedupWindow: flags["dedup-window"],
			heartbeats: flags.heartbeats ?? false,
		},
	};
}

/** A receiver where webhooks are asked for, or where it is said how it is reached. */
function hubFlags(
	flags: FollowFlags,
	via: FollowOptions["via"],
): FollowOptions["hub"] {
	const { host = "127.0.0.1", port = 0, tunnel } = flags;
	const publicUrl = flags["public-url"];
	const isReached = publicUrl !== undefined || tunnel !== undefined;
	if (isReached && via !== undefined && via !== "webhook")
		throw new Fault("wrong-use", {
			what: `${tunnel === undefined ? "--public-url" : "--tunnel"} is of no use with --via ${via}`,
			next: "leave --via out, or ask for --via webhook",
		});
	if (publicUrl !== undefined && tunnel !== undefined)
		throw new Fault("wrong-use", {
			what: "--tunnel and --public-url cannot be combined",
			why: "a tunnel has an address of its own",
			next: "leave one of them out",
		});
	if (!isReached && via !== "webhook") return undefined;
	return { host, port, tunnel, "public-url": publicUrl };
}

function refuseContradictions(flags: FollowFlags): void {
	if (flags.cursor !== undefined && flags["from-now"])
		throw new Fault("wrong-use", {
			what: "--cursor and --from-now cannot be combined",
			next: "leave one of them out",
		});
	const floorMs = flags["interval-floor"] ?? 0;
	const ceilingMs = flags["interval-ceiling"] ?? floorMs;
	if (ceilingMs < floorMs)
		throw new Fault("wrong-use", {
			what: `--interval-ceiling ${ceilingMs}ms is below --interval-floor ${floorMs}ms`,
			next: "raise the one, or lower the other",
		});
	const given = flags.steal ? "--steal" : undefined;
	if (given && !flags.resume)
		throw new Fault("wrong-use", {
			what: `${given} needs --resume`,
			why: "without it no position is kept",
			next: `--resume ${given}`,
		});
}
