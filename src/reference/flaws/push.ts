// Flaws of push, first part: what a stream tells while it stands.

import { META, NOTIFICATIONS } from "../../protocol/index.ts";
import { CUT, type Flaw, type Hooks, type Json, NOTHING } from "./flaw.ts";
import { flawOf } from "./flaw-of.ts";
import { onNotification } from "./hooks.ts";

/** A flaw of this scenario. */
export const pushFlaw = flawOf("events-push");

export const PUSH: readonly Flaw[] = [
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
		"active-of-another-json-rpc",
		"wire-schema-valid",
		"writes the confirmation of a stream as JSON-RPC 2.1",
		onNotification(NOTIFICATIONS.active, (_params, _about, message) => {
			message.jsonrpc = "2.1";
		}),
	),
];

function onEventNotifications(change: (params: Json) => void): Hooks {
	return {
		message({ method, params }) {
			if (method?.startsWith("notifications/events/") && params?._meta)
				change(params);
		},
	};
}
