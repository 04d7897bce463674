// The JSON Schemas of the contract's messages, and the definition that each message of a server must fit.
import { METHODS, NOTIFICATIONS } from "../../protocol/index.ts";
import type { Inbound } from "../wire/trail.ts";
import document from "./mcp-events.schema.json" with { type: "json" };

export type Definition = keyof typeof document.$defs;

const RESPONSES: ReadonlyMap<string, Definition> = new Map([
	[METHODS.discover, "DiscoverResponse"],
	[METHODS.initialize, "InitializeResponse"],
	[METHODS.list, "ListResponse"],
	[METHODS.poll, "PollResponse"],
	[METHODS.stream, "StreamResponse"],
	[METHODS.subscribe, "SubscribeResponse"],
	[METHODS.unsubscribe, "UnsubscribeResponse"],
	[METHODS.listen, "ListenResponse"],
	[METHODS.listTools, "ListToolsResponse"],
	[METHODS.callTool, "CallToolResponse"],
]);

const NOTICES: ReadonlyMap<string, Definition> = new Map([
	[NOTIFICATIONS.active, "ActiveNotification"],
	[NOTIFICATIONS.event, "EventNotification"],
	[NOTIFICATIONS.heartbeat, "HeartbeatNotification"],
	[NOTIFICATIONS.error, "ErrorNotification"],
	[NOTIFICATIONS.terminated, "TerminatedNotification"],
	[NOTIFICATIONS.listChanged, "ListChangedNotification"],
	[NOTIFICATIONS.acknowledged, "AcknowledgedNotification"],
]);

/** Which definition a message must fit; undefined for what is no JSON-RPC message at all. */
export function definitionOf({
	frame,
	method,
}: Inbound): Definition | undefined {
	switch (frame.kind) {
		case "result":
			return RESPONSES.get(method) ?? "AnyResponse";
		case "error":
			return "ErrorResponse";
		case "notification":
			return NOTICES.get(frame.method) ?? "AnyNotification";
		case "request":
			return "AnyRequest";
		case "stray":
			return undefined;
	}
}

/**
 * The schema of one definition. `isResultTyped` false: resultType may be missing, as in the legacy era and in the
 * dialects that have none.
 */
export function contractSchema(
	definition: Definition,
	{ isResultTyped }: { isResultTyped: boolean },
): Record<string, unknown> {
	const $defs: Record<string, unknown> = {};
	collect(definition, $defs);
	const { CompleteResult } = document.$defs;
	if (!isResultTyped && $defs.CompleteResult)
		$defs.CompleteResult = { ...CompleteResult, required: [] };
	return { $schema: document.$schema, $ref: `#/$defs/${definition}`, $defs };
}

/** Only what is referred to: the whole document takes three times as long to prepare. */
function collect(name: string, found: Record<string, unknown>): void {
	const all: Record<string, unknown> = document.$defs;
	if (name in found || !(name in all)) return;
	found[name] = all[name];
	const text = JSON.stringify(all[name]);
	for (const [, inner = ""] of text.matchAll(/"#\/\$defs\/(\w+)"/g))
		collect(inner, found);
}
