// Where deliveries begin: at the cursor that is sent for a new subscription, and nowhere else for a live one; not
// before maxAgeMs (events.md 6 and 7).
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import type { CallbackPath } from "../receiving/callback-path.ts";
import {
	type CallbackRequest,
	eventIdOf,
	isEvent,
} from "../receiving/callback-request.ts";
import type { Subscribed } from "../receiving/subscriptions.ts";
import type { Check } from "../scenario.ts";
import { SIZES } from "../waits.ts";
import { tellAnswer } from "../wire/answer.ts";
import {
	noDeliveries,
	notTaken,
	subscribedRow,
	type WebhookGround,
} from "./ground.ts";
import { leaseOf } from "./leases.ts";

export const replayChecks: Check<WebhookGround>[] = [
	subscribedRow("subscribe-lapsed-uses-cursor", lapse, { lane: "deliveries" }),
	subscribedRow("subscribe-max-age-ms", limitAge, { lane: "deliveries" }),
];

/** Events between a cursor and what is tried with it. */
const FEW_EVENTS = 3;

interface Trial extends Stretch {
	own: Subscribed;
	cites: Subscribed["answer"][];
}

interface Stretch {
	path: CallbackPath;
	/** From before the events. */
	cursor: string;
	/** Of the events that came after it. */
	eventIds: ReadonlySet<string>;
}

async function lapse(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Finding> {
	if (!(await ground.firstEvent())) return noDeliveries(ground);
	const { path, url } = ground.newCallback();
	const own = await ground.subscribe({ url });
	if (!own.result) return notTaken(ground, own);
	try {
		const stretch = await collect(context, ground, { path, own });
		if ("kind" in stretch) return stretch;
		const trial = { ...stretch, own, cites: [own.answer] };
		return (
			(await tryLive(context, ground, trial)) ??
			(await tryLapsed(context, ground, trial))
		);
	} finally {
		await own.release();
	}
}

/** A few events after the cursor that the subscribe gave; else the finding of rows that need them. */
async function collect(
	context: GradeContext,
	ground: WebhookGround,
	{ path, own }: { path: CallbackPath; own: Subscribed },
): Promise<Stretch | Finding> {
	const cursor = own.result?.cursor;
	if (typeof cursor !== "string")
		return untestable(
			{ kind: "traffic", name: "a webhook type with replay" },
			`events/subscribe gave no cursor for ${ground.subject.name}`,
			own.answer,
		);
	const isEnough = () => new Set(path.events.map(eventIdOf)).size >= FEW_EVENTS;
	const until = context.now() + context.waits.occurrenceMs;
	while (!isEnough() && context.now() < until)
		if (!(await ground.nextEvent(path))) break;
	const eventIds = idsOf(path.events);
	if (eventIds.size === 0)
		return noDeliveries(ground, "no event came after the cursor");
	return { path, cursor, eventIds };
}

/** The finding, if the cursor moved a live subscription. */
async function tryLive(
	context: GradeContext,
	ground: WebhookGround,
	{ path, cursor, own, eventIds, cites }: Trial,
): Promise<Finding | undefined> {
	const from = path.requests.length;
	const again = await own.again({ params: { cursor } });
	cites.push(again.answer);
	if (!again.result) return notTaken(ground, again);
	// Not a single one: that may come again because its first attempt took too long.
	const repeated = () =>
		path.requests.slice(from).filter((request) => isOld(request, eventIds));
	const isRewound = await path.waitUntil(
		() => idsOf(repeated()).size >= Math.min(2, eventIds.size),
		context.waits.quietMs,
	);
	return isRewound
		? broken(
				"an earlier cursor made a live subscription deliver again what had been acknowledged",
				...cites,
				...repeated(),
			)
		: undefined;
}

async function tryLapsed(
	context: GradeContext,
	ground: WebhookGround,
	{ path, cursor, own, eventIds, cites }: Trial,
): Promise<Finding> {
	const { waits } = context;
	const last = await own.again({ params: { ttlMs: SIZES.ttlShortMs } });
	const leaseMs = leaseOf(last);
	if (leaseMs === undefined || leaseMs > waits.leaseMs)
		return untestable(
			{ kind: "time", name: "a lease that ends while the run lasts" },
			`a lease of ${SIZES.ttlShortMs} ms was asked for, and granted ${leaseMs === undefined ? tellAnswer(last.answer) : `${leaseMs} ms`}`,
			...cites,
			last.answer,
		);
	await context.sleep(Math.max(0, leaseMs) + waits.afterLeaseMs);
	const from = path.requests.length;
	const anew = await own.again({ params: { cursor } });
	if (!anew.result) return notTaken(ground, anew);
	const replayed = await path.waitFor(
		(request) => isOld(request, eventIds),
		waits.occurrenceMs,
		from,
	);
	const all = [...cites, last.answer, anew.answer];
	if (replayed)
		return holds(
			"an earlier cursor moved nothing while the subscription lived, and began it anew from there when it had lapsed",
			...all,
			replayed,
		);
	return anew.result.truncated === true
		? untestable(
				{ kind: "traffic", name: "history that reaches back for seconds" },
				"the cursor could not be served any more, as truncated says",
				...all,
			)
		: broken(
				`of ${eventIds.size} events after the cursor none was delivered to the subscription that was created anew with it, and truncated does not tell of it`,
				...all,
			);
}

async function limitAge(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Finding> {
	if (!(await ground.firstEvent())) return noDeliveries(ground);
	const { waits } = context;
	const source = ground.newCallback();
	const own = await ground.subscribe({ url: source.url });
	if (!own.result) return notTaken(ground, own);
	const { path } = source;
	const stretch = await collect(context, ground, { path, own });
	await own.release();
	if ("kind" in stretch) return stretch;
	// From now on every event of the stretch is older than what is asked for.
	await context.sleep(2 * waits.maxAgeMs);
	const target = ground.newCallback();
	const limited = await ground.subscribe({
		url: target.url,
		params: { cursor: stretch.cursor, maxAgeMs: waits.maxAgeMs },
	});
	if (!limited.result) return notTaken(ground, limited);
	const old = await target.path.waitFor(
		(request) => isOld(request, stretch.eventIds),
		waits.quietMs,
	);
	await limited.release();
	const cites = [own.answer, limited.answer];
	const asked = `with maxAgeMs ${waits.maxAgeMs} and a cursor from before ${stretch.eventIds.size} older events`;
	const { truncated } = limited.result;
	if (old)
		return broken(`${asked}, an older event was delivered`, ...cites, old);
	if (truncated !== undefined && typeof truncated !== "boolean")
		return untestable(
			{ kind: "answer", name: "events/subscribe with a boolean truncated" },
			"whether it tells cannot be read; subscribe-response-truncated tells of it",
			...cites,
		);
	return truncated === true
		? holds(
				`${asked}, none of them was delivered, and truncated tells of it`,
				...cites,
			)
		: broken(
				`${asked}, they are left out, and truncated does not tell of it`,
				...cites,
			);
}

const isOld = (request: CallbackRequest, ids: ReadonlySet<string>) =>
	isEvent(request) && ids.has(eventIdOf(request) ?? "");

function idsOf(events: readonly CallbackRequest[]): ReadonlySet<string> {
	return new Set(
		events.map(eventIdOf).filter((id): id is string => id !== undefined),
	);
}
