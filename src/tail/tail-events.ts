// The tail: every subscription with a loop of its own, all of them in one iterable of items.
import type { Fault } from "../faults/index.ts";
import { POLL_FLOOR_MS } from "../protocol/index.ts";
import type { Session } from "../session/index.ts";
import { Count } from "./cut.ts";
import { about, type Follow, type Loop, type Pieces } from "./follow.ts";
import type { Item, Subscription } from "./item.ts";
import { Merge } from "./merge.ts";
import { pollEvents } from "./poll.ts";
import { Position } from "./position.ts";
import { RETRY_DEFAULTS, type RetryOptions } from "./retry.ts";
import { Seen } from "./seen.ts";
import { streamEvents } from "./stream.ts";
import { tellOnce } from "./tell-once.ts";
import { type Abort, openAbort } from "./wait.ts";

export interface TailOptions {
	subscriptions: {
		subscription: Subscription;
		via: "poll" | "push";
		/** Where this one goes on, in place of `cursor` below. */
		cursor?: string | undefined;
	}[];
	/** Where to go on; absent: from now. */
	cursor?: string | undefined;
	maxAgeMs?: number | undefined;
	maxEvents?: number | undefined;
	/** The shortest wait between two polls. */
	intervalFloorMs?: number | undefined;
	/** Poll until the server has no more, then end. */
	once?: boolean | undefined;
	/** End after so many events in total. */
	count?: number | undefined;
	/** How long a stream may be silent before it is taken for dead. */
	staleAfterMs?: number | undefined;
	/** How many event ids each subscription remembers; 0 = repetitions are passed on. */
	dedupWindow?: number | undefined;
	/** Whether heartbeats are yielded. */
	heartbeats?: boolean | undefined;
	retry?: Partial<RetryOptions> | undefined;
}

const STALE_AFTER_MS = 60_000;
const DEDUP_WINDOW = 10_000;
/** A longer timer of Node fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Yields what the subscriptions bring, in batches, until all of them have stopped, `count` events have been yielded or
 * the signal aborts. The last item of each subscription is `stopped`, with its last safe cursor: an event counts as
 * accepted once the consumer asks for the batch after its own. Asking for the next batch is also what makes a source
 * go on. Everything is cancelled when the iteration ends, however it ends.
 */
export function tailEvents(
	session: Session,
	options: TailOptions,
	pieces: Pieces,
): AsyncIterable<Item[]> {
	return {
		[Symbol.asyncIterator]() {
			const leave = new AbortController();
			const items = runTail(session, options, { pieces, leave: leave.signal });
			return {
				next: () => items.next(),
				// A generator would first finish the wait that it is in.
				return: () => {
					leave.abort();
					return items.return();
				},
			};
		},
	};
}

async function* runTail(
	session: Session,
	options: TailOptions,
	{ pieces, leave }: { pieces: Pieces; leave: AbortSignal },
): AsyncGenerator<Item[], void, void> {
	const stop = openAbort(pieces.signal);
	leave.addEventListener("abort", stop.abort, { once: true });
	const count = new Count(options.count);
	const follows = createFollows(options, { count, pieces });
	const merge = new Merge(openLoops(session, follows, { pieces, stop }));
	const open = new Set(follows);
	try {
		while (open.size > 0 && !count.isReached) {
			const arrival = await merge.take(stop.signal);
			if (!arrival) break;
			if (arrival.kind === "failed") throw arrival.error;
			const follow = arrival.source;
			if (arrival.kind === "done") {
				open.delete(follow);
				yield [stopped(follow, arrival.result, pieces)];
				continue;
			}
			const batch = count.cut(arrival.value, follow.position.cursor);
			if (count.isReached) stop.abort();
			if (batch.items.length > 0) yield batch.items;
			if (pieces.refused?.aborted) break;
			follow.position.cursor = batch.cursor;
			if (!count.isReached) merge.resume(follow);
		}
		stop.abort();
		await merge.close();
		if (open.size > 0)
			yield [...open].map((follow) => stopped(follow, undefined, pieces));
	} finally {
		stop.abort();
		stop.close();
		await merge.close();
		noteRepetitions(follows, pieces);
	}
}

function createFollows(
	options: TailOptions,
	{ count, pieces }: { count: Count; pieces: Pieces },
): Follow[] {
	const isAlone = options.subscriptions.length === 1;
	const staleAfterMs = options.staleAfterMs ?? STALE_AFTER_MS;
	return options.subscriptions.map(({ subscription, via, cursor }) => ({
		subscription,
		via,
		position: new Position(cursor ?? options.cursor),
		seen: new Seen(options.dedupWindow ?? DEDUP_WINDOW),
		odd: tellOnce(subscription.label, pieces),
		maxAgeMs: options.maxAgeMs,
		maxEvents: options.maxEvents,
		intervalFloorMs: options.intervalFloorMs ?? POLL_FLOOR_MS,
		staleAfterMs: Math.min(staleAfterMs, LONGEST_TIMER_MS),
		once: options.once ?? false,
		heartbeats: options.heartbeats ?? false,
		retry: { ...RETRY_DEFAULTS, ...options.retry },
		wanted: () => (isAlone ? count.left : undefined),
	}));
}

function openLoops(
	session: Session,
	follows: Follow[],
	{ pieces, stop }: { pieces: Pieces; stop: Abort },
): Map<Follow, Loop> {
	const own: Pieces = {
		now: () => pieces.now(),
		sleep: (ms, signal) => pieces.sleep(ms, signal),
		random: () => pieces.random(),
		note: (text) => pieces.note(text),
		signal: stop.signal,
	};
	return new Map(
		follows.map((follow) => {
			const events = follow.via === "poll" ? pollEvents : streamEvents;
			return [follow, events(session, follow, own)];
		}),
	);
}

function stopped(
	follow: Follow,
	fault: Fault | undefined,
	pieces: Pieces,
): Item {
	const { cursor } = follow.position;
	return { ...about(follow, pieces.now()), kind: "stopped", cursor, fault };
}

function noteRepetitions(follows: Follow[], pieces: Pieces): void {
	for (const { seen, subscription } of follows)
		if (seen.repeated > 0)
			pieces.note(
				`${subscription.label}: ${seen.repeated} repeated events were dropped`,
			);
}
