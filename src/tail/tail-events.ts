// The tail: every subscription with a loop of its own, all of them in one iterable of items.
import type { Fault } from "../faults/index.ts";
import type { Session } from "../session/index.ts";
import { createFollows } from "./create-follows.ts";
import { Count } from "./cut.ts";
import { about, type Batch, type Follow, type Pieces } from "./follow.ts";
import type { Item } from "./item.ts";
import { PositionKeeper } from "./keep-position.ts";
import { Merge } from "./merge.ts";
import { openLoops, type Source, STATUS } from "./open-loops.ts";
import type { TailOptions } from "./tail-options.ts";
import { openAbort } from "./wait.ts";

/**
 * Yields what the subscriptions bring, in batches, until all of them have stopped, `count` events have been yielded or
 * the signal aborts. The last item of each subscription is `stopped`, with its last safe cursor: an event counts as
 * accepted once the consumer asks for the batch after its own. Asking for the next batch is also what makes a source
 * go on. An answer of which a part was yielded is yielded to its end after an abort too. Everything is cancelled when the
 * iteration ends, however it ends.
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
	const loops = openLoops(session, follows, { pieces, stop, options });
	const merge = new Merge(loops.sources);
	const keeper = new PositionKeeper(pieces);
	const open = new Set(follows);
	/** Those with a part of an answer shown: a stop waits for the rest, so that its cursor tells where all of it ends. */
	const halfway = new Set<Follow>();
	const stoppedOf = (follow: Follow, fault: Fault | undefined): Item => ({
		...about(follow, pieces.now()),
		kind: "stopped",
		cursor: follow.position.cursor,
		isKept: keeper.isKept(follow),
		fault,
	});
	const stopAll = (left: Iterable<Follow>) =>
		[...left].map((follow) => stoppedOf(follow, keeper.faultOf(follow)));
	try {
		while (open.size > 0 && !count.isReached) {
			const arrival = await merge.take(halfway.size > 0 ? NEVER : stop.signal);
			if (!arrival) break;
			if (arrival.kind === "failed") throw arrival.error;
			const follow = arrival.source;
			if (follow === STATUS) {
				yield [...open].map((one) => statusOf(one, pieces));
				merge.resume(STATUS);
				continue;
			}
			if (arrival.kind === "done") {
				open.delete(follow);
				halfway.delete(follow);
				const fault = keeper.faultOf(follow) ?? arrival.result;
				yield [stoppedOf(follow, fault)];
				continue;
			}
			const first = { source: follow, value: arrival.value };
			const taken = takeTogether(first, { merge, count });
			if (count.isReached) stop.abort();
			await Promise.all(
				taken.map(({ source, batch }) => keeper.begin(source, batch.items)),
			);
			const items = itemsOf(taken);
			if (items.length > 0) yield items;
			if (pieces.refused?.aborted) break;
			for (const { source, batch } of taken) {
				source.position.cursor = batch.cursor;
				if (batch.hasRest) halfway.add(source);
				else halfway.delete(source);
				noteEvents(source, batch.items);
				keeper.accepted(source, batch.items);
				if (!count.isReached) merge.resume(source);
			}
		}
		stop.abort();
		const isMoreWanted = !count.isReached && !pieces.refused?.aborted;
		if (isMoreWanted)
			for await (const { follow, batch } of drain(merge, open)) {
				await keeper.begin(follow, batch.items);
				if (batch.items.length > 0) yield batch.items;
				if (pieces.refused?.aborted) break;
				follow.position.cursor = batch.cursor;
				keeper.accepted(follow, batch.items);
			}
		await merge.close();
		await keeper.close();
		if (open.size > 0) yield stopAll(open);
	} finally {
		stop.abort();
		stop.close();
		await merge.close();
		await keeper.close();
		await loops.close();
		noteRepetitions(follows, pieces);
	}
}

/** For waits that nothing ends early. */
const NEVER = new AbortController().signal;

/** What is shown at once: a thousand subscriptions with an event each would cost as many writes. */
const ITEMS_AT_ONCE = 64;

/** What waits of several, in the order in which it came, as far as it is wanted. */
function takeTogether(
	first: { source: Follow; value: Batch },
	{ merge, count }: { merge: TailMerge; count: Count },
): { source: Follow; batch: Batch }[] {
	const taken: { source: Follow; batch: Batch }[] = [];
	let items = 0;
	const isEnough = () => items >= ITEMS_AT_ONCE || count.isReached;
	let next: typeof first | undefined = first;
	while (next) {
		const { source, value } = next;
		const batch = count.cut(value, source.position.cursor);
		taken.push({ source, batch });
		items += batch.items.length;
		next = isEnough() ? undefined : merge.takeValue(isFollow);
	}
	return taken;
}

/** Most often it is one batch: that is handed on, not copied. */
function itemsOf(taken: { batch: Batch }[]): Item[] {
	const [only] = taken;
	if (only && taken.length === 1) return only.batch.items;
	return taken.flatMap(({ batch }) => batch.items);
}

type TailMerge = Merge<Source, Batch, Fault | undefined>;
const isFollow = (source: Source): source is Follow => source !== STATUS;

/** What webhooks have brought meanwhile: it was acknowledged, and comes no second time. */
async function* drain(
	merge: TailMerge,
	open: ReadonlySet<Follow>,
): AsyncGenerator<{ follow: Follow; batch: Batch }, void, void> {
	const left = new Set<Source>(
		[...open].filter(({ via }) => via === "webhook"),
	);
	while (left.size > 0) {
		const arrival = await merge.take(NEVER);
		if (!arrival || arrival.source === STATUS) continue;
		if (arrival.kind === "failed") throw arrival.error;
		if (arrival.kind === "done") left.delete(arrival.source);
		else if (left.has(arrival.source)) {
			yield { follow: arrival.source, batch: arrival.value };
			merge.resume(arrival.source);
		}
	}
}

function noteEvents({ life }: Follow, items: readonly Item[]): void {
	const last = items.at(-1);
	const event =
		last?.kind === "event"
			? last
			: items.findLast((item) => item.kind === "event");
	if (event) life.eventAt = event.receivedAt;
}

function statusOf(follow: Follow, pieces: Pieces): Item {
	const { life, position } = follow;
	const now = pieces.now();
	const since = (at: number | undefined) =>
		at === undefined ? undefined : Math.max(0, now - at);
	return {
		...about(follow, now),
		kind: "status",
		sinceEventMs: since(life.eventAt),
		sinceSignMs: since(life.signAt),
		cursor: position.cursor,
	};
}

function noteRepetitions(follows: Follow[], pieces: Pieces): void {
	for (const { seen, subscription } of follows)
		if (seen.repeated > 0)
			pieces.note(
				`${subscription.label}: ${seen.repeated} repeated events were dropped`,
			);
}
