// Flaws of webhook subscriptions: what tells one from another, and how they end.
import {
	CORE_CODES,
	canonicalJson,
	isRecord,
	METHODS,
} from "../../protocol/index.ts";
import type { Flaw, Hooks } from "./flaw.ts";
import { onResult } from "./hooks.ts";
import {
	deliveryOf,
	webhookFlaw as flaw,
	isSubscribe,
	onSubscribed,
	onWebhookRequest,
	urlOf,
} from "./webhook-hooks.ts";

/** The lease by which a subscription is known here. */
const HOUR_MS = 3_600_000;

export const WEBHOOK_KEYS: readonly Flaw[] = [
	flaw(
		"arguments-ignored",
		"subscribe-key-composition",
		"tells subscriptions apart by principal, URL and name alone",
		onWebhookRequest(({ params }) => {
			params.arguments = {};
		}),
	),
	flaw(
		"arguments-by-order",
		"subscribe-key-composition",
		"takes the same arguments in another order for others",
		onSubscribed((result, { params }) => {
			if (canonicalJson(params.arguments) !== JSON.stringify(params.arguments))
				result.id = `${result.id}-unsorted`;
		}),
	),
	flaw(
		"deliveries-moved",
		"subscribe-key-immutable",
		"moves the deliveries of a subscription to the URL of a later one with the same secret",
		moveDeliveries,
	),
	flaw(
		"id-by-refresh",
		"subscribe-idempotent-upsert",
		"gives a subscription another id with each refresh",
		() => {
			let count = 0;
			return onSubscribed((result) => {
				if (result.deliveryStatus) result.id = `${result.id}-${++count}`;
			});
		},
	),
	flaw(
		"id-as-number",
		"subscribe-id-derived",
		"answers a subscribe with a number for its id",
		onSubscribed((result) => {
			result.id = 7;
		}),
	),
	flaw(
		"id-by-run",
		"subscribe-id-derived",
		"derives ids from its run, so that a restart changes them",
		() => {
			let run = 1;
			return {
				message(message, about) {
					const { method, params } = about;
					if (
						method === METHODS.callTool &&
						params.name === "events_conformance_restart"
					)
						run++;
					if (run > 1 && isSubscribe(about) && message.result)
						message.result.id += `-${run}`;
				},
			};
		},
	),
	flaw(
		"id-as-input",
		"subscribe-id-not-an-input",
		"gives a subscription the id that the request names",
		onSubscribed((result, { params }) => {
			if (typeof params.id === "string") result.id = params.id;
		}),
	),
	flaw(
		"unsubscribe-by-id",
		"subscribe-id-not-an-input",
		"ends the subscription whose id an unsubscribe names, whatever its URL",
		endById,
	),
	flaw(
		"id-of-another-principal",
		"subscribe-cross-tenant-isolation",
		"gives another principal the id of who subscribed to the same before",
		shareIds,
	),
	flaw(
		"unsubscribe-in-vain",
		"unsubscribe-by-key",
		"answers an unsubscribe as if it ended something, and delivers on",
		unsubscribeInVain,
	),
	flaw(
		"hour-not-found",
		"unsubscribe-by-key",
		"does not find a subscription again that asked for an hour",
		() => {
			const known = new Set<string>();
			return {
				...onSubscribed((_result, { params }) => {
					if (params.ttlMs === HOUR_MS) known.add(urlOf({ params }));
				}),
				...onWebhookRequest(({ method, params }) => {
					if (method === METHODS.unsubscribe && known.has(urlOf({ params })))
						params.delivery = { url: `${urlOf({ params })}/none` };
				}),
			};
		},
	),
	flaw(
		"unsubscribe-of-nothing",
		"unsubscribe-unknown-not-found",
		"answers an unsubscribe of what was never subscribed with success",
		{
			message(message, { method }) {
				if (method !== METHODS.unsubscribe || !message.error) return;
				if (message.error.data?.kind !== "subscription") return;
				delete message.error;
				message.result = { resultType: "complete" };
			},
		},
	),
	flaw(
		"unsubscribe-tells-more",
		"unsubscribe-result-empty",
		"answers an unsubscribe with more than an empty result",
		onResult(METHODS.unsubscribe, (result) => {
			result.unsubscribed = true;
		}),
	),
	flaw(
		"ended-for-good",
		"subscribe-after-termination",
		"refuses the key of a subscription that it ended",
		() => {
			const ended = new Set<unknown>();
			return {
				message(message, about) {
					const { method, params } = about;
					if (isSubscribe(about) && ended.has(message.result?.id)) {
						delete message.result;
						const text = "the subscription has ended";
						message.error = { code: CORE_CODES.InvalidParams, message: text };
					}
					if (method !== METHODS.callTool) return;
					if (params.name === "events_conformance_webhook_terminate")
						ended.add(Object(params.arguments).id);
				},
			};
		},
	),
];

function moveDeliveries(): Hooks {
	const urls = new Map<unknown, string>();
	const secrets = new Map<string, unknown>();
	return {
		...onSubscribed(({ id }, about) => {
			const { secret } = deliveryOf(about.params);
			urls.set(secret, urlOf(about));
			secrets.set(id, secret);
		}),
		delivery(delivery) {
			const secret = secrets.get(delivery.subscriptionId);
			delivery.url = urls.get(secret) ?? delivery.url;
		},
	};
}

function endById(): Hooks {
	const urls = new Map<unknown, string>();
	return {
		...onSubscribed(({ id }, about) => {
			urls.set(id, urlOf(about));
		}),
		...onWebhookRequest(({ method, params }) => {
			const url = urls.get(params.id);
			if (method === METHODS.unsubscribe && url !== undefined)
				params.delivery = { ...deliveryOf(params), url };
		}),
	};
}

function shareIds(): Hooks {
	const ids = new Map<string, string>();
	const keyOf = (name: unknown, url: unknown) => JSON.stringify([name, url]);
	return {
		message({ result }, about) {
			const { method, params } = about;
			const args = isRecord(params.arguments) ? params.arguments : {};
			if (isSubscribe(about) && result)
				ids.set(keyOf(params.name, urlOf(about)), result.id);
			if (method !== METHODS.callTool || !result?.content) return;
			if (params.name !== "events_conformance_subscribe_as") return;
			const id = ids.get(keyOf(args.name, args.url));
			if (id !== undefined) result.content = [{ type: "text", text: id }];
		},
	};
}

/** Keys that were subscribed are answered with success, and nothing happens. */
function unsubscribeInVain(): Hooks {
	const known = new Set<string>();
	const NOWHERE = "/none";
	return {
		...onWebhookRequest(({ method, params }) => {
			if (method === METHODS.unsubscribe && known.has(urlOf({ params })))
				params.delivery = { url: `${urlOf({ params })}${NOWHERE}` };
		}),
		message(message, about) {
			const { method } = about;
			if (isSubscribe(about) && message.result) known.add(urlOf(about));
			if (method !== METHODS.unsubscribe || !message.error) return;
			if (!urlOf(about).endsWith(NOWHERE)) return;
			delete message.error;
			message.result = { resultType: "complete" };
		},
	};
}
