// Webhook as one of the modes that are compared: a subscription with a callback path of its own, that takes everything.
import { Gate } from "../finding.ts";
import { isEvent } from "../receiving/callback-request.ts";
import { type CallbackPlace, refusedCallback } from "../receiving/receiving.ts";
import {
	openSubscriptions,
	type Subscribed,
	type Subscriptions,
} from "../receiving/subscriptions.ts";
import { tellAnswer } from "../wire/answer.ts";
import { leftOut, type Opened, type Opening } from "./way.ts";

/** Throws the fault of an address that cannot be opened. */
export async function openByWebhook(opening: Opening): Promise<Opened> {
	const { context, wire } = opening;
	let place: CallbackPlace;
	try {
		place = await context.receiving.open(context);
	} catch (error) {
		if (error instanceof Gate) return leftOut(error.finding);
		throw error;
	}
	const subscriptions = openSubscriptions(wire);
	return subscribeAt(place, opening, subscriptions);
}

async function subscribeAt(
	place: CallbackPlace,
	{ subject, cursor }: Opening,
	{ subscribe, releaseAll }: Subscriptions,
): Promise<Opened> {
	const path = place.openPath();
	let sub = await subscribe({ subject, url: path.url, params: { cursor } });
	const isRefused = !sub.result && cursor !== null;
	if (isRefused) sub = await sub.again({ params: { cursor: null } });
	const { result, answer } = sub;
	if (!result) {
		await releaseAll();
		const why = `the subscribe was answered with ${tellAnswer(answer)}`;
		return leftOut(refusedCallback(place, why, answer));
	}
	let seen = 0;
	return {
		kind: "open",
		way: {
			mode: "webhook",
			cursor: cursorOf(sub),
			isFromPosition:
				cursor !== null && !isRefused && result.truncated !== true,
			opening: answer,
			look(window, log) {
				const fresh = path.requests.slice(seen);
				seen += fresh.length;
				for (const request of fresh) {
					const { kind, json, atMs, record } = request;
					if (isEvent(request) && json)
						window.take(log, { event: json, at: atMs, cite: record[0] });
					if (kind === "gap") log.hasGap = true;
					if (kind === "terminated")
						log.lost = "the server ended the subscription";
				}
				if (path.isFull)
					log.lost ??= `more than the ${path.requests.length} requests that are kept were made`;
			},
			close: releaseAll,
		},
	};
}

function cursorOf({ result }: Subscribed): string | undefined {
	return typeof result?.cursor === "string" ? result.cursor : undefined;
}
