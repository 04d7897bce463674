// Flaws of push, third part: how a stream ends, and where it begins again.
import { META, METHODS, NOTIFICATIONS } from "../../protocol/index.ts";
import { ADDED_FIELD } from "../controls/change-type.ts";
import {
	type About,
	CUT,
	type Flaw,
	type Hooks,
	type Json,
	NOTHING,
	type Replacement,
} from "./flaw.ts";
import { codeLike, onNotification, onResult } from "./hooks.ts";
import { pushFlaw } from "./push.ts";

export const PUSH_ENDINGS: readonly Flaw[] = [
	pushFlaw(
		"goes-on-after-terminated",
		"stream-terminated-ends-subscription",
		"sends the last event of a stream once more after terminated",
		() => {
			const last = new WeakMap<object, Json>();
			return {
				message(message, { scope }) {
					if (message.method === NOTIFICATIONS.event)
						last.set(scope, structuredClone(message));
					const event = last.get(scope);
					return message.method === NOTIFICATIONS.terminated && event
						? [message, event]
						: undefined;
				},
			};
		},
	),
	pushFlaw(
		"closing-result-with-count",
		"stream-final-result-shape",
		"puts a count of events into the closing result of a stream",
		onResult(METHODS.stream, (result) => {
			result.events = 0;
		}),
	),
	pushFlaw(
		"no-closing-result",
		"stream-final-result-timing",
		"sends a last heartbeat in place of the closing result of a stream",
		{
			message(message, { method }) {
				if (method !== METHODS.stream || !message.result) return undefined;
				return {
					jsonrpc: "2.0",
					method: NOTIFICATIONS.heartbeat,
					params: {
						cursor: null,
						_meta: { [META.subscriptionId]: message.id },
					},
				};
			},
		},
	),
	pushFlaw(
		"no-result-type-in-closing",
		"result-type-complete",
		"leaves resultType out of the closing result of a stream",
		onResult(METHODS.stream, (result) => {
			delete result.resultType;
		}),
	),
	pushFlaw(
		"error-code-as-text",
		"error-notification-shape",
		"writes the code in an error notification as text",
		onNotification(NOTIFICATIONS.error, ({ error }) => {
			error.code = String(error.code);
		}),
	),
	pushFlaw(
		"gap-without-replay",
		"truncated-false-when-no-replay",
		"confirms streams of event types without replay as truncated",
		onNotification(NOTIFICATIONS.active, (params) => {
			if (params.cursor === null) params.truncated = true;
		}),
	),
	pushFlaw(
		"changes-untold",
		"removal-terminates-subscriptions",
		"ends the streams of an event type that changes in place without terminated",
		onNotification(NOTIFICATIONS.terminated, ({ error }) =>
			error.data?.reason === "schema_changed" ? NOTHING : undefined,
		),
	),
	pushFlaw(
		"removal-untold-to-webhooks",
		"removal-terminates-subscriptions",
		"ends the webhook subscriptions of an event type that goes away without a terminated envelope",
		{
			delivery: ({ kind, body }) =>
				kind === "terminated" && JSON.parse(body).error.data?.kind === "event"
					? []
					: undefined,
		},
	),
	pushFlaw(
		"stream-removed-as-forbidden",
		"removal-error-not-found",
		"ends the streams of an event type that goes away with Forbidden",
		onNotification(NOTIFICATIONS.terminated, ({ error }) => {
			if (error.data?.kind === "event")
				error.code = codeLike(error.code, "Forbidden");
		}),
	),
	pushFlaw(
		"change-without-reason",
		"removal-error-schema-changed",
		"ends the streams of an event type that changes in place without a reason",
		onNotification(NOTIFICATIONS.terminated, ({ error }) => {
			delete error.data?.reason;
		}),
	),
	pushFlaw(
		"ends-on-addition",
		"removal-additive-no-terminate",
		"ends the streams of an event type when a field is added to it",
		endOnAddition,
	),
	pushFlaw(
		"resumed-pairs-swapped",
		"events-in-order",
		"sends every second event before the one that came first, on streams with a cursor",
		() => {
			const held = new WeakMap<object, Json>();
			return onResumedEvents((message, { scope }) => {
				const first = held.get(scope);
				if (!first) {
					held.set(scope, structuredClone(message));
					return NOTHING;
				}
				held.delete(scope);
				return [message, first];
			});
		},
	),
	pushFlaw(
		"new-ids-on-resume",
		"event-id-stable",
		"gives events another eventId on streams with a cursor",
		onResumedEvents(({ params }) => {
			params.eventId += "-again";
			return undefined;
		}),
	),
	pushFlaw(
		"resumed-twice",
		"resume-exactly-once",
		"sends the first event twice on streams with a cursor",
		() => {
			const begun = new WeakSet<object>();
			return onResumedEvents((message, { scope }) => {
				if (begun.has(scope)) return undefined;
				begun.add(scope);
				return [message, structuredClone(message)];
			});
		},
	),
	pushFlaw(
		"stream-age-ignored",
		"stream-max-age-ms",
		"does not look at the maxAgeMs of a stream",
		{
			request({ method, params }) {
				if (method === METHODS.stream) delete params.maxAgeMs;
			},
		},
	),
	pushFlaw(
		"heartbeat-cursor-useless",
		"heartbeat-cursor-resumes",
		"puts cursors into heartbeats that no stream can begin with",
		onNotification(NOTIFICATIONS.heartbeat, (params) => {
			if (typeof params.cursor === "string") params.cursor = "here";
		}),
	),
];

/** Bends the events of streams that began with a cursor. */
function onResumedEvents(
	change: (message: Json, about: About) => Replacement,
): Hooks {
	return onNotification(NOTIFICATIONS.event, (_params, about, message) =>
		typeof about.params.cursor === "string"
			? change(message, about)
			: undefined,
	);
}

/** The next event of such a stream is terminated in its place. */
function endOnAddition(): Hooks {
	const grown = new Set<string>();
	return {
		type(type) {
			const { name, payloadSchema } = type.descriptor;
			if (ADDED_FIELD in Object(payloadSchema.properties)) grown.add(name);
			else grown.delete(name);
			return type;
		},
		message(message, { params }) {
			if (message.method !== NOTIFICATIONS.event) return undefined;
			if (!grown.has(String(params.name))) return undefined;
			const { _meta } = message.params;
			const error = {
				code: codeLike(-32023, "Unsupported"),
				message: "a field was added",
				data: { feature: "payloadSchema", reason: "schema_changed" },
			};
			return [
				{
					jsonrpc: "2.0",
					method: NOTIFICATIONS.terminated,
					params: { error, _meta },
				},
				CUT,
			];
		},
	};
}
