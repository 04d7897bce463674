// The tail: every subscription with a loop of its own, all of them in one iterable of items.
import type { Fault } from "../faults/index.ts";
import { POLL_FLOOR_MS } from "../protocol/index.ts";
import type { Session } from "../session/index.ts";
import { Count } from "./cut.ts";
import {
	about,
	type Follow,
	type FollowMemory,
	type Loop,
	type Pieces,
} from "./follow.ts";
import type { Item, Subscription } from "./item.ts";
import { PositionKeeper } from "./keep-position.ts";
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
		/** Where this one goes on, in place of `cursor` below and of what its memory says. */
		cursor?: string | undefined;
		memory?: FollowMemory | undefined;
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
	const loops = openLoops(session, follows, { pieces, stop });
	const merge = new Merge(loops.sources);
	const keeper = new PositionKeeper(pieces);
	const open = new Set(follows);
	try {
		while (open.size > 0 && !count.isReached) {
			const arrival = await merge.take(stop.signal);
			if (!arrival) break;
			if (arrival.kind === "failed") throw arrival.error;
			const follow = arrival.source;
			if (arrival.kind === "done") {
				open.delete(follow);
				const fault = keeper.faultOf(follow) ?? arrival.result;
				yield [stopped(follow, fault, pieces)];
				continue;
			}
			const batch = count.cut(arrival.value, follow.position.cursor);
			if (count.isReached) stop.abort();
			await keeper.begin(follow, batch.items);
			if (batch.items.length > 0) yield batch.items;
			if (pieces.refused?.aborted) break;
			follow.position.cursor = batch.cursor;
			keeper.accepted(follow, batch.items);
			if (!count.isReached) merge.resume(follow);
		}
		stop.abort();
		await merge.close();
		await keeper.close();
		if (open.size > 0)
			yield [...open].map((follow) =>
				stopped(follow, keeper.faultOf(follow), pieces),
			);
	} finally {
		stop.abort();
		stop.close();
		await merge.close();
		await keeper.close();
		loops.close();
		noteRepetitions(follows, pieces);
	}
}

function createFollows(
	options: TailOptions,
	{ count, pieces }: { count: Count; pieces: Pieces },
): Follow[] {
	const isAlone = options.subscriptions.length === 1;
	const staleAfterMs = options.staleAfterMs ?? STALE_AFTER_MS;
	return options.subscriptions.map((one) => {
		const { subscription, via, memory } = one;
		const { earlier } = memory ?? {};
		const cursor = one.cursor ?? options.cursor ?? earlier?.cursor;
		return {
			subscription,
			via,
			position: new Position(cursor),
			seen: seenBefore(options.dedupWindow ?? DEDUP_WINDOW, memory),
			memory,
			life: { signAt: earlier?.savedAt, eventAt: undefined },
			wasReady: false,
			isUnanchored: earlier !== undefined && cursor === undefined,
			odd: tellOnce(subscription.label, pieces),
			maxAgeMs: options.maxAgeMs,
			maxEvents: options.maxEvents,
			intervalFloorMs: options.intervalFloorMs ?? POLL_FLOOR_MS,
			staleAfterMs: Math.min(staleAfterMs, LONGEST_TIMER_MS),
			once: options.once ?? false,
			heartbeats: options.heartbeats ?? false,
			retry: { ...RETRY_DEFAULTS, ...options.retry },
			wanted: () => (isAlone ? count.left : undefined),
		};
	});
}

function seenBefore(window: number, memory: FollowMemory | undefined): Seen {
	const seen = new Seen(window);
	for (const id of memory?.seen ?? []) seen.isNew(id);
	seen.repeated = 0;
	return seen;
}

/** A loop stops with all others, and alone where another process has taken its subscription over. */
function openLoops(
	session: Session,
	follows: Follow[],
	{ pieces, stop }: { pieces: Pieces; stop: Abort },
): { sources: Map<Follow, Loop>; close(): void } {
	const ends: Abort[] = [];
	const sources = new Map(
		follows.map((follow) => {
			const end = openAbort(stop.signal);
			ends.push(end);
			const { lost } = follow.memory ?? {};
			if (lost?.aborted) end.abort();
			lost?.addEventListener("abort", end.abort, { once: true });
			const own: Pieces = {
				now: () => pieces.now(),
				sleep: (ms, signal) => pieces.sleep(ms, signal),
				random: () => pieces.random(),
				note: (text) => pieces.note(text),
				warn: (text) => pieces.warn(text),
				signal: end.signal,
			};
			const events = follow.via === "poll" ? pollEvents : streamEvents;
			return [follow, events(session, follow, own)];
		}),
	);
	return {
		sources,
		close() {
			for (const end of ends) end.close();
		},
	};
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
