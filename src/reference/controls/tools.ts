// The fourteen tools of a fixture, as data: what each is called, takes and does. Each answers with one text.
import { isRecord } from "../../protocol/index.ts";
import { invalidParams } from "../refusal.ts";

/** What the tools set going. Refusals are told to whoever called the tool. */
export interface Levers {
	yieldError(name: string): string;
	yieldGap(name: string): string;
	terminate(name: string): Promise<string>;
	changeCatalogue(action: string, name: string): Promise<string>;
	changeAccess(action: string, name: string): string;
	quota(): { name: string; max: number };
	subscribeAs(principal: string, name: string, url: string): Promise<string>;
	isSubscribed(principal: string, name: string, url: string): boolean;
	allowCallbackOrigin(origin: string): void;
	sendGap(id: string): Promise<string | null>;
	terminateWebhook(id: string): Promise<void>;
	stateOf(id: string): string;
	/** Returns the generation to come. */
	restart(): number;
	generation(): number;
}

export interface Tool {
	name: string;
	description: string;
	/** Names of its arguments: all strings, all required. */
	takes: readonly string[];
	/** It works on webhooks, and is not there without them. */
	needsWebhooks: boolean;
	act(levers: Levers, args: Record<string, string>): string | Promise<string>;
}

const PREFIX = "events_conformance_";

function tool(
	name: string,
	takes: readonly string[],
	description: string,
	act: Tool["act"],
): Tool {
	return {
		name: `${PREFIX}${name}`,
		takes,
		description,
		act,
		needsWebhooks: false,
	};
}

const webhookTool = (...parts: Parameters<typeof tool>): Tool => ({
	...tool(...parts),
	needsWebhooks: true,
});

export const TOOLS: readonly Tool[] = [
	tool(
		"yield_error",
		["name"],
		"The upstream of an event type fails for a moment.",
		(levers, { name = "" }) => levers.yieldError(name),
	),
	tool(
		"yield_gap",
		["name"],
		"Events of a type are lost: whoever follows it is told of a gap.",
		(levers, { name = "" }) => levers.yieldGap(name),
	),
	tool(
		"terminate",
		["name"],
		"Ends an event type and every subscription to it until the next restart.",
		(levers, { name = "" }) => levers.terminate(name),
	),
	webhookTool(
		"subscribe_as",
		["principal", "name", "url"],
		"Subscribes another principal by webhook; answers with the id.",
		(levers, { principal = "", name = "", url = "" }) =>
			levers.subscribeAs(principal, name, url),
	),
	webhookTool(
		"subscription_exists",
		["principal", "name", "url"],
		"Whether a principal has that webhook subscription, and it is not suspended.",
		(levers, { principal = "", name = "", url = "" }) =>
			String(levers.isSubscribed(principal, name, url)),
	),
	webhookTool(
		"allow_callback_origin",
		["origin"],
		"Callbacks to this origin may be http and private until the process ends.",
		(levers, { origin = "" }) => {
			levers.allowCallbackOrigin(origin);
			return origin;
		},
	),
	tool(
		"quota",
		[],
		"Names an event type with a cap on subscriptions: JSON with name and max.",
		(levers) => JSON.stringify(levers.quota()),
	),
	webhookTool(
		"webhook_gap",
		["id"],
		"Sends a gap envelope to a webhook subscription; answers with its cursor.",
		async (levers, { id = "" }) => String(await levers.sendGap(id)),
	),
	webhookTool(
		"webhook_terminate",
		["id"],
		"Ends a webhook subscription and sends its terminated envelope.",
		async (levers, { id = "" }) => {
			await levers.terminateWebhook(id);
			return `terminated ${id}`;
		},
	),
	tool(
		"restart",
		[],
		"Begins anew over the same store, as a new process would; sessions end. Answers with the generation to come.",
		(levers) => String(levers.restart()),
	),
	tool("generation", [], "How often the server has begun, from 1.", (levers) =>
		String(levers.generation()),
	),
	webhookTool(
		"subscription_state",
		["id"],
		"active, suspended or absent.",
		(levers, { id = "" }) => levers.stateOf(id),
	),
	tool(
		"catalog",
		["action", "name"],
		"Changes the catalogue: add, alter (adds an optional field), break (retypes a field), remove, or restore an event type.",
		(levers, { action = "", name = "" }) =>
			levers.changeCatalogue(action, name),
	),
	tool(
		"access",
		["action", "name"],
		"Takes the access to an event type from everybody, with revoke, or gives it back, with restore.",
		(levers, { action = "", name = "" }) => levers.changeAccess(action, name),
	),
];

/** One entry of tools/list. */
export const describeTool = ({ name, description, takes }: Tool) => ({
	name,
	description,
	inputSchema: {
		type: "object",
		properties: Object.fromEntries(
			takes.map((argument) => [argument, { type: "string" }]),
		),
		required: [...takes],
	},
});

const LONGEST = 2_000;

/** Refuses (InvalidParams) arguments that the tool does not take as they are. */
export function readArguments(
	{ takes }: Tool,
	value: unknown,
): Record<string, string> {
	const given = value ?? {};
	if (!isRecord(given)) throw invalidParams("arguments must be an object");
	return Object.fromEntries(
		takes.map((argument): [string, string] => {
			const text = given[argument];
			if (typeof text === "string" && text.length <= LONGEST)
				return [argument, text];
			throw invalidParams(`${argument} must be a string`);
		}),
	);
}
