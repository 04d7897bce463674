// How often one destination is asked, whoever asks for it: a subscribe call must not become a way to flood somebody.
import type { Clock } from "../clock.ts";
import { Refusal } from "../refusal.ts";

const WINDOW_MS = 60_000;
const MOST_PER_WINDOW = 300;

/** Returns a function that counts one more handshake with a host, and throws ResourceExhausted beyond the limit. */
export function makeHandshakeLimit(clock: Clock): (host: string) => void {
	let counts = new Map<string, number>();
	let startedMs = clock.now();
	return (host) => {
		if (clock.now() - startedMs >= WINDOW_MS) {
			counts = new Map();
			startedMs = clock.now();
		}
		const count = (counts.get(host) ?? 0) + 1;
		if (count > MOST_PER_WINDOW)
			throw new Refusal(
				"ResourceExhausted",
				"this callback host was asked for its consent too often; try again in a minute",
				{ data: { limit: "handshakes", max: MOST_PER_WINDOW } },
			);
		counts.set(host, count);
	};
}
