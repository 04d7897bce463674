// One subscription by whichever way works: from push to poll where streams do not, and back where they do again. The
// position travels with it, and what the seam shows twice is dropped as everywhere.
import type { Fault } from "../faults/index.ts";
import type { Session } from "../session/index.ts";
import type { Relist } from "./catalogue.ts";
import {
	about,
	type Batch,
	type Follow,
	type Loop,
	type Mode,
	type Pieces,
	reconnecting,
} from "./follow.ts";
import { pollEvents } from "./poll.ts";
import { retryDelayMs } from "./retry.ts";
import { streamEvents } from "./stream.ts";
import { pause } from "./wait.ts";
import { type WebhookHub, webhookEvents } from "./webhook/webhook-mode.ts";

/** From leaving a way to the first try of it, doubled each time that it fails. */
const PROBE_MS = 60_000;
const LONGEST_PROBE_MS = 60 * 60_000;
/** What lived this long was had again in earnest. */
const ALIVE_MS = 60_000;
/** Endings in a row of what is still listed. */
const MOST_CHANGES = 2;

export interface ModesOptions {
	session: Session;
	pieces: Pieces;
	relist: Relist;
	hub: WebhookHub | undefined;
}

/** What is remembered from one way to the next. */
interface Course {
	probeMs: number;
	/** When the present loop began. */
	begunAt: number;
	/** Endings in a row after which it was listed again. */
	changes: number;
}

type Around = ModesOptions & { follow: Follow; course: Course };

/** Follows until the subscription is over; returns the fault that ended it, if one did. */
export async function* followModes(
	follow: Follow,
	options: ModesOptions,
): Loop<Fault | undefined> {
	const { pieces } = options;
	const course = { probeMs: PROBE_MS, begunAt: pieces.now(), changes: 0 };
	const around: Around = { ...options, follow, course };
	let ended = yield* runMode(around);
	while (!pieces.signal.aborted) {
		if (ended.kind === "over") return ended.fault;
		if (ended.kind === "due") {
			ended = yield* probeBetter(around);
			continue;
		}
		if (ended.kind === "changed") {
			const refusal = yield* subscribeAgain(ended.fault, around);
			if (refusal) return refusal;
		} else {
			const lower = follow.modes[rankOf(follow) + 1];
			if (!lower) return ended.fault;
			yield leaveFor(lower, ended.fault, around);
		}
		ended = yield* runMode(around);
	}
	return undefined;
}

const rankOf = ({ modes, via }: Follow) => modes.indexOf(via);

function runMode(
	{ session, follow, pieces, course, hub }: Around,
	isProbe = false,
): Loop {
	course.begunAt = pieces.now();
	follow.canLeave = rankOf(follow) < follow.modes.length - 1;
	if (rankOf(follow) === 0) follow.probeAt = undefined;
	if (follow.via === "webhook" && hub)
		return webhookEvents(session, follow, { pieces, hub });
	return follow.via === "poll"
		? pollEvents(session, follow, pieces)
		: streamEvents(session, follow, { ...pieces, isProbe });
}

/** Goes on by a lesser way, and plans when the better one is tried again. */
function leaveFor(mode: Mode, fault: Fault, around: Around): Batch {
	const { follow, course, pieces } = around;
	const hasLived = pieces.now() - course.begunAt > 2 * course.probeMs;
	if (hasLived) course.probeMs = PROBE_MS;
	planProbe(fault, around);
	follow.via = mode;
	return modeBatch(fault.what, around);
}

function planProbe(
	fault: Fault | undefined,
	{ follow, course, pieces }: Around,
): void {
	const spread = 0.75 + pieces.random() / 2;
	const delayMs = Math.max(course.probeMs * spread, fault?.retryAfterMs ?? 0);
	follow.probeAt = pieces.now() + Math.round(delayMs);
	course.probeMs = Math.min(course.probeMs * 2, LONGEST_PROBE_MS);
}

function modeBatch(why: string, { follow, pieces }: Around): Batch {
	const head = about(follow, pieces.now());
	const { cursor } = follow.position;
	return { items: [{ ...head, kind: "mode", why }], cursor };
}

/** Tries the better way; until it works nothing is told, and where it does not, the lesser one goes on. */
async function* probeBetter(around: Around): Loop {
	const { follow, pieces } = around;
	const lesser = follow.via;
	const better = follow.modes[rankOf(follow) - 1];
	follow.probeAt = undefined;
	if (!better) return yield* runMode(around);
	follow.via = better;
	const loop = runMode(around, true);
	let first = await loop.next();
	while (!first.done && first.value.items.length === 0)
		first = await loop.next();
	if (first.done) {
		const { value } = first;
		// An ending that is about the event, not about the way, counts whichever way brought it.
		if (pieces.signal.aborted || value.kind !== "unfit") return value;
		pieces.note(
			`${follow.subscription.label}: ${better} was tried, and does not work yet: ${value.fault.what}`,
		);
		follow.via = lesser;
		planProbe(value.fault, around);
		return yield* runMode(around);
	}
	const [told] = modeBatch(`${better} works again`, around).items;
	if (told) first.value.items.unshift(told);
	yield first.value;
	return yield* loop;
}

/** After an ending that may be one of the old type only (events.md 7): the type is listed again, then had again. */
async function* subscribeAgain(
	fault: Fault,
	around: Around,
): Loop<Fault | undefined> {
	const { follow, pieces, course, relist } = around;
	const { retry, via } = follow;
	if (pieces.now() - course.begunAt > ALIVE_MS) course.changes = 0;
	if (++course.changes > MOST_CHANGES) return fault;
	const refusal = await relist(follow, fault);
	if (refusal) return refusal;
	const delayMs = retryDelayMs(
		course.changes - 1,
		{ retry, fault },
		pieces.random,
	);
	const cause = { why: fault.what, fault, delayMs };
	yield reconnecting(cause, { follow, pieces });
	await pause(delayMs, pieces);
	if (follow.modes.includes(via)) return undefined;
	follow.via = follow.modes[0] ?? via;
	yield modeBatch(`the server no longer offers ${via}`, around);
	return undefined;
}
