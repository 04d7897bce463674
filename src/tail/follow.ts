// What one loop (poll or push) is given, and what it hands up. The loops know nothing of each other.
import type { Fault } from "../faults/index.ts";
import type { Odd } from "../protocol/index.ts";
import type { GapReason, Item, Subscription } from "./item.ts";
import type { Position } from "./position.ts";
import type { Reading } from "./reading.ts";
import type { RetryOptions } from "./retry.ts";
import type { Seen } from "./seen.ts";
import type { Turns } from "./turns.ts";

/** The world as the tail may see it. */
export interface Pieces {
	/** Epoch milliseconds. */
	now(): number;
	/** Resolves after `ms`; once the signal aborts it settles, either way. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
	/**
	 * Calls `act` after `ms`; returns the way to call it off. For waits that are called off all the time; without it they
	 * are sleeps, which cost more.
	 */
	setTimer?: ((act: () => void, ms: number) => () => void) | undefined;
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
	/** The rest of the same answer follows at once: `cursor` is still the one from before it. */
	hasRest?: boolean;
}

/** What a subscription is remembered by between runs. Where it fails, a restart repeats events; it loses none. */
export interface FollowMemory {
	/** What an earlier run left. Its cursor is undefined where the server has never given one. */
	earlier: { cursor: string | undefined; savedAt: number } | undefined;
	/** The ids of the events that it has shown, oldest first. */
	seen: readonly string[];
	/**
	 * As of a moment (undefined: now): what is missing later came after it. Durable when it resolves. Throws a fault where
	 * it cannot be, `taken-over` where another process has it now.
	 */
	save(cursor: string | undefined, atMs: number | undefined): Promise<void>;
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
	/** Since when the server is being asked and says nothing; undefined: it is not. */
	silentSince: number | undefined;
}

/** One subscription as its loop follows it. */
export interface Follow {
	subscription: Subscription;
	via: Mode;
	/** Those that both sides have, best first. */
	modes: readonly Mode[];
	/** Whether any mode will do, those too that the server comes to offer. */
	isFree: boolean;
	/** Whether webhooks can be received. */
	canReceive: boolean;
	/** Whether there is another mode to go on by where this one does not work. */
	canLeave: boolean;
	/** When a better mode is to be tried again; undefined: there is none. */
	probeAt: number | undefined;
	/** What it was told to be down with; undefined: it flows. */
	downAs: string | undefined;
	position: Position;
	seen: Seen;
	/** undefined: it is remembered by nothing. */
	memory: FollowMemory | undefined;
	life: Life;
	/** When it may ask the server; shared with all others. */
	turns: Turns;
	/** What of it may be read ahead; shared with all others. */
	reading: Reading;
	/** Whether events have been able to flow. */
	wasReady: boolean;
	/** Whether an earlier run was here that has left no cursor: what came since is lost. */
	isUnanchored: boolean;
	odd: Odd;
	maxAgeMs: number | undefined;
	maxEvents: number | undefined;
	intervalFloorMs: number;
	intervalCeilingMs: number;
	/** How many answers are asked for in a row before a wait. */
	maxPages: number;
	staleAfterMs: number;
	giveUpAfterMs: number;
	once: boolean;
	heartbeats: boolean;
	retry: RetryOptions;
	/** How many events are still wanted of this subscription alone; undefined: no end, or shared with others. */
	wanted(): number | undefined;
}

export type Mode = "poll" | "push" | "webhook";

/** How a loop ended. */
export type Ended =
	/** For good: with a fault, or since it was done or told to stop. */
	| { kind: "over"; fault: Fault | undefined }
	/** This way does not work here, for now; another may. */
	| { kind: "unfit"; fault: Fault }
	/** The server says that there is no such event any more, or another one of that name: to be listed again. */
	| { kind: "changed"; fault: Fault }
	/** It is time to try a better way. */
	| { kind: "due" };

/** A loop yields batches and goes on only after the last one was accepted. */
export type Loop<R = Ended> = AsyncGenerator<Batch, R, void>;

export const OVER: Ended = { kind: "over", fault: undefined };

/** Tells of a new try after `delayMs`. The same trouble again is no news. */
export function reconnecting(
	cause: { why: string; fault: Fault | undefined; delayMs: number },
	{ follow, pieces }: { follow: Follow; pieces: Pieces },
): Batch {
	const head = about(follow, pieces.now());
	const state = cause.fault?.code ?? cause.why;
	const isNews = follow.downAs !== state;
	follow.downAs = state;
	return {
		items: [{ ...head, kind: "reconnecting", ...cause, isNews }],
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
	follow.downAs = undefined;
	return { ...head, kind: "ready", cursor, first };
}

/** The fields that every item has. */
export function about(follow: Follow, receivedAt: number) {
	const { subscription, via } = follow;
	return { subscription: subscription.label, via, receivedAt };
}
