// How often a subscription is polled, and how much is asked for at once.
import type { PollResult } from "../protocol/index.ts";
import type { Follow } from "./follow.ts";
import { LONGEST_WAIT_MS } from "./retry.ts";

/** How long until the next poll: what the server says, within reason, and no longer than until a better way is due. */
export function waitMs(
	{ hasMore, nextPollMs }: PollResult,
	follow: Follow,
	now: number,
): number {
	const { intervalFloorMs, intervalCeilingMs, probeAt } = follow;
	if (hasMore || nextPollMs === undefined) return intervalFloorMs;
	const longestMs = Math.min(
		LONGEST_WAIT_MS,
		intervalCeilingMs,
		(probeAt ?? Number.POSITIVE_INFINITY) - now,
	);
	return Math.max(intervalFloorMs, Math.min(nextPollMs, longestMs));
}

/** A server may refuse a size above its own cap, so we ask by ourselves for a small one only. */
const MODEST_BATCH = 50;

/** So that an answer holds no more than is wanted: the cursor after it is then the right one. */
export function batchSize(
	maxEvents: number | undefined,
	wanted: number | undefined,
): number | undefined {
	if (wanted === undefined) return maxEvents;
	if (maxEvents !== undefined) return Math.min(maxEvents, wanted);
	return wanted <= MODEST_BATCH ? wanted : undefined;
}
