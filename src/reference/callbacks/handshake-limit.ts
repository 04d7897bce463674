// How often one destination is asked, whoever asks for it: a subscribe call must not become a way to flood somebody.
import type { Clock } from "../clock.ts";
import { Refusal } from "../refusal.ts";

const MINUTE_MS = 60_000;

/** Returns a function that counts one more handshake with a host, and throws ResourceExhausted beyond the limit. */
export function makeHandshakeLimit(
	clock: Clock,
	mostPerMinute: number,
): (host: string) => void {
	let counts = new Map<string, number>();
	let startedMs = clock.now();
	return (host) => {
		if (clock.now() - startedMs >= MINUTE_MS) {
			counts = new Map();
			startedMs = clock.now();
		}
		const count = (counts.get(host) ?? 0) + 1;
		if (count > mostPerMinute)
			throw new Refusal(
				"ResourceExhausted",
				"this callback host was asked for its consent too often; try again in a minute",
				{ data: { limit: "handshakes", max: mostPerMinute } },
			);
		counts.set(host, count);
	};
}
