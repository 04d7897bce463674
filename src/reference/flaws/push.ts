// Flaws of push, first part: how a stream opens, what it tells while it stands, and what it is refused with.
import { HEADERS, META, METHODS, NOTIFICATIONS } from "../../protocol/index.ts";
import { Refusal } from "../refusal.ts";
import type { SourceType } from "../source.ts";
import { CUT, type Flaw, type Hooks, type Json, NOTHING } from "./flaw.ts";
import { codeLike, onError, onNotification } from "./hooks.ts";

/** A flaw of this scenario: its name, the rule that it breaks, what it does, and how. */
export const pushFlaw = (
	name: string,
	rule: string,
	about: string,
	hooks: Hooks | (() => Hooks),
): Flaw => ({
	name,
	scenario: "events-push",
	rule,
	about,
	make: typeof hooks === "function" ? hooks : () => hooks,
});

export const PUSH: readonly Flaw[] = [
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
		"truncated-only-when-true",
		"stream-active-confirmation",
		"leaves truncated out of the confirmation of a stream where it is false",
		onNotification(NOTIFICATIONS.active, (params) => {
			if (params.truncated === false) delete params.truncated;
		}),
	),
	pushFlaw(
		"subscription-id-as-text",
		"stream-subscription-id-meta",
		"writes the subscription id of a stream as text where the request had a number",
		onEventNotifications((params) => {
			params._meta[META.subscriptionId] = String(
				params._meta[META.subscriptionId],
			);
		}),
	),
	pushFlaw(
		"stream-time-without-zone",
		"stream-event-notification",
		"writes the timestamps of events on streams without a zone",
		onNotification(NOTIFICATIONS.event, (params) => {
			params.timestamp = params.timestamp.replace(/Z$|[+-]\d\d:\d\d$/, "");
		}),
	),
	pushFlaw(
		"error-cuts-stream",
		"stream-error-is-recoverable",
		"breaks a stream off after an error that passes",
		onNotification(NOTIFICATIONS.error, (_params, _about, message) => [
			message,
			CUT,
		]),
	),
	pushFlaw(
		"gap-untold",
		"stream-gap-resends-active",
		"says nothing of a gap in the middle of a stream",
		() => {
			const begun = new WeakSet<object>();
			return onNotification(NOTIFICATIONS.active, (_params, { scope }) => {
				if (begun.has(scope)) return NOTHING;
				begun.add(scope);
				return undefined;
			});
		},
	),
	pushFlaw(
		"never-beats",
		"stream-heartbeat-required",
		"sends no heartbeat on any stream, whatever else it sends",
		onNotification(NOTIFICATIONS.heartbeat, () => NOTHING),
	),
	pushFlaw(
		"heartbeat-cursor-as-number",
		"stream-heartbeat-carries-cursor",
		"writes the cursor of heartbeats as a number",
		onNotification(NOTIFICATIONS.heartbeat, (params) => {
			params.cursor = 7;
		}),
	),
	pushFlaw(
		"every-second-heartbeat",
		"stream-heartbeat-interval",
		"leaves every second heartbeat of a stream out, the first one too",
		() => {
			const beats = new WeakMap<object, number>();
			return onNotification(NOTIFICATIONS.heartbeat, (_params, { scope }) => {
				const count = (beats.get(scope) ?? 0) + 1;
				beats.set(scope, count);
				return count % 2 === 1 ? NOTHING : undefined;
			});
		},
	),
	pushFlaw(
		"heartbeat-as-comment",
		"stream-heartbeat-not-sse-comment",
		"writes comment lines in place of heartbeats",
		{
			frame: (text) =>
				text.startsWith("data:") &&
				text.includes(`"method":"${NOTIFICATIONS.heartbeat}"`)
					? ": keepalive\n\n"
					: text,
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
		"log-on-stream",
		"stream-carries-only-event-notifications",
		"writes log messages among the events of a stream",
		onNotification(NOTIFICATIONS.event, (_params, _about, message) => [
			{
				jsonrpc: "2.0",
				method: "notifications/message",
				params: { level: "info", data: "an event is sent" },
			},
			message,
		]),
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
	pushFlaw(
		"active-of-another-json-rpc",
		"wire-schema-valid",
		"writes the confirmation of a stream as JSON-RPC 2.1",
		onNotification(NOTIFICATIONS.active, (_params, _about, message) => {
			message.jsonrpc = "2.1";
		}),
	),
];

const MOST_REQUESTS = 2;

const tooMany = (limit: string, max: number) =>
	new Refusal("ResourceExhausted", `too many ${limit} are open`, {
		data: { limit, max },
	});

function onEventNotifications(change: (params: Json) => void): Hooks {
	return {
		message({ method, params }) {
			if (method?.startsWith("notifications/events/") && params?._meta)
				change(params);
		},
	};
}

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
