// Flaws of webhook subscriptions: leases, what a refresh does, and where deliveries begin.
import { CORE_CODES, METHODS } from "../../protocol/index.ts";
import type { OutgoingDelivery } from "../webhooks/index.ts";
import type { Flaw, Hooks } from "./flaw.ts";
import { refuse } from "./hooks.ts";
import {
	deliveryOf,
	webhookFlaw as flaw,
	isSubscribe,
	keyOf,
	onSubscribed,
	onWebhookRequest,
	urlOf,
} from "./webhook-hooks.ts";

const DAY_MS = 86_400_000;

export const WEBHOOK_LEASES: readonly Flaw[] = [
	flaw(
		"first-secret-for-good",
		"subscribe-refresh-replaces-secret",
		"goes on with the first secret of a subscription, whatever a refresh brings",
		() => {
			const secrets = new Map<string, unknown>();
			return onWebhookRequest(({ method, params }) => {
				if (method !== METHODS.subscribe) return;
				const delivery = deliveryOf(params);
				const key = keyOf(params);
				const secret = secrets.get(key) ?? delivery.secret;
				secrets.set(key, secret);
				params.delivery = { ...delivery, secret };
			});
		},
	),
	flaw(
		"suspended-for-good",
		"subscribe-refresh-reactivates",
		"sends nothing more after a refresh to a callback that failed before",
		() => {
			const failing = new Set<string>();
			const dead = new Set<string>();
			return {
				...onWebhookRequest(({ params }) => {
					const url = urlOf({ params });
					if (failing.has(url)) dead.add(url);
				}),
				delivery({ url, attempt }) {
					if (attempt > 1) failing.add(url);
					return dead.has(url) ? [] : undefined;
				},
			};
		},
	),
	flaw(
		"lease-of-a-day-more",
		"ttl-refresh-before-lte-suggestion",
		"grants a day more than was suggested",
		onSubscribed((result, { params }) => {
			const { refreshBefore } = result;
			if (typeof params.ttlMs !== "number" || !refreshBefore) return;
			const later = Date.parse(refreshBefore) + DAY_MS;
			result.refreshBefore = new Date(later).toISOString();
		}),
	),
	flaw(
		"refuses-long-leases",
		"ttl-no-rejection-path",
		"refuses a suggestion of more than a week",
		refuse(
			(about) => isSubscribe(about) && Number(about.params.ttlMs) > 7 * DAY_MS,
			{ code: CORE_CODES.InvalidParams, message: "ttlMs is too long" },
		),
	),
	flaw(
		"endless-unasked",
		"ttl-null-only-when-requested",
		"grants no expiry to who suggested a time",
		onSubscribed((result, { params }) => {
			if (typeof params.ttlMs === "number") result.refreshBefore = null;
		}),
	),
	flaw(
		"endless-by-default",
		"ttl-omitted-means-default",
		"grants no expiry to who suggested nothing",
		onSubscribed((result, { params }) => {
			if (params.ttlMs === undefined) result.refreshBefore = null;
		}),
	),
	flaw(
		"long-lease-forgotten",
		"ttl-long-grant-retained",
		"forgets subscriptions with an expiry in a restart",
		() => forgetAtRestart((ttlMs) => ttlMs !== null),
	),
	flaw(
		"endless-forgotten",
		"ttl-no-expiry-persisted",
		"forgets subscriptions without expiry in a restart",
		() => forgetAtRestart((ttlMs) => ttlMs === null),
	),
	flaw(
		"silent-dropping",
		"ttl-no-expiry-gc-terminated",
		"gives up on a dead callback without a word",
		{
			delivery: ({ kind, body }) =>
				kind === "terminated" && body.includes("took no delivery")
					? []
					: undefined,
		},
	),
	flaw(
		"first-lease-for-good",
		"ttl-refresh-regrants",
		"grants a refresh what was granted before, whatever it asks for",
		() => {
			const granted = new Map<string, unknown>();
			return onSubscribed((result, { params }) => {
				const key = keyOf(params);
				if (!result.deliveryStatus) granted.set(key, result.refreshBefore);
				result.refreshBefore = granted.get(key);
			});
		},
	),
	flaw(
		"leases-only-grow",
		"ttl-refresh-regrants",
		"never grants a refresh less than what was granted before",
		() => {
			const granted = new Map<string, string>();
			return onSubscribed((result, { params }) => {
				const { refreshBefore } = result;
				if (refreshBefore === null) return;
				const key = keyOf(params);
				const before = result.deliveryStatus ? granted.get(key) : undefined;
				if (before && before > refreshBefore) result.refreshBefore = before;
				granted.set(key, result.refreshBefore);
			});
		},
	),
	flaw(
		"subscribes-from-now",
		"subscribe-lapsed-uses-cursor",
		"begins every subscription at now, whatever cursor is sent",
		onWebhookRequest(({ params }) => {
			if (params.maxAgeMs === undefined) params.cursor = null;
		}),
	),
	flaw(
		"refresh-rewinds",
		"subscribe-lapsed-uses-cursor",
		"delivers again what was acknowledged when a refresh brings a cursor",
		rewind,
	),
	flaw(
		"age-of-webhooks-ignored",
		"subscribe-max-age-ms",
		"replays to webhooks however old an event is",
		onWebhookRequest(({ params }) => {
			delete params.maxAgeMs;
		}),
	),
	flaw(
		"webhook-gap-untold",
		"subscribe-max-age-ms",
		"does not say in its answer to a subscribe that events were passed over",
		onSubscribed((result) => {
			result.truncated = false;
		}),
	),
];

/** The store has them; what was asked for by their ids finds nothing. */
function forgetAtRestart(isMeant: (ttlMs: unknown) => boolean): Hooks {
	const meant = new Set<unknown>();
	const forgotten = new Set<unknown>();
	return {
		message({ result }, about) {
			const { method, params } = about;
			if (isSubscribe(about) && result && isMeant(params.ttlMs))
				meant.add(result.id);
			if (method !== METHODS.callTool || !result?.content) return;
			if (params.name === "events_conformance_restart")
				for (const id of meant) forgotten.add(id);
			if (params.name !== "events_conformance_subscription_state") return;
			if (forgotten.has(Object(params.arguments).id))
				result.content = [{ type: "text", text: "absent" }];
		},
	};
}

function rewind(): Hooks {
	const sent = new Map<string, OutgoingDelivery[]>();
	const due = new Set<string>();
	return {
		...onSubscribed(({ id, deliveryStatus }, { params }) => {
			if (deliveryStatus && typeof params.cursor === "string") due.add(id);
		}),
		delivery(delivery) {
			const { subscriptionId: id, kind } = delivery;
			const old = sent.get(id) ?? [];
			if (due.delete(id)) return [...old, delivery];
			if (kind === "event" && old.length < 3)
				sent.set(id, [...old, { ...delivery }]);
			return undefined;
		},
	};
}
