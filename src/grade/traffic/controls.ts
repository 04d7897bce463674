// The control tools of a server under test: ordinary tools that make things happen which no client can ask for.
import { isRecord, METHODS } from "../../protocol/index.ts";
import { type Finding, untestable } from "../finding.ts";
import { type Answer, resultOf, tellAnswer } from "../wire/answer.ts";
import type { Wire } from "../wire/wire.ts";

/** checks.yaml, controls: what each does, and what it answers. */
export const CONTROLS = {
	yieldError: "events_conformance_yield_error",
	yieldGap: "events_conformance_yield_gap",
	terminate: "events_conformance_terminate",
	subscribeAs: "events_conformance_subscribe_as",
	subscriptionExists: "events_conformance_subscription_exists",
	allowCallbackOrigin: "events_conformance_allow_callback_origin",
	quota: "events_conformance_quota",
	webhookGap: "events_conformance_webhook_gap",
	webhookTerminate: "events_conformance_webhook_terminate",
	restart: "events_conformance_restart",
	generation: "events_conformance_generation",
	subscriptionState: "events_conformance_subscription_state",
	catalog: "events_conformance_catalog",
	/** Ours: takes the access to a type away, and gives it back. */
	access: "events_conformance_access",
} as const;

export type ControlName = keyof typeof CONTROLS;

/** `untestable` is ready to be a row's finding: it names the tool. */
export type ControlAnswer =
	| { kind: "text"; text: string; answer: Answer }
	| { kind: "failed"; finding: Finding };

export interface Controls {
	/** Names of all tools of the server, the others too. */
	readonly tools: ReadonlySet<string>;
	has(name: ControlName): boolean;
	/** The finding of a row that needs these; undefined where all are there. */
	missing(...names: ControlName[]): Finding | undefined;
	/** On a connection of its own over HTTP. One that is listed and fails counts as missing. */
	call(
		name: ControlName,
		args: Record<string, unknown>,
	): Promise<ControlAnswer>;
	/** Any tool, such as the one of --trigger-tool. */
	callTool(tool: string, args: Record<string, unknown>): Promise<ControlAnswer>;
}

const MOST_PAGES = 10;
const MOST_TOOLS = 2_000;

/** Asks for the tools once. A server without any simply has no controls. */
export async function openControls(wire: Wire): Promise<Controls> {
	const tools = await listTools(wire);
	const callTool = async (
		tool: string,
		args: Record<string, unknown>,
	): Promise<ControlAnswer> => {
		if (!tools.has(tool)) return { kind: "failed", finding: lacking(tool) };
		const answer = await wire.ask(METHODS.callTool, {
			name: tool,
			arguments: args,
		});
		const text = textOf(answer);
		if (text !== undefined) return { kind: "text", text, answer };
		const why = `it is listed, and answered with ${tellAnswer(answer)}`;
		return {
			kind: "failed",
			finding: untestable({ kind: "control", name: tool }, why, answer),
		};
	};
	return {
		tools,
		has: (name) => tools.has(CONTROLS[name]),
		missing(...names) {
			const absent = names.find((name) => !tools.has(CONTROLS[name]));
			return absent && lacking(CONTROLS[absent]);
		},
		call: (name, args) => callTool(CONTROLS[name], args),
		callTool,
	};
}

const lacking = (tool: string) =>
	untestable(
		{ kind: "control", name: tool },
		"the server does not list it under tools/list",
	);

async function listTools(wire: Wire): Promise<Set<string>> {
	const names = new Set<string>();
	let cursor: unknown;
	for (let page = 0; page < MOST_PAGES && names.size < MOST_TOOLS; page++) {
		const params = typeof cursor === "string" ? { cursor } : {};
		const result = resultOf(await wire.ask(METHODS.listTools, params));
		if (!result || !Array.isArray(result.tools)) break;
		for (const tool of result.tools.slice(0, MOST_TOOLS))
			if (isRecord(tool) && typeof tool.name === "string") names.add(tool.name);
		cursor = result.nextCursor;
		if (typeof cursor !== "string") break;
	}
	return names;
}

/** The text of a tool's answer; undefined where it failed. */
function textOf(answer: Answer): string | undefined {
	const result = resultOf(answer);
	if (!result || result.isError === true) return undefined;
	const [item]: unknown[] = Array.isArray(result.content) ? result.content : [];
	return isRecord(item) && typeof item.text === "string"
		? item.text
		: undefined;
}
