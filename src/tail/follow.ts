// What one loop (poll or push) is given, and what it hands up. The loops know nothing of each other.
import type { Fault } from "../faults/index.ts";
import type { Odd } from "../protocol/index.ts";
import type { GapReason, Item, Subscription } from "./item.ts";
import type { Position } from "./position.ts";
import type { RetryOptions } from "./retry.ts";
import type { Seen } from "./seen.ts";

/** The world as the tail may see it. */
export interface Pieces {
	/** Epoch milliseconds. */
	now(): number;
	/** Resolves after `ms`; once the signal aborts it settles, either way. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
	/** From 0 up to, not including, 1. */
	random(): number;
	/** Ends the tail in order. */
	signal: AbortSignal;
	/** Aborted where the consumer could not accept the last batch: the tail ends, and its cursors stay before it. */
	refused?: AbortSignal | undefined;
	/** Told what matters at --verbose only. */
	note(text: string): void;
	/** Told what a user must know at once. */
	warn(text: string): void;
}

/** Items that belong together, and where one may go on once the consumer has accepted all of them. */
export interface Batch {
	items: Item[];
	cursor: string | undefined;
}

/** What a subscription is remembered by between runs. Where it fails, a restart repeats events; it loses none. */
export interface FollowMemory {
	/** What an earlier run left. Its cursor is undefined where the server has never given one. */
	earlier: { cursor: string | undefined; savedAt: number } | undefined;
	/** The ids of the events that it has shown, oldest first. */
	seen: readonly string[];
	/** Durable when it resolves. Throws a fault where it cannot be, `taken-over` where another process has it now. */
	save(cursor: string | undefined): Promise<void>;
	/** At once, and cheap. Throws a fault. */
	addSeen(eventIds: readonly string[]): void;
	/** Aborted, with the fault, once another process has taken it over. */
	lost: AbortSignal;
}

/** When something came last, in epoch milliseconds; undefined: never. */
export interface Life {
	/** An event, a heartbeat, an answered poll. In an earlier run too. */
	signAt: number | undefined;
	eventAt: number | undefined;
}

/** One subscription as its loop follows it. */
export interface Follow {
	subscription: Subscription;
	via: "poll" | "push";
	position: Position;
	seen: Seen;
	/** undefined: it is remembered by nothing. */
	memory: FollowMemory | undefined;
	life: Life;
	/** Whether events have been able to flow. */
	wasReady: boolean;
	/** Whether an earlier run was here that has left no cursor: what came since is lost. */
	isUnanchored: boolean;
	odd: Odd;
	maxAgeMs: number | undefined;
	maxEvents: number | undefined;
	intervalFloorMs: number;
	staleAfterMs: number;
	once: boolean;
	heartbeats: boolean;
	retry: RetryOptions;
	/** How many events are still wanted of this subscription alone; undefined: no end, or shared with others. */
	wanted(): number | undefined;
}

/**
 * A loop yields batches and goes on only after the last one was accepted. It returns the fault that ended the
 * subscription; undefined where it was done, or was told to stop.
 */
export type Loop = AsyncGenerator<Batch, Fault | undefined, void>;

/** Tells of a new try after `delayMs`. */
export function reconnecting(
	cause: { why: string; fault: Fault | undefined; delayMs: number },
	{ follow, pieces }: { follow: Follow; pieces: Pieces },
): Batch {
	const head = about(follow, pieces.now());
	return {
		items: [{ ...head, kind: "reconnecting", ...cause }],
		cursor: follow.position.cursor,
	};
}

/** Tells of a possible loss, and since when: what came before the last sign of life is not in it. */
export function gap(
	reason: GapReason,
	cursor: string | undefined,
	{ follow, head }: { follow: Follow; head: ReturnType<typeof about> },
): Item {
	const since = follow.life.signAt;
	return { ...head, kind: "gap", reason, cursor, since };
}

/** Tells that events can flow. */
export function ready(
	cursor: string | undefined,
	{ follow, head }: { follow: Follow; head: ReturnType<typeof about> },
): Item {
	const first = !follow.wasReady;
	follow.wasReady = true;
	return { ...head, kind: "ready", cursor, first };
}

/** The fields that every item has. */
export function about(follow: Follow, receivedAt: number) {
	const { subscription, via } = follow;
	return { subscription: subscription.label, via, receivedAt };
}
