// What `serve` is asked for: the meaning of its flags and of its configuration file.
import type {
	InboundScheme,
	ProfileName,
	ReferenceOptions,
	SqlitePreset,
	TimestampFormat,
} from "../../reference/index.ts";

export const SOURCES = [
	"demo",
	"file",
	"stdin",
	"dir",
	"sqlite",
	"capture",
	"inbound",
] as const;
export type SourceKind = (typeof SOURCES)[number];

/** Sources that are of a file or folder. */
export const SOURCES_OF_PATHS: readonly SourceKind[] = [
	"file",
	"dir",
	"sqlite",
	"capture",
];

/** One POST endpoint of `inbound`; `secrets` are references (see readReference). */
export interface HookChoice {
	name: string;
	scheme: InboundScheme;
	secrets?: string[] | undefined;
	idField?: string | undefined;
	timestampField?: string | undefined;
}

interface SqliteChoice {
	kind: "sqlite";
	path: string;
	table?: string | undefined;
	query?: string | undefined;
	preset?: SqlitePreset | undefined;
	keyColumn?: string | undefined;
	idColumn?: string | undefined;
	timestampColumn?: string | undefined;
	timestampFormat?: TimestampFormat | undefined;
	eventName?: string | undefined;
	requireFilter?: boolean | undefined;
	scanIntervalMs?: number | undefined;
}

export type SourceChoice =
	| { kind: "demo"; seed?: string | undefined; buffer?: number | undefined }
	| { kind: "file"; path: string; eventName?: string | undefined }
	| {
			kind: "stdin";
			eventName?: string | undefined;
			idField?: string | undefined;
			timestampField?: string | undefined;
			buffer?: number | undefined;
	  }
	| {
			kind: "dir";
			path: string;
			prefix?: string | undefined;
			ignore?: string[] | undefined;
			settleMs?: number | undefined;
			buffer?: number | undefined;
	  }
	| SqliteChoice
	| {
			kind: "capture";
			path: string;
			/** As --speed has it. */
			speed?: string | undefined;
			prefix?: string | undefined;
	  }
	| {
			kind: "inbound";
			hooks: HookChoice[];
			allowPlain?: boolean | undefined;
			buffer?: number | undefined;
	  };

export interface HttpChoices {
	host: string;
	port: number;
	path: string;
	allowOrigins: string[];
	allowHosts: string[];
	/** Files. */
	tls: { cert: string; key: string } | undefined;
	/** Calls a second; undefined is the server's own. */
	rateLimit: number | undefined;
	maxConnections: number | undefined;
}

export interface CallbackChoices {
	allow: string[];
	allowPrivate: string[];
	/** A file. */
	ca: string | undefined;
	/** HOST:PORT. */
	resolver: string | undefined;
}

export interface WebhookFlagChoices {
	store: string | undefined;
	retryDelaysMs: number[] | undefined;
	suspendAfterMs: number | undefined;
	dropAfterMs: number | undefined;
	defaultTtlMs: number | undefined;
	floorTtlMs: number | undefined;
	ceilingTtlMs: number | undefined;
	maxSubscriptions: number | undefined;
	webhookId: "message" | "event" | undefined;
	/** A file. */
	signEd25519: string | undefined;
}

export interface ServeOptions {
	sources: SourceChoice[];
	overStdio: boolean;
	http: HttpChoices;
	/** `NAME=TOKEN`, `NAME=@FILE` or `NAME=env:VAR`. */
	tokens: string[];
	callbacks: CallbackChoices;
	webhooks: WebhookFlagChoices;
	readyFile: string | undefined;
	/** As --fault has them. */
	faults: string[];
	served: Pick<
		ReferenceOptions,
		| "era"
		| "heartbeatMs"
		| "pollIntervalMs"
		| "maxStreams"
		| "maxStreamsPerCaller"
		| "maxRequestBytes"
		| "conformanceControls"
	> & { profile: ProfileName | undefined };
}
