// For how long a subscription is granted (events.md 6): any wish is clamped, none is refused.

export interface TtlLimits {
	defaultMs: number;
	leastMs: number;
	mostMs: number;
	/** Whether a subscription may be granted without an end, because it is kept on disk. */
	mayBeEndless: boolean;
}

/**
 * The granted time in milliseconds, or null for no expiry, which only null asks for. What is neither null nor a number
 * counts as left out.
 */
export function grantTtl(asked: unknown, limits: TtlLimits): number | null {
	const { defaultMs, leastMs, mostMs, mayBeEndless } = limits;
	if (asked === null) return mayBeEndless ? null : mostMs;
	const isNumber = typeof asked === "number" && !Number.isNaN(asked);
	const wishMs = isNumber ? Math.floor(asked) : defaultMs;
	return Math.max(leastMs, Math.min(mostMs, wishMs));
}
