// What one loop (poll or push) is given, and what it hands up. The loops know nothing of each other.
import type { Fault } from "../faults/index.ts";
import type { Odd } from "../protocol/index.ts";
import type { Item, Subscription } from "./item.ts";
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
}

/** Items that belong together, and where one may go on once the consumer has accepted all of them. */
export interface Batch {
	items: Item[];
	cursor: string | undefined;
}

/** One subscription as its loop follows it. */
export interface Follow {
	subscription: Subscription;
	via: "poll" | "push";
	position: Position;
	seen: Seen;
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

/** The fields that every item has. */
export function about(follow: Follow, receivedAt: number) {
	const { subscription, via } = follow;
	return { subscription: subscription.label, via, receivedAt };
}
