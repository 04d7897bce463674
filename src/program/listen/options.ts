// What the words and flags of `listen` say.
import { Fault } from "../../faults/index.ts";
import type { ReceivedDelivery, Replies } from "../../receiver/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import type { Address } from "../../tail/index.ts";
import type { ConnectionFlags } from "../connect/connect.ts";
import { checkPublicUrl } from "../flags/public-url.ts";
import {
	type EventWords,
	positionalsOf,
	readEventWords,
	readServerWords,
	type WordToken,
} from "../flags/words.ts";
import type { ListenHandlers } from "./handlers.ts";

export interface ListenFlags extends ConnectionFlags {
	host: string;
	port: number;
	path: string;
	tls?: "self-signed" | undefined;
	"tls-cert"?: string | undefined;
	"tls-key"?: string | undefined;
	"public-url"?: string | undefined;
	/** tunnel-words.ts says what its values mean. */
	tunnel?: string | undefined;
	reply?: string | undefined;
	"well-known": boolean;
	"secret-file"?: string | undefined;
	"public-key"?: string[] | undefined;
	tolerance: number;
	captures?: string | undefined;
	state?: string | undefined;
	ttl?: number | undefined;
	"no-expiry": boolean;
	"rotate-every"?: number | undefined;
	keep: boolean;
	count?: number | undefined;
	for?: number | undefined;
	"ready-file"?: string | undefined;
	cursor?: string | undefined;
	"max-age"?: number | undefined;
	"dedup-window": number;
	"no-validate": boolean;
	"max-body": number;
	quiet: boolean;
}

export interface ListenOptions {
	/** undefined: any Standard Webhooks sender. */
	source: { server: ServerAddress; events: EventWords[] } | undefined;
	flags: ListenFlags;
}

/** A delivery that is on disk. */
export interface StoredDelivery {
	delivery: ReceivedDelivery;
	/** undefined for a repetition: it was kept when it came first. */
	capture: string | undefined;
	isRepeat: boolean;
}

export interface OpenedAddress extends Address, AsyncDisposable {
	/** Aborted, with the fault, where the address cannot be held any longer: then the listener ends. */
	lost?: AbortSignal;
}

/** What else a listener may be joined to. All of it may be left out. */
export interface ListenSeams {
	/** Gives a port of this machine a public address, for as long as it is not disposed of. */
	openAddress?: (port: number) => Promise<OpenedAddress>;
	/** Answers good deliveries by a script. */
	replies?: Replies;
	/** Are handed each delivery once it is on disk, before the sender is answered. */
	handlers?: ListenHandlers | undefined;
}

const LEAST_ROTATION_MS = 1000;

/** Throws `wrong-use`. Without a SERVER and without a command, it listens to anybody. */
export function listenOptions(
	raw: readonly WordToken[],
	child: string[] | undefined,
	flags: ListenFlags,
): ListenOptions {
	refuseContradictions(flags);
	const words = positionalsOf(raw);
	if (words.length === 0 && child === undefined) {
		refuseSubscribing(flags);
		return { source: undefined, flags };
	}
	const { server } = readServerWords(words, child);
	const events = readEventWords(raw, child === undefined);
	if (flags.cursor !== undefined && events.length > 1)
		throw new Fault("wrong-use", {
			what: `--cursor was given for ${events.length} events`,
			why: "a cursor belongs to one event type with its arguments",
			next: "listen to each event in a command of its own, with its own --cursor",
		});
	if (!flags.path.endsWith("/"))
		throw new Fault("wrong-use", {
			what: `--path ${flags.path} does not end in a slash`,
			why: "each subscription gets a path of its own below it",
			next: `--path ${flags.path}/`,
		});
	return { source: { server, events }, flags };
}

function refuseContradictions(flags: ListenFlags): void {
	const { path } = flags;
	if (!/^\/[\w./~-]*$/.test(path) || path.includes("//"))
		throw new Fault("wrong-use", {
			what: `--path ${JSON.stringify(path)} is not a path`,
			why: "allowed: a slash, then letters, digits and . _ ~ - /",
			next: "--path /hooks/",
		});
	const { "tls-cert": cert, "tls-key": key, tls } = flags;
	if ((cert === undefined) !== (key === undefined))
		throw new Fault("wrong-use", {
			what: `--tls-${cert ? "cert" : "key"} is given without --tls-${cert ? "key" : "cert"}`,
			next: "--tls-cert FILE --tls-key FILE",
		});
	if (tls && cert)
		throw new Fault("wrong-use", {
			what: `--tls ${tls} and --tls-cert cannot be combined`,
			next: "leave one of them out",
		});
	if (flags.tunnel !== undefined) refuseBesideTunnel(flags);
	checkPublicUrl(flags["public-url"]);
	const everyMs = flags["rotate-every"] ?? LEAST_ROTATION_MS;
	if (everyMs < LEAST_ROTATION_MS)
		throw new Fault("wrong-use", {
			what: `--rotate-every ${everyMs}ms is too often`,
			why: "the server is asked each time; it may be every second at most",
			next: "--rotate-every 1h",
		});
	if (flags["no-expiry"] && flags.ttl !== undefined)
		throw new Fault("wrong-use", {
			what: "--ttl and --no-expiry cannot be combined",
			next: "leave one of them out",
		});
}

/** A tunnel has an address and a certificate of its own, and ends at this machine by plain HTTP. */
function refuseBesideTunnel(flags: ListenFlags): void {
	const given = ["public-url", "tls", "tls-cert"] as const;
	const other = given.find((name) => flags[name] !== undefined);
	if (other)
		throw new Fault("wrong-use", {
			what: `--tunnel and --${other} cannot be combined`,
			why: "a tunnel has an https address of its own, and comes to this machine by plain http",
			next: "leave one of them out",
		});
	if (!["127.0.0.1", "localhost", "0.0.0.0"].includes(flags.host))
		throw new Fault("wrong-use", {
			what: `--tunnel and --host ${flags.host} cannot be combined`,
			why: "a tunnel comes to 127.0.0.1",
			next: "leave --host out",
		});
}

/** Flags that are about subscriptions say nothing where there is no server. */
function refuseSubscribing(flags: ListenFlags): void {
	const given = [
		flags.cursor === undefined ? "" : "--cursor",
		flags["max-age"] === undefined ? "" : "--max-age",
		flags.ttl === undefined ? "" : "--ttl",
		flags["no-expiry"] ? "--no-expiry" : "",
		flags["rotate-every"] === undefined ? "" : "--rotate-every",
		flags.keep ? "--keep" : "",
	].filter(Boolean);
	if (given.length > 0)
		throw new Fault("wrong-use", {
			what: `${given.join(" and ")} needs a SERVER and an EVENT`,
			why: "without them there is no subscription: whoever knows the secret may send",
			next: `mcp-events listen SERVER EVENT ${given[0]}`,
		});
}
