// Flaws of push, second part: which streams open, how many at once, and what the others are refused with.
import { HEADERS, METHODS } from "../../protocol/index.ts";
import { Refusal } from "../refusal.ts";
import type { SourceType } from "../source.ts";
import type { Flaw, Hooks, Json } from "./flaw.ts";
import { codeLike, onError } from "./hooks.ts";
import { pushFlaw } from "./push.ts";

export const PUSH_REFUSALS: readonly Flaw[] = [
	pushFlaw("no-streams", "stream-implemented", "knows no events/stream", {
		request(message, headers) {
			if (message.method !== METHODS.stream) return;
			message.method = "none";
			// Else it would be the header that is refused.
			if (HEADERS.method in headers) headers[HEADERS.method] = "none";
		},
	}),
	pushFlaw(
		"empty-result-for-unknown",
		"stream-error-before-open",
		"answers a stream of an unknown event type with an empty result",
		{
			message(message, { method, era }) {
				if (method !== METHODS.stream || message.error?.data?.kind !== "event")
					return;
				delete message.error;
				message.result = era === "modern" ? { resultType: "complete" } : {};
			},
		},
	),
	pushFlaw(
		"keeps-places",
		"stream-cancel-stops-delivery",
		"counts cancelled streams against the cap of an event type",
		() => {
			const opened = new Map<string, number>();
			return onWatchers(({ descriptor: { name }, limits }) => {
				const max = limits?.subscriptions;
				const count = (opened.get(name) ?? 0) + 1;
				opened.set(name, count);
				if (max !== undefined && count > max)
					throw tooMany("subscriptions", max);
			});
		},
	),
	pushFlaw(
		"streams-count-as-requests",
		"stream-exempt-from-concurrency-cap",
		"counts streams against a cap of two requests at once",
		() => {
			const open = new Map<string, number>();
			return onWatchers(({ descriptor: { name } }) => {
				const count = (open.get(name) ?? 0) + 1;
				if (count > MOST_REQUESTS) throw tooMany("requests", MOST_REQUESTS);
				open.set(name, count);
				return () => open.set(name, (open.get(name) ?? 0) - 1);
			});
		},
	),
	pushFlaw(
		"mode-not-found",
		"stream-mode-unsupported",
		"answers a stream of an event type without push with NotFound",
		onStreamError("Unsupported", (error) => {
			error.code = codeLike(error.code, "NotFound");
		}),
	),
	pushFlaw(
		"limit-as-forbidden",
		"error-resource-exhausted",
		"refuses one stream too many with Forbidden",
		onStreamError("ResourceExhausted", (error) => {
			error.code = codeLike(error.code, "Forbidden");
		}),
	),
	pushFlaw(
		"stream-name-header-unneeded",
		"mcp-name-missing-rejected",
		"opens streams without an Mcp-Name header",
		{
			request({ method, params }, headers) {
				if (method === METHODS.stream && HEADERS.method in headers)
					headers[HEADERS.name] ??= String(params.name);
			},
		},
	),
	pushFlaw(
		"stream-name-header-unread",
		"mcp-name-mismatch-rejected",
		"opens streams whose Mcp-Name header names another event type",
		{
			request({ method, params }, headers) {
				if (method === METHODS.stream && HEADERS.name in headers)
					headers[HEADERS.name] = String(params.name);
			},
		},
	),
];

const MOST_REQUESTS = 2;

const tooMany = (limit: string, max: number) =>
	new Refusal("ResourceExhausted", `too many ${limit} are open`, {
		data: { limit, max },
	});

function onStreamError(
	name: Parameters<typeof onError>[0],
	change: (error: Json) => void,
): Hooks {
	return onError(name, (error, { method }) => {
		if (method === METHODS.stream) change(error);
	});
}

/** Told of each stream before it reads for the first time; may refuse it, and is told of its end by what it returns. */
function onWatchers(
	begin: (type: SourceType) => (() => void) | undefined,
): Hooks {
	return {
		type(type) {
			let refusal: unknown;
			// Nothing is awaited between the watching and the first look.
			const refuse = () => {
				const refused = refusal;
				refusal = undefined;
				if (refused) throw refused;
			};
			return {
				...type,
				watch(args, wake) {
					let end: (() => void) | undefined;
					try {
						end = begin(type);
					} catch (error) {
						refusal = error;
					}
					const leave = type.watch(args, wake);
					return () => {
						end?.();
						leave();
					};
				},
				head(args) {
					refuse();
					return type.head(args);
				},
				read(request) {
					refuse();
					return type.read(request);
				},
			};
		},
	};
}
