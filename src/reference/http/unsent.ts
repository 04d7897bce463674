// Answers that clients have not taken yet: who asks and does not read must not fill the memory, nor hold it for long.
import type { Clock } from "../clock.ts";
import { Refusal } from "../refusal.ts";
import type { HttpResponse } from "./exchange.ts";

export interface Unsent {
	/**
	 * Counts an answer of so many characters until it was taken; one that is not in time is broken off. Refuses (429) it
	 * where too much waits already, of this caller or of all.
	 */
	admit(caller: string, length: number, response: HttpResponse): void;
}

/** Of one caller a quarter of it. */
export const MOST_UNSENT = 256 * 1024 * 1024;
const PATIENCE_MS = 120_000;
const RETRY_MS = 1_000;

/** `most`: characters that may wait in all. */
export function createUnsent(clock: Clock, most: number): Unsent {
	const byCaller = new Map<string, number>();
	let all = 0;

	function add(caller: string, length: number) {
		all += length;
		const left = (byCaller.get(caller) ?? 0) + length;
		if (left > 0) byCaller.set(caller, left);
		else byCaller.delete(caller);
	}

	return {
		admit(caller, length, response) {
			const own = byCaller.get(caller) ?? 0;
			// Who has taken everything is answered, however long the answer is.
			if (own > 0 && (own + length > most / 4 || all + length > most))
				throw new Refusal(
					"ResourceExhausted",
					"too many answers wait to be taken",
					{
						data: { limit: "answers", retryAfterMs: RETRY_MS },
						httpStatus: 429,
					},
				);
			add(caller, length);
			const stopWaiting = clock.setTimer(
				() => void response.destroy(),
				PATIENCE_MS,
			);
			response.once("close", () => {
				stopWaiting();
				add(caller, -length);
			});
		},
	};
}
