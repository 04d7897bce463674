// How long a server may say nothing, while it is being asked.
import { Fault } from "../faults/index.ts";
import type { Follow } from "./follow.ts";

/** It is being asked from now on. */
export function startListening({ life }: Pick<Follow, "life">, now: number) {
	life.silentSince ??= now;
}

/** It has said something. */
export function hear({ life }: Pick<Follow, "life">, now: number): void {
	life.signAt = now;
	life.silentSince = undefined;
}

/**
 * A wait is over that began at `sinceMs` and could take `longestMs`. What the clock says beyond that is nobody's silence:
 * our process was stopped, the machine slept, or the clock was set.
 */
export function endWait(
	{ life }: Pick<Follow, "life">,
	{ sinceMs, longestMs }: { sinceMs: number; longestMs: number },
	now: number,
): void {
	if (life.silentSince === undefined) return;
	const passedMs = now - sinceMs;
	life.silentSince += Math.min(0, passedMs) + Math.max(0, passedMs - longestMs);
}

/** Until it is given up; infinite where it never is. */
export function patienceMs(
	{ life, giveUpAfterMs }: Pick<Follow, "life" | "giveUpAfterMs">,
	now: number,
): number {
	const silentMs = now - (life.silentSince ?? now);
	return Math.max(0, giveUpAfterMs - silentMs);
}

/** The fault that ends a subscription of which nothing was heard for too long; undefined: it is not given up yet. */
export function whyGivenUp(follow: Follow, now: number): Fault | undefined {
	if (patienceMs(follow, now) > 0) return undefined;
	const { life, giveUpAfterMs, subscription } = follow;
	const last =
		life.signAt === undefined
			? "there has never been a sign of life"
			: `the last sign of life came at ${new Date(life.signAt).toISOString()}`;
	return new Fault("nothing-heard", {
		what: `nothing was heard of ${subscription.name} for ${giveUpAfterMs / 1000} s`,
		why: last,
		next: "see whether the server runs; to wait for longer: --give-up-after DURATION",
	});
}
