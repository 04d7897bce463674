// Flaws of the cursors of deliveries: ahead of what was taken, behind it for good, or leading nowhere.
import { isRecord, METHODS, WEBHOOK_HEADERS } from "../../protocol/index.ts";
import {
	bendBody,
	deliveryFlaw,
	inPlaceOfEvent,
	onEvent,
} from "./delivery-flaw.ts";
import type { Flaw } from "./flaw.ts";
import { onResult, resign } from "./hooks.ts";

const EVENTS_TWICE = 5;

export const DELIVERY_POSITIONS: readonly Flaw[] = [
	deliveryFlaw(
		"cursor-runs-ahead",
		"delivery-cursor-safe-watermark",
		"sends each event with its own position, whatever became of those before",
		{ deliveryCursor: (_safe, own) => own },
	),
	deliveryFlaw(
		"cursor-stuck",
		"delivery-cursor-after-exhaustion",
		"sends the same cursor for ever once an event had to be sent again",
		() => {
			const last = new Map<string, unknown>();
			const stuck = new Set<string>();
			return onEvent((delivery) => {
				const { subscriptionId, attempt } = delivery;
				if (attempt > 1) stuck.add(subscriptionId);
				bendBody(delivery, (body) => {
					if (stuck.has(subscriptionId)) body.cursor = last.get(subscriptionId);
					else last.set(subscriptionId, body.cursor);
				});
			});
		},
	),
	deliveryFlaw(
		"resumes-twice",
		"resume-exactly-once",
		"delivers the first few events twice to a subscription that begins at a cursor",
		() => {
			const left = new Map<string, number>();
			return {
				request({ method, params: { cursor, delivery } }) {
					const isResumed =
						method === METHODS.subscribe && typeof cursor === "string";
					if (isResumed && isRecord(delivery))
						left.set(String(delivery.url), EVENTS_TWICE);
				},
				...inPlaceOfEvent((delivery) => {
					const count = left.get(delivery.url) ?? 0;
					if (count === 0) return undefined;
					left.set(delivery.url, count - 1);
					const headers = { ...delivery.headers };
					headers[WEBHOOK_HEADERS.id] += "-again";
					const again = { ...delivery, headers };
					resign(again);
					return [delivery, again];
				}),
			};
		},
	),
	deliveryFlaw(
		"refresh-cursor-unusable",
		"refresh-cursor-resumes",
		"answers a refresh with a cursor that it does not know",
		onResult(METHODS.subscribe, (result) => {
			if (result.deliveryStatus) result.cursor = "no cursor of this server";
		}),
	),
];
