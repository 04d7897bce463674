// When a webhook subscription is refreshed: well before its grant ends, and not all at the same moment (events.md 6).

const MINUTE_MS = 60_000;
/** Without an expiry, cursor and deliveryStatus still come by a refresh now and then. */
const NO_EXPIRY_MS = 60 * MINUTE_MS;
const UNREADABLE_MS = 5 * MINUTE_MS;
/** A grant that is over already is a server's or a clock's mistake: it must not cause a tight loop. */
const OVER_MS = 30_000;
const LEAST_MS = 250;
const MOST_MS = 24 * 60 * MINUTE_MS;
/** A refresh falls into this part of the grant: what is left is for trying again. */
const EARLIEST_SHARE = 0.5;
const LATEST_SHARE = 0.75;

/** How long to wait after a grant. `refreshBefore`: null for no expiry, undefined where it could not be read. */
export function refreshDelayMs(
	refreshBefore: number | null | undefined,
	nowMs: number,
	random: () => number,
): number {
	const share = EARLIEST_SHARE + random() * (LATEST_SHARE - EARLIEST_SHARE);
	const leftMs = lengthOf(refreshBefore, nowMs);
	if (leftMs <= 0) return OVER_MS;
	return Math.round(Math.max(LEAST_MS, Math.min(leftMs * share, MOST_MS)));
}

function lengthOf(refreshBefore: number | null | undefined, nowMs: number) {
	if (refreshBefore === null) return NO_EXPIRY_MS;
	if (refreshBefore === undefined) return UNREADABLE_MS;
	return refreshBefore - nowMs;
}
