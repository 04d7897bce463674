// The JSON Schema of `serve --config FILE`. `serve --config-schema` prints it, so that editors can use it.

const text = { type: "string", minLength: 1 };
const texts = { type: "array", items: text };
const file = { ...text, description: "A path, from the folder of this file." };
const duration = {
	type: "string",
	pattern: "^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)$",
	description: "Such as 250ms, 10s, 5m, 2h or 1d.",
};
const size = {
	type: "string",
	pattern: "^[0-9]+(\\.[0-9]+)?([kmgKMG]?[bB])$",
	description: "Such as 512kb or 16mb.",
};
const count = { type: "integer", minimum: 1 };
const secret = {
	type: "string",
	pattern: "^(@.|env:[A-Za-z_])",
	description: "@FILE, or env:VAR: no secret stands in this file itself.",
};

/** An object of these members and no others. */
const closed = (
	properties: Record<string, object>,
	required: readonly string[] = [],
) => ({
	type: "object",
	properties,
	...(required.length > 0 && { required }),
	additionalProperties: false,
});

const oneOrMore = (item: object) => ({
	anyOf: [item, { type: "array", items: item, minItems: 1 }],
});

const hook = closed(
	{
		name: text,
		scheme: { enum: ["plain", "standard-webhooks", "github", "stripe"] },
		secrets: { type: "array", items: secret },
		idField: text,
		timestampField: text,
	},
	["name"],
);

/** The members of each kind of source, beside `kind`. */
const SOURCE_MEMBERS: Record<string, [Record<string, object>, string[]]> = {
	demo: [{ seed: text, buffer: count }, []],
	file: [{ path: file, eventName: text }, ["path"]],
	stdin: [
		{ eventName: text, idField: text, timestampField: text, buffer: count },
		[],
	],
	dir: [
		{
			path: file,
			prefix: text,
			ignore: texts,
			settle: duration,
			buffer: count,
		},
		["path"],
	],
	sqlite: [
		{
			path: file,
			table: text,
			query: text,
			preset: { enum: ["apple-mail", "apple-messages"] },
			keyColumn: text,
			idColumn: text,
			timestampColumn: text,
			timestampFormat: { enum: ["auto", "seconds", "milliseconds", "apple"] },
			eventName: text,
			requireFilter: { type: "boolean" },
			scanInterval: duration,
		},
		["path"],
	],
	capture: [
		{
			path: file,
			speed: { type: "string", pattern: "^([0-9]+(\\.[0-9]+)?x|max)$" },
			prefix: text,
		},
		["path"],
	],
	inbound: [
		{
			hooks: { type: "array", items: hook, minItems: 1 },
			allowPlain: { type: "boolean" },
			buffer: count,
		},
		["hooks"],
	],
};

/** What each kind demands stands behind `if`, so that a problem is told of the kind that is meant. */
const source = {
	type: "object",
	properties: { kind: { enum: Object.keys(SOURCE_MEMBERS) } },
	required: ["kind"],
	allOf: Object.entries(SOURCE_MEMBERS).map(([kind, [members, required]]) => ({
		if: { properties: { kind: { const: kind } }, required: ["kind"] },
		// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
		then: closed({ kind: { const: kind }, ...members }, required),
	})),
};

const webhooks = closed({
	allowCallbacks: texts,
	allowPrivateCallbacks: texts,
	callbackCa: file,
	resolver: text,
	store: file,
	retryDelays: { type: "array", items: duration, minItems: 1, maxItems: 10 },
	suspendAfter: duration,
	dropAfter: duration,
	ttl: closed({ default: duration, floor: duration, ceiling: duration }),
	maxSubscriptions: count,
	webhookId: { enum: ["message", "event"] },
	signEd25519: file,
});

export const CONFIG_SCHEMA = {
	$schema: "https://json-schema.org/draft/2020-12/schema",
	title: "mcp-events serve --config",
	...closed({
		$schema: { type: "string" },
		sources: { type: "array", items: source, minItems: 1 },
		http: closed({
			host: text,
			port: { type: "integer", minimum: 0, maximum: 65_535 },
			path: text,
			tls: closed({ cert: file, key: file }, ["cert", "key"]),
			allowOrigins: texts,
			allowHosts: texts,
		}),
		tokens: {
			type: "object",
			additionalProperties: oneOrMore(secret),
			description: "The names of those who may call, each with its tokens.",
		},
		webhooks,
		limits: closed({
			rate: {
				type: "string",
				pattern: "^([1-9][0-9]{0,6}(/[sm])?|off)$",
				description: "Calls of one caller, such as 100/s or 30/m, or off.",
			},
			connections: count,
			streams: count,
			streamsPerCaller: count,
			request: size,
		}),
		profile: { enum: ["final", "chatgpt", "sketch"] },
		era: { enum: ["both", "modern", "legacy"] },
		heartbeat: duration,
		pollInterval: duration,
		faults: texts,
		conformanceControls: { type: "boolean" },
	}),
};
