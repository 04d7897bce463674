// What flaws of webhook subscriptions bend: the two requests, and the answer to the first.

import { isRecord, METHODS } from "../../protocol/index.ts";
import type { RpcRequest } from "../rpc/core.ts";
import type { About, Hooks, Json } from "./flaw.ts";
import { flawOf } from "./flaw-of.ts";
import { onError, onResult } from "./hooks.ts";

/** A flaw of this scenario. */
export const webhookFlaw = flawOf("events-webhook");

/** Of any answer to events/subscribe. */
export function isSubscribe({ method }: Pick<About, "method">): boolean {
	return method === METHODS.subscribe;
}

/** Bends the answer to a subscribe, if it is a result. */
export const onSubscribed = (
	change: (result: Json, about: About) => Json,
): Hooks => onResult(METHODS.subscribe, change);

/** A request of either method as it came in. */
export function onWebhookRequest(
	change: (message: RpcRequest, headers: Record<string, unknown>) => void,
): Hooks {
	return {
		request(message, headers) {
			const { method } = message;
			if (method === METHODS.subscribe || method === METHODS.unsubscribe)
				change(message, headers);
		},
	};
}

/** The `delivery` member; empty where it is none. */
export function deliveryOf(params: Record<string, unknown>) {
	return isRecord(params.delivery) ? params.delivery : {};
}

export const urlOf = ({ params }: Pick<About, "params">) =>
	String(deliveryOf(params).url);

/** The key of a subscription but for its principal. */
export const keyOf = (params: Record<string, unknown>) =>
	JSON.stringify([params.name, params.arguments, urlOf({ params })]);

/** A grant in place of a refusal of a subscribe. */
export function grant(
	isMeant: (about: About, error: Json) => boolean,
	refusal: "InvalidParams" | "Unsupported" | "Forbidden" = "InvalidParams",
): Hooks {
	return {
		message(message, about) {
			if (!isSubscribe(about)) return;
			onError(refusal, (error) => {
				if (!isMeant(about, error)) return;
				delete message.error;
				message.result = {
					resultType: "complete",
					id: "sub_granted",
					refreshBefore: new Date(4e12).toISOString(),
					cursor: null,
					truncated: false,
				};
			}).message?.(message, about);
		},
	};
}
