// One thing bent by hand in the reference server: each way in which a rule of push can be broken, and what is said of it.
import { describe, expect, it } from "vitest";
import {
	CUT,
	type Hooks,
	type Json,
	NOTHING,
	type Replacement,
} from "../../src/reference/flaws/flaw.ts";
import {
	onError,
	onNotification,
	onResult,
} from "../../src/reference/flaws/hooks.ts";
import {
	accusedOf,
	gradeEach,
	gradePush,
} from "../grade/push/push-reference.ts";
import { secondLook } from "../grade/second-look.ts";

type Params = (params: Json, message: Json) => Replacement;

const on = (name: string, change: Params): Hooks =>
	onNotification(`notifications/events/${name}`, (params, _about, message) =>
		change(params, message),
	);
const onActive = (change: Params) => on("active", change);
const onEvent = (change: Params) => on("event", change);
const onBeat = (change: Params) => on("heartbeat", change);
const onEnd = (change: (error: Json, params: Json) => Replacement) =>
	on("terminated", (params) => change(params.error, params));
const onClosing = (change: (result: Json) => void) =>
	onResult("events/stream", change);
const onRefused = (
	name: Parameters<typeof onError>[0],
	change: (error: Json) => void,
) =>
	onError(name, (error, { method }) => {
		if (method === "events/stream") change(error);
	});

/** A second active of a stream is that of a gap. */
function onGap(change: Params): Hooks {
	const begun = new WeakSet<object>();
	return onNotification(
		"notifications/events/active",
		(params, { scope }, message) => {
			if (begun.has(scope)) return change(params, message);
			begun.add(scope);
			return undefined;
		},
	);
}

/** What comes on a stream once a notification of this name has. */
function behind(name: string, change: Params): Hooks {
	const begun = new WeakSet<object>();
	return {
		message(message, { scope }) {
			const isIt =
				message.method === `notifications/events/${name}` &&
				message.params.truncated !== false;
			if (isIt) begun.add(scope);
			else if (begun.has(scope) && message.method)
				return change(message.params, message);
			return undefined;
		},
	};
}

/** The events of streams that begin with a cursor; `at` counts from 0. */
function onResumed(change: (at: number, message: Json) => Replacement): Hooks {
	const counts = new WeakMap<object, number>();
	return onNotification(
		"notifications/events/event",
		(_params, { params, scope }, message) => {
			if (typeof params.cursor !== "string") return undefined;
			const at = counts.get(scope) ?? 0;
			counts.set(scope, at + 1);
			return change(at, message);
		},
	);
}

const mend = (change: (params: Json, headers: Json) => void): Hooks => ({
	request({ method, params }, headers) {
		if (method === "events/stream") change(params, headers);
	},
});

const subscription = "io.modelcontextprotocol/subscriptionId";
const say = (method: string, params: object = {}, more: object = {}) => ({
	jsonrpc: "2.0",
	method,
	params,
	...more,
});

const bends: Record<string, [hooks: Hooks, ...accused: string[]]> = {
	"a cursor of the confirmation that is a number": [
		onActive((params) => {
			if (params.truncated === false) params.cursor = 7;
		}),
		"stream-active-confirmation FAILURE",
	],
	"a heartbeat before the confirmation": [
		onActive(({ _meta }, message) => [
			say("notifications/events/heartbeat", { cursor: "v1.x.0", _meta }),
			message,
		]),
		"stream-active-confirmation FAILURE",
	],
	"truncated as text": [
		onActive((params) => {
			if (params.truncated === false) params.truncated = "no";
		}),
		"stream-active-confirmation FAILURE",
	],
	"a stream that ends after its confirmation": [
		onActive((_params, message) => [message, CUT]),
		"stream-implemented FAILURE",
	],
	"an eventId that is a number": [
		onEvent((params) => {
			params.eventId = params.data.n;
		}),
		"stream-event-notification FAILURE",
		"event-id-stable FAILURE",
	],
	"events of another name": [
		onEvent((params) => {
			params.name += ".v2";
		}),
		"stream-event-notification FAILURE",
	],
	"data that is an array": [
		onEvent((params) => {
			params.data = [params.data];
		}),
		"stream-event-notification FAILURE",
	],
	"data that does not fit": [
		onEvent((params) => {
			params.data.text = null;
		}),
		"stream-event-notification FAILURE",
	],
	"a cursor of events that is a number": [
		onEvent((params) => {
			params.cursor = 7;
		}),
		"stream-event-notification FAILURE",
	],
	"a subscription id in the wrong place": [
		onEvent((params) => {
			params.requestId = params._meta[subscription];
			delete params._meta[subscription];
		}),
		"stream-subscription-id-meta FAILURE",
	],
	"terminated after an error": [
		on("error", (params, message) => [
			message,
			say("notifications/events/terminated", params),
		]),
		"stream-error-is-recoverable FAILURE",
	],
	"silence after an error": [
		behind("error", () => NOTHING),
		"stream-error-is-recoverable FAILURE",
	],
	"a gap without truncated": [
		onGap((params) => {
			params.truncated = false;
		}),
		"stream-gap-resends-active FAILURE",
	],
	"a gap with an old cursor": [
		(() => {
			const first = new Map<unknown, unknown>();
			return onActive((params) => {
				const id = params._meta[subscription];
				if (first.has(id)) params.cursor = first.get(id);
				else first.set(id, params.cursor);
			});
		})(),
		"stream-gap-resends-active FAILURE",
	],
	"silence after a gap": [
		behind("active", () => NOTHING),
		"stream-gap-resends-active FAILURE",
	],
	"a stream that ends after a gap": [
		onGap((_params, message) => [message, CUT]),
		"stream-gap-resends-active FAILURE",
	],
	"comments beside heartbeats": [
		{
			frame: (text) =>
				text.includes("events/heartbeat") ? `: alive\n\n${text}` : text,
		},
		"stream-heartbeat-not-sse-comment WARNING",
	],
	"heartbeats with a null cursor": [
		onBeat((params) => {
			params.cursor = null;
		}),
		"stream-heartbeat-carries-cursor WARNING",
	],
	"heartbeats without a cursor": [
		onBeat((params) => {
			delete params.cursor;
		}),
		"stream-heartbeat-carries-cursor FAILURE",
	],
	"a heartbeat whose cursor runs ahead": [
		onBeat((params) => {
			params.cursor = params.cursor?.replace(/\d+$/, (n: string) =>
				String(Number(n) + 2),
			);
		}),
		"heartbeat-cursor-resumes FAILURE",
	],
	"no terminated at all": [
		onEnd(() => NOTHING),
		"stream-terminated-ends-subscription FAILURE",
		"removal-terminates-subscriptions WARNING",
	],
	"a closing result without the subscription id": [
		onClosing((result) => {
			result._meta = {};
		}),
		"stream-final-result-shape FAILURE",
	],
	"a closing result for another subscription": [
		onClosing((result) => {
			result._meta[subscription] = "another";
		}),
		"stream-final-result-shape FAILURE",
	],
	"two closing results": [
		{
			message: (message, { method }) =>
				method === "events/stream" && message.result
					? [message, message]
					: undefined,
		},
		"stream-final-result-timing FAILURE",
	],
	"a heartbeat behind the closing result": [
		{
			message: (message, { method }) =>
				method === "events/stream" && message.result
					? [
							message,
							say("notifications/events/heartbeat", {
								_meta: { [subscription]: message.id },
							}),
						]
					: undefined,
		},
		"stream-final-result-timing FAILURE",
	],
	"a closing result that is partial": [
		onClosing((result) => {
			result.resultType = "partial";
		}),
		"result-type-complete FAILURE",
	],
	"a notice of the catalogue on a stream": [
		onActive((_params, message) => [
			message,
			say("notifications/events/list_changed"),
		]),
		"stream-carries-only-event-notifications FAILURE",
	],
	"a request on a stream": [
		onActive((_params, message) => [message, say("ping", {}, { id: 1 })]),
		"stream-carries-only-event-notifications FAILURE",
	],
	"a response to another request on a stream": [
		onActive((_params, message) => [
			message,
			{ jsonrpc: "2.0", id: "another", result: { resultType: "complete" } },
		]),
		"stream-carries-only-event-notifications FAILURE",
	],
	"another error for an unknown name": [
		onRefused("NotFound", (error) => {
			error.code = -32602;
		}),
		"stream-error-before-open WARNING",
	],
	"a stream for an unknown name": [
		mend((params, headers) => {
			if (!params.name.includes("nonexistent")) return;
			params.name = "conformance.steady";
			headers["mcp-name"] = params.name;
		}),
		"stream-error-before-open FAILURE",
	],
	"a stream of a type without push": [
		mend((params, headers) => {
			if (params.name !== "conformance.poll-only") return;
			params.name = "conformance.steady";
			headers["mcp-name"] = params.name;
		}),
		"stream-mode-unsupported FAILURE",
	],
	"a limit that is not named": [
		onRefused("ResourceExhausted", (error) => {
			delete error.data;
		}),
		"error-resource-exhausted WARNING",
	],
	"a header that is refused under another status": [
		{
			reply(reply) {
				if (reply.body.includes("-32020")) reply.status = 200;
			},
		},
		"mcp-name-missing-rejected FAILURE",
		"mcp-name-mismatch-rejected FAILURE",
	],
	"a header that is refused by another number": [
		{
			message(message, { method }) {
				if (method === "events/stream" && message.error?.code === -32020)
					message.error.code = -32600;
			},
		},
		"mcp-name-missing-rejected FAILURE",
		"mcp-name-mismatch-rejected FAILURE",
	],
	"a removal without data.kind": [
		onEnd((error) => {
			delete error.data.kind;
		}),
		"removal-error-not-found WARNING",
	],
	"a removal of another kind": [
		onEnd((error) => {
			if (error.data.kind) error.data.kind = "subscription";
		}),
		"removal-error-not-found FAILURE",
	],
	"a change as Forbidden": [
		onEnd((error) => {
			if (error.data.reason) error.code = -32024;
		}),
		"removal-error-schema-changed FAILURE",
	],
	"a change of another feature": [
		onEnd((error) => {
			if (error.data.reason) error.data.feature = "delivery";
		}),
		"removal-error-schema-changed FAILURE",
	],
	"an error without a message": [
		on("error", ({ error }) => {
			delete error.message;
		}),
		"error-notification-shape FAILURE",
	],
	"an error whose data is a list": [
		onEnd((error) => {
			error.data = [error.data];
		}),
		"removal-error-not-found WARNING",
		"removal-error-schema-changed FAILURE",
		"error-notification-shape FAILURE",
	],
	"other ids by poll": [
		onResult("events/poll", ({ events }) => {
			for (const event of events) event.eventId += "-polled";
		}),
		"event-id-stable FAILURE",
	],
	"an event left out on a stream with a cursor": [
		onResumed((at) => (at === 0 ? NOTHING : undefined)),
		"resume-exactly-once FAILURE",
		"heartbeat-cursor-resumes FAILURE",
	],
	"the event of the cursor once more": [
		onResumed((at, message) => {
			if (at > 0) return undefined;
			const again = structuredClone(message);
			const { params } = again;
			params.data.n--;
			params.data.text = `event ${params.data.n}`;
			params.eventId = params.eventId.replace(/\d+$/, params.data.n);
			return [again, message];
		}),
		"resume-exactly-once FAILURE",
	],
	"cursors that cannot be used again": [
		mend((params) => {
			if (params.maxAgeMs === undefined && params.cursor !== null)
				params.cursor = "elsewhere";
		}),
		"resume-exactly-once FAILURE",
		"heartbeat-cursor-resumes FAILURE",
	],
	"old events passed over in silence": [
		onNotification("notifications/events/active", (params, about) => {
			if (about.params.maxAgeMs !== undefined) params.truncated = false;
		}),
		"stream-max-age-ms WARNING",
	],
};

const bentBy = (title: string) => {
	const [hooks = {}] = bends[title] ?? [];
	return { hooks };
};
const look = secondLook(await gradeEach(Object.keys(bends), bentBy), (title) =>
	gradePush(bentBy(title)),
);

describe("a server is accused of no more than what it does:", () => {
	it.each(Object.entries(bends))("%s", async (title, [, ...accused]) => {
		const found = await look(title);
		expect(found.defects).toEqual([]);
		const untold = found.report.rows
			.filter(({ verdict }) => verdict !== "SUCCESS")
			.map(({ id, message }) => `${id}: ${message}`);
		expect(accusedOf(found), untold.join("\n")).toEqual(accused);
	});
});
