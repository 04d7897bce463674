// What cannot be meant together, told before anything is opened.
import { Fault, shellWord } from "../../faults/index.ts";
import { httpFlags } from "./http-flags.ts";
import { SOURCES, SOURCES_OF_PATHS, type SourceKind } from "./options.ts";
import type { ServeConfig } from "./read-config.ts";
import type { ServeFlags, ServeWords } from "./read-options.ts";
import { FLAGS_OF, sourceFlags } from "./source-flags.ts";
import { webhookFlags } from "./webhook-flags.ts";

interface Meant {
	flags: ServeFlags;
	args: ServeWords["args"];
	/** Flags on the command line… */
	typed: readonly string[];
	/** …and those that the configuration speaks for. */
	given: readonly string[];
	config: ServeConfig;
}

/** Throws `wrong-use` for the first contradiction. */
export function refuseContradictions(meant: Meant): void {
	if (meant.config.sources.length > 0) refuseSecondSource(meant);
	else refuseWrongSource(meant);
	const { flags, given } = meant;
	const kinds = kindsOf(meant);
	refuseNoPath(flags.path);
	if (flags.stdio) refuseOverStdio(kinds, given);
	if ((flags["tls-cert"] === undefined) !== (flags["tls-key"] === undefined))
		throw new Fault("wrong-use", {
			what: "--tls-cert and --tls-key are given together, or not at all",
			why: "one is of no use without the other",
			next: "--tls-cert CERT.pem --tls-key KEY.pem",
		});
	const webhook = Object.keys(webhookFlags).find((name) =>
		given.includes(name),
	);
	if (webhook !== undefined && (flags.token ?? []).length === 0)
		throw new Fault("wrong-use", {
			what: `--${webhook} is of no use without --token`,
			why: "webhooks are offered to callers with a token alone",
			next: `--token me=env:MY_TOKEN --${webhook} ...`,
		});
	refuseChatGptWithoutCallers(flags);
	refuseTtls(flags);
	if (kinds.filter((kind) => kind === "stdin").length > 1)
		throw new Fault("wrong-use", {
			what: "two sources cannot both be stdin",
			why: "its lines come once",
			next: "leave one of them out",
		});
}

function refuseNoPath(path: string): void {
	if (/^\/[^?#\s]*$/.test(path)) return;
	throw new Fault("wrong-use", {
		what: `--path ${JSON.stringify(path)} is no path`,
		why: "it begins with a slash, and has neither ? nor # nor white space",
		next: "--path /mcp",
	});
}

const kindsOf = ({ args, config }: Meant): SourceKind[] =>
	config.sources.length > 0
		? config.sources.map(({ kind }) => kind)
		: [args.source ?? "demo"];

function refuseSecondSource({ args, typed, flags }: Meant): void {
	const flag = typed.find((name) => Object.hasOwn(sourceFlags, name));
	const word = args.source ?? (flag === undefined ? undefined : `--${flag}`);
	if (word === undefined) return;
	throw new Fault("wrong-use", {
		what: `${word} cannot be combined with --config ${flags.config}`,
		why: "the sources stand in that file",
		next: `leave ${word} out, or the sources in the file`,
	});
}

function refuseWrongSource({ args, typed }: Meant): void {
	const kind = args.source ?? "demo";
	const needsPath = SOURCES_OF_PATHS.includes(kind);
	if (needsPath && args.path === undefined) throw pathMissing(kind);
	if (!needsPath && args.path !== undefined)
		throw new Fault("wrong-use", {
			what: `serve ${kind} takes no PATH, but ${JSON.stringify(args.path)} was given`,
			why: `only ${SOURCES_OF_PATHS.join(", ")} are of a file or folder`,
			next: `mcp-events serve file ${shellWord(args.path)}`,
		});
	const stray = typed.find(
		(name) =>
			Object.hasOwn(sourceFlags, name) && !FLAGS_OF[kind].includes(name),
	);
	if (stray !== undefined) {
		const owners = SOURCES.filter((one) => FLAGS_OF[one].includes(stray));
		throw new Fault("wrong-use", {
			what: `--${stray} means nothing to serve ${kind}`,
			why: `it is a flag of ${owners.join(", ")}`,
			next: `leave it out, or: mcp-events serve ${owners[0]}`,
		});
	}
	if (kind === "inbound" && !typed.includes("hook"))
		throw new Fault("wrong-use", {
			what: "serve inbound needs a --hook",
			why: "its name is the event type, and the end of the path that takes the posts",
			next: "mcp-events serve inbound --hook orders.created",
		});
}

const EXAMPLES: Partial<Record<SourceKind, string>> = {
	dir: "dir inbox",
	sqlite: "sqlite app.db --table orders",
	capture: "capture deliveries.ndjson",
};

const pathMissing = (kind: SourceKind) =>
	new Fault("wrong-use", {
		what: `serve ${kind} needs the PATH of the ${kind === "dir" ? "folder" : "file"} to follow`,
		why: "no PATH was given",
		next: `mcp-events serve ${EXAMPLES[kind] ?? "file app.log"}`,
	});

function refuseOverStdio(
	kinds: readonly SourceKind[],
	given: readonly string[],
): void {
	if (kinds.includes("stdin"))
		throw new Fault("wrong-use", {
			what: "serve stdin cannot be combined with --stdio",
			why: "stdin would carry both the events and the protocol",
			next: "leave --stdio out, or serve a file",
		});
	if (kinds.includes("inbound"))
		throw new Fault("wrong-use", {
			what: "serve inbound cannot be combined with --stdio",
			why: "its events come by HTTP",
			next: "leave --stdio out",
		});
	const ofHttp = { ...httpFlags, ...webhookFlags };
	const stray = given.find((name) => Object.hasOwn(ofHttp, name));
	if (stray === undefined) return;
	throw new Fault("wrong-use", {
		what: `--${stray} cannot be combined with --stdio`,
		why: "over stdio there is one client, and no address to listen on",
		next: `leave --stdio or --${stray} out`,
	});
}

/** That profile has webhooks alone, and they are for callers with a token. */
function refuseChatGptWithoutCallers(flags: ServeFlags): void {
	if (flags.profile !== "chatgpt") return;
	if (flags.stdio)
		throw new Fault("wrong-use", {
			what: "--profile chatgpt cannot be combined with --stdio",
			why: "it offers webhooks alone, and they are offered over HTTP",
			next: "leave --stdio out: --profile chatgpt --token me=env:MY_TOKEN",
		});
	if ((flags.token ?? []).length > 0) return;
	throw new Fault("wrong-use", {
		what: "--profile chatgpt offers nothing without --token",
		why: "it offers webhooks alone, and they are offered to callers with a token alone",
		next: "--profile chatgpt --token me=env:MY_TOKEN",
	});
}

function refuseTtls(flags: ServeFlags): void {
	const order = [
		["ttl-floor", flags["ttl-floor"]],
		["ttl-default", flags["ttl-default"]],
		["ttl-ceiling", flags["ttl-ceiling"]],
	] as const;
	const given = order.filter(([, ms]) => ms !== undefined);
	for (const [at, [name, ms = 0]] of given.entries()) {
		const [next, nextMs = 0] = given[at + 1] ?? [];
		if (next === undefined || ms <= nextMs) continue;
		throw new Fault("wrong-use", {
			what: `--${name} is longer than --${next}`,
			why: "the floor is at most the default, and that at most the ceiling",
			next: "--ttl-floor 1m --ttl-default 1h --ttl-ceiling 1d",
		});
	}
}
