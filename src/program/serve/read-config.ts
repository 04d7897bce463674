// `--config FILE`: everything that flags can say, and several sources. All its problems are told at once.
import { dirname, resolve } from "node:path";
import { Fault } from "../../faults/index.ts";
import { isRecord } from "../../protocol/index.ts";
import { parseDuration, parseSize } from "../flags/duration.ts";
import { readTextFile } from "../flags/files.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";
import { parseRate } from "./http-flags.ts";
import type { SourceChoice } from "./options.ts";

export interface ServeConfig {
	/** Empty where it names none. */
	sources: SourceChoice[];
	/** By the names of the flags that say the same. */
	flags: Record<string, unknown>;
}

type Read = (value: unknown, flag: string, folder: string) => unknown;

const asDuration: Read = (value, flag) => parseDuration(String(value), flag);
const asSize: Read = (value, flag) => parseSize(String(value), flag);
const asFile: Read = (value, _flag, folder) => resolve(folder, String(value));
const asDelays: Read = (value, flag) =>
	Array.isArray(value)
		? value.map((one) => parseDuration(String(one), flag))
		: undefined;
const asRate: Read = (value) => parseRate(String(value));

/** Where each flag's value stands, and how it is read; the schema has been checked by then. */
const PLACES: readonly (readonly [string, string, Read?])[] = [
	["http.host", "host"],
	["http.port", "port"],
	["http.path", "path"],
	["http.tls.cert", "tls-cert", asFile],
	["http.tls.key", "tls-key", asFile],
	["http.allowOrigins", "allow-origin"],
	["http.allowHosts", "allow-host"],
	["tokens", "token", tokenTexts],
	["webhooks.allowCallbacks", "allow-callback"],
	["webhooks.allowPrivateCallbacks", "allow-private-callbacks"],
	["webhooks.callbackCa", "callback-ca", asFile],
	["webhooks.resolver", "resolver"],
	["webhooks.store", "store", asFile],
	["webhooks.retryDelays", "retry-delays", asDelays],
	["webhooks.suspendAfter", "suspend-after", asDuration],
	["webhooks.dropAfter", "drop-after", asDuration],
	["webhooks.ttl.default", "ttl-default", asDuration],
	["webhooks.ttl.floor", "ttl-floor", asDuration],
	["webhooks.ttl.ceiling", "ttl-ceiling", asDuration],
	["webhooks.maxSubscriptions", "max-subscriptions"],
	["webhooks.webhookId", "webhook-id"],
	["webhooks.signEd25519", "sign-ed25519", asFile],
	["limits.rate", "rate-limit", asRate],
	["limits.connections", "max-connections"],
	["limits.streams", "max-streams"],
	["limits.streamsPerCaller", "max-streams-per-caller"],
	["limits.request", "max-request", asSize],
	["profile", "profile"],
	["era", "era"],
	["heartbeat", "heartbeat", asDuration],
	["pollInterval", "poll-interval", asDuration],
	["faults", "fault"],
	["conformanceControls", "conformance-controls"],
];

/** Throws `wrong-use` that lists everything in the file that cannot be used. */
export async function readConfig(path: string): Promise<ServeConfig> {
	const config = await parseConfig(await readTextFile(path, "--config"), path);
	const folder = dirname(resolve(path));
	const flags: Record<string, unknown> = {};
	for (const [place, flag, read] of PLACES) {
		const value = valueAt(config, place.split("."));
		if (value !== undefined)
			flags[flag] = read ? read(value, flag, folder) : value;
	}
	const sources = Array.isArray(config.sources) ? config.sources : [];
	return { sources: sources.map((one) => readSource(one, folder)), flags };
}

async function parseConfig(
	text: string,
	path: string,
): Promise<Record<string, unknown>> {
	const { findProblems, parseArgumentsJson } = await import(
		"../../arguments/index.ts"
	);
	const next = "see what may stand in it: mcp-events serve --config-schema";
	let config: Record<string, unknown>;
	try {
		config = parseArgumentsJson(text, `--config ${path}`);
	} catch (cause) {
		if (!(cause instanceof Fault)) throw cause;
		const { code, what, why } = cause;
		throw new Fault(code, { what, ...(why && { why }), next, cause });
	}
	const problems = await findProblems(withoutSecrets(config), CONFIG_SCHEMA);
	if (problems.length === 0) return config;
	throw new Fault("wrong-use", {
		what: `--config ${path} cannot be used`,
		why: problems.join("; "),
		next,
	});
}

const REFERENCE = /^(@|env:)/;

/** The same, but for what stands where a reference to a secret should: that may be the secret, and is not repeated. */
function withoutSecrets(config: Record<string, unknown>) {
	const mask = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(mask);
		if (isRecord(value))
			return Object.fromEntries(
				Object.entries(value).map(([key, part]) => [key, mask(part)]),
			);
		const isShown = typeof value === "string" && REFERENCE.test(value);
		return isShown ? value : "(not shown)";
	};
	const text = JSON.stringify(config, (key, value) =>
		key === "tokens" || key === "secrets" ? mask(value) : value,
	);
	return JSON.parse(text) as Record<string, unknown>;
}

function valueAt(config: unknown, place: readonly string[]): unknown {
	const [key = "", ...rest] = place;
	if (!isRecord(config)) return undefined;
	return rest.length === 0 ? config[key] : valueAt(config[key], rest);
}

/** `NAME=REFERENCE` for each token of each name. */
function tokenTexts(value: unknown, _flag: string, folder: string): string[] {
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([name, references]) =>
		[references]
			.flat()
			.map((text) => `${name}=${fromFolder(String(text), folder)}`),
	);
}

/** A reference to a file is from the folder of the configuration too. */
const fromFolder = (reference: string, folder: string) =>
	reference.startsWith("@")
		? `@${resolve(folder, reference.slice(1))}`
		: reference;

function readSource(value: unknown, folder: string): SourceChoice {
	const { settle, scanInterval, ...rest } = isRecord(value) ? value : {};
	const source: Record<string, unknown> = { ...rest };
	if (typeof rest.path === "string") source.path = resolve(folder, rest.path);
	if (settle !== undefined) source.settleMs = asDuration(settle, "settle", "");
	if (scanInterval !== undefined)
		source.scanIntervalMs = asDuration(scanInterval, "scan-interval", "");
	if (Array.isArray(rest.hooks))
		source.hooks = rest.hooks.map((hook) => ({
			scheme: "plain",
			...hook,
			secrets: (hook.secrets ?? []).map((text: string) =>
				fromFolder(text, folder),
			),
		}));
	// The schema is the type: the same members, of the same types.
	return source as SourceChoice;
}
