// How long a server asks to wait, in the head of an HTTP answer.

const LONGEST_WAIT_MS = 24 * 3600 * 1000;

/** Retry-After as a wait: seconds, or a date (RFC 9110, 10.2.3). At most a day; undefined for anything else. */
export function readRetryAfter(
	header: (name: string) => string | undefined,
	nowMs?: number,
): number | undefined {
	const value = header("retry-after")?.trim() ?? "";
	if (/^\d{1,12}$/.test(value))
		return Math.min(Number(value) * 1000, LONGEST_WAIT_MS);
	if (!/[a-z]/i.test(value)) return undefined;
	// The server's own clock, where it tells it: ours may differ.
	const sent = Date.parse(header("date") ?? "");
	const from = Number.isNaN(sent) ? nowMs : sent;
	const wait = Date.parse(value) - (from ?? Number.NaN);
	if (Number.isNaN(wait)) return undefined;
	return Math.min(Math.max(wait, 0), LONGEST_WAIT_MS);
}
