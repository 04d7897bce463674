// What every check of webhook subscriptions begins with: a callback of ours, and one subscription that is held.
import type { GradeContext } from "../context.ts";
import { type Finding, untestable } from "../finding.ts";
import type { Behaviour } from "../receiving/behaviour.ts";
import type { CallbackPath } from "../receiving/callback-path.ts";
import {
	type CallbackRequest,
	isEvent,
} from "../receiving/callback-request.ts";
import type { CallbackPlace } from "../receiving/receiving.ts";
import {
	openSubscriptions,
	type Subscribed,
	type SubscribeWish,
	type Subscriptions,
} from "../receiving/subscriptions.ts";
import { type Check, checkRow } from "../scenario.ts";
import type { Subject } from "../traffic/subject.ts";
import { fireTrigger } from "../traffic/trigger.ts";
import { SIZES } from "../waits.ts";
import { errorOf, tellAnswer } from "../wire/answer.ts";

/** A URL to subscribe, and what comes to it. Where nothing of ours can be called, nothing does. */
export interface Callback {
	url: string;
	path: CallbackPath;
}

export interface WebhookGround {
	place: CallbackPlace;
	/** The first event type that offers webhook. */
	subject: Subject;
	/** The one that the scenario begins with, for an hour. */
	main: Subscribed;
	mainPath: CallbackPath;
	/** Whether the callbacks lead to this machine; else to a name that never resolves. */
	isReachable: boolean;
	newCallback(behaviour?: Behaviour): Callback;
	/** Subscribes the subject unless the wish says otherwise. */
	subscribe(wish: Wish): Promise<Subscribed>;
	/** The first event of the main subscription; undefined where none came. Waited for once. */
	firstEvent(): Promise<CallbackRequest | undefined>;
	/** Makes an event happen where the user said how, and waits for one at this path. */
	nextEvent(
		path: CallbackPath,
		fits?: (request: CallbackRequest) => boolean,
		from?: number,
	): Promise<CallbackRequest | undefined>;
	subscriptions: Subscriptions;
}

export type Wish = Omit<SubscribeWish, "subject"> & Partial<SubscribeWish>;

/** Never resolves: for servers that cannot be led to this machine. */
const PLACEHOLDER = "https://conformance.invalid/mcp-events/";

export async function openWebhookGround(
	context: GradeContext,
): Promise<WebhookGround> {
	const subject = await context.subjects.first("webhook");
	const place = await context.receiving.open(context);
	const subscriptions = openSubscriptions(context.wire);
	const subscribe = (wish: Wish) =>
		subscriptions.subscribe({ subject, ...wish });
	const mainPath = place.openPath();
	const params = { ttlMs: SIZES.ttlSuggestionMs };
	let main = await subscribe({ url: mainPath.url, params });
	const isReachable = main.result !== undefined || !place.lacking;
	const urlOf = ({ url }: CallbackPath) =>
		isReachable ? url : `${PLACEHOLDER}${context.unique()}`;
	if (!isReachable) main = await subscribe({ url: urlOf(mainPath), params });
	const nextEvent: WebhookGround["nextEvent"] = async (
		path,
		fits = isEvent,
		from = path.requests.length,
	) => {
		await fireTrigger(context.controls, context.options.trigger);
		return await path.waitFor(fits, context.waits.occurrenceMs, from);
	};
	let first: Promise<CallbackRequest | undefined> | undefined;
	return {
		...{ place, subject, main, mainPath, isReachable, subscriptions },
		...{ subscribe, nextEvent },
		newCallback(behaviour) {
			const path = place.openPath(behaviour);
			return { path, url: urlOf(path) };
		},
		firstEvent() {
			first ??=
				main.result && isReachable
					? nextEvent(mainPath, isEvent, 0)
					: Promise.resolve(undefined);
			return first;
		},
	};
}

/** A check of a row that needs a server which takes a well-formed subscribe. */
export function subscribedRow(
	id: string,
	run: (context: GradeContext, ground: WebhookGround) => Promise<Finding>,
	more: Omit<Check<WebhookGround>, "ids" | "run"> = {},
): Check<WebhookGround> {
	return checkRow(
		id,
		async (context, ground) =>
			ground.main.result
				? await run(context, ground)
				: notTaken(ground, ground.main),
		more,
	);
}

/** The finding of a row that needed a subscription which was not granted. */
export function notTaken(
	{ place, isReachable }: WebhookGround,
	{ answer }: Subscribed,
): Finding {
	if (!isReachable && place.lacking) return place.lacking;
	const isFull = errorOf(answer)?.name === "ResourceExhausted";
	return untestable(
		isFull
			? { kind: "feature", name: "room for one more subscription" }
			: { kind: "answer", name: "a well-formed events/subscribe" },
		`it was answered with ${tellAnswer(answer)}`,
		answer,
	);
}

/** The finding of a row that needs deliveries, where none came. */
export function noDeliveries(
	{ place, isReachable, subject }: WebhookGround,
	why = "nothing was delivered to the subscription",
): Finding {
	if (!isReachable && place.lacking) return place.lacking;
	return untestable(
		{
			kind: "traffic",
			name: `events of ${subject.name} while the run lasts (--trigger-tool NAME can make some)`,
		},
		why,
	);
}
