// How often one destination is asked, whoever asks for it: a subscribe call must not become a way to flood somebody.
import type { Clock } from "../clock.ts";
import { Refusal } from "../refusal.ts";
import { bareHost } from "./callback-url.ts";
import type { Guard } from "./guard.ts";

const MINUTE_MS = 60_000;

/**
 * Returns a function that counts one more question to a URL's host, and throws ResourceExhausted beyond `most` in a
 * minute. Each address counts beside the name: whoever owns a domain has as many names for one victim as they like.
 */
export function makeHandshakeLimit({
	clock,
	guard,
	most,
}: {
	clock: Clock;
	guard: Guard;
	most: number;
}): (url: URL) => Promise<void> {
	let counts = new Map<string, number>();
	let startedMs = clock.now();
	return async (url) => {
		const judgement = await guard.judge(url);
		const { addresses } =
			judgement.kind === "allowed" ? judgement : { addresses: [] };
		if (clock.now() - startedMs >= MINUTE_MS) {
			counts = new Map();
			startedMs = clock.now();
		}
		const host = bareHost(url).replace(/\.$/, "");
		for (const destination of new Set([host, ...addresses])) {
			const count = (counts.get(destination) ?? 0) + 1;
			if (count > most) throw tooOften(most);
			counts.set(destination, count);
		}
	};
}

const tooOften = (most: number) =>
	new Refusal(
		"ResourceExhausted",
		"this callback host was asked for its consent too often; try again in a minute",
		{ data: { limit: "handshakes", max: most } },
	);
