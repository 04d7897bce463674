// From what was typed, and the configuration file, to what is meant. What is typed counts before what stands in the file.
import { Fault } from "../../faults/index.ts";
import type { ProfileName, ServedEras } from "../../reference/index.ts";
import type { WordToken } from "../flags/words.ts";
import { refuseContradictions } from "./contradictions.ts";
import type {
	CallbackChoices,
	HookChoice,
	HttpChoices,
	ServeOptions,
	SourceChoice,
	SourceKind,
	WebhookFlagChoices,
} from "./options.ts";
import { readConfig, type ServeConfig } from "./read-config.ts";

/** The flags of `serve` as oclif parsed them; undefined where nothing was said and nothing holds by default. */
export interface ServeFlags {
	config?: string | undefined;
	stdio: boolean;
	port: number;
	host: string;
	path: string;
	"tls-cert"?: string | undefined;
	"tls-key"?: string | undefined;
	"ready-file"?: string | undefined;
	token?: string[] | undefined;
	"allow-origin"?: string[] | undefined;
	"allow-host"?: string[] | undefined;
	"rate-limit"?: number | undefined;
	"max-connections"?: number | undefined;
	"max-streams"?: number | undefined;
	"max-streams-per-caller"?: number | undefined;
	"max-request"?: number | undefined;
	"allow-callback"?: string[] | undefined;
	"allow-private-callbacks"?: string[] | undefined;
	"callback-ca"?: string | undefined;
	resolver?: string | undefined;
	store?: string | undefined;
	"retry-delays"?: number[] | undefined;
	"suspend-after"?: number | undefined;
	"drop-after"?: number | undefined;
	"ttl-default"?: number | undefined;
	"ttl-floor"?: number | undefined;
	"ttl-ceiling"?: number | undefined;
	"max-subscriptions"?: number | undefined;
	"webhook-id"?: "message" | "event" | undefined;
	"sign-ed25519"?: string | undefined;
	profile?: ProfileName | undefined;
	era?: ServedEras | undefined;
	heartbeat: number;
	"poll-interval": number;
	fault?: string[] | undefined;
	"conformance-controls": boolean;
	buffer: number;
	seed: string;
	"event-name"?: string | undefined;
	prefix?: string | undefined;
	"id-field"?: string | undefined;
	"timestamp-field"?: string | undefined;
	speed: string;
	ignore?: string[] | undefined;
	settle: number;
	hook?: string[] | undefined;
	"allow-plain": boolean;
	table?: string | undefined;
	query?: string | undefined;
	preset?: "apple-mail" | "apple-messages" | undefined;
	"key-column"?: string | undefined;
	"id-column"?: string | undefined;
	"timestamp-column"?: string | undefined;
	"timestamp-format"?:
		| "auto"
		| "seconds"
		| "milliseconds"
		| "apple"
		| undefined;
	"require-filter": boolean;
	"scan-interval": number;
}

export interface ServeWords {
	flags: ServeFlags;
	args: { source?: SourceKind | undefined; path?: string | undefined };
	/** What was typed. */
	raw: readonly WordToken[];
}

/** Throws `wrong-use` for words that contradict each other, and for a configuration that cannot be used. */
export async function readServeOptions(
	words: ServeWords,
): Promise<ServeOptions> {
	const { args, raw } = words;
	const typed = raw.flatMap((one) => (one.type === "flag" ? [one.flag] : []));
	const { config: path } = words.flags;
	const config: ServeConfig =
		path === undefined ? { sources: [], flags: {} } : await readConfig(path);
	const flags: ServeFlags = { ...words.flags, ...config.flags };
	Object.assign(
		flags,
		Object.fromEntries(
			Object.entries(words.flags).filter(([name]) => typed.includes(name)),
		),
	);
	const given = [...typed, ...Object.keys(config.flags)];
	refuseContradictions({ flags, args, typed, given, config });
	const sources =
		config.sources.length > 0
			? config.sources
			: [sourceFrom(args.source ?? "demo", args.path ?? "", flags)];
	return {
		sources,
		overStdio: flags.stdio,
		http: httpFrom(flags),
		tokens: flags.token ?? [],
		callbacks: callbacksFrom(flags),
		webhooks: webhooksFrom(flags),
		readyFile: flags["ready-file"],
		faults: flags.fault ?? [],
		served: {
			profile: flags.profile,
			era: flags.era,
			heartbeatMs: flags.heartbeat,
			pollIntervalMs: flags["poll-interval"],
			maxStreams: flags["max-streams"],
			maxStreamsPerCaller: flags["max-streams-per-caller"],
			maxRequestBytes: flags["max-request"],
			conformanceControls: flags["conformance-controls"],
		},
	};
}

function httpFrom(flags: ServeFlags): HttpChoices {
	const { "tls-cert": cert, "tls-key": key } = flags;
	return {
		host: flags.host,
		port: flags.port,
		path: flags.path,
		allowOrigins: flags["allow-origin"] ?? [],
		allowHosts: flags["allow-host"] ?? [],
		tls: cert !== undefined && key !== undefined ? { cert, key } : undefined,
		rateLimit: flags["rate-limit"],
		maxConnections: flags["max-connections"],
	};
}

const callbacksFrom = (flags: ServeFlags): CallbackChoices => ({
	allow: flags["allow-callback"] ?? [],
	allowPrivate: flags["allow-private-callbacks"] ?? [],
	ca: flags["callback-ca"],
	resolver: flags.resolver,
});

const webhooksFrom = (flags: ServeFlags): WebhookFlagChoices => ({
	store: flags.store,
	retryDelaysMs: flags["retry-delays"],
	suspendAfterMs: flags["suspend-after"],
	dropAfterMs: flags["drop-after"],
	defaultTtlMs: flags["ttl-default"],
	floorTtlMs: flags["ttl-floor"],
	ceilingTtlMs: flags["ttl-ceiling"],
	maxSubscriptions: flags["max-subscriptions"],
	webhookId: flags["webhook-id"],
	signEd25519: flags["sign-ed25519"],
});

/** The one source that the command line names. */
function sourceFrom(
	kind: SourceKind,
	path: string,
	flags: ServeFlags,
): SourceChoice {
	const { buffer, seed, prefix, speed, ignore } = flags;
	const eventName = flags["event-name"];
	const fields = {
		idField: flags["id-field"],
		timestampField: flags["timestamp-field"],
	};
	switch (kind) {
		case "demo":
			return { kind, seed, buffer };
		case "file":
			return { kind, path, eventName };
		case "stdin":
			return { kind, eventName, ...fields, buffer };
		case "dir":
			return { kind, path, prefix, ignore, settleMs: flags.settle, buffer };
		case "capture":
			return { kind, path, speed, prefix };
		case "inbound": {
			const hooks = (flags.hook ?? []).map((text) => hookFrom(text, fields));
			return { kind, hooks, allowPlain: flags["allow-plain"], buffer };
		}
		case "sqlite":
			return {
				kind,
				path,
				eventName,
				table: flags.table,
				query: flags.query,
				preset: flags.preset,
				keyColumn: flags["key-column"],
				idColumn: flags["id-column"],
				timestampColumn: flags["timestamp-column"],
				timestampFormat: flags["timestamp-format"],
				requireFilter: flags["require-filter"],
				scanIntervalMs: flags["scan-interval"],
			};
	}
}

const HOOK = /^([^=]+)(?:=(standard-webhooks|github|stripe):((?:@|env:).+))?$/;

/** Throws `wrong-use`, without the secret, which may have been typed as it is. */
function hookFrom(
	text: string,
	fields: Pick<HookChoice, "idField" | "timestampField">,
): HookChoice {
	const [, name, scheme, secret] = HOOK.exec(text) ?? [];
	if (name === undefined)
		throw new Fault("wrong-use", {
			what: `--hook ${JSON.stringify(text.split("=")[0])} cannot be read`,
			why: "it is NAME, or NAME=SCHEME:SECRET with standard-webhooks, github or stripe, and @FILE or env:VAR",
			next: "--hook push=github:env:GITHUB_SECRET",
		});
	if (scheme === undefined || secret === undefined)
		return { name, scheme: "plain", ...fields };
	return {
		name,
		scheme: scheme as Exclude<HookChoice["scheme"], "plain">,
		secrets: [secret],
	};
}
