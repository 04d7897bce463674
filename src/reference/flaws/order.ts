// Event types whose events come in another order, or later. Nothing is kept but cursors: an event that is held back is
// one that the reader has not been led past yet, so every mode sees the same, and no cursor tells a lie.
import type { Batch, ServerEvent, SourceType } from "../source.ts";
import type { FlawTools } from "./flaw.ts";

/** Gives the events by twos, the later one first; one that is left over waits for the next. */
export function swapPairs(type: SourceType): SourceType {
	return {
		...type,
		async read(request) {
			const limit = request.limit - (request.limit % 2);
			if (limit === 0) return await type.read(request);
			const batch = await type.read({ ...request, limit });
			const isOdd = batch.events.length % 2 === 1;
			const whole = isOdd ? batch.events.slice(0, -1) : batch.events;
			// Nothing to swap it with, and nothing to wait for before the source can look on.
			if (isOdd && whole.length === 0 && batch.hasMore) return batch;
			const events = whole.map((event, at) => whole[at ^ 1] ?? event);
			if (!isOdd) return { ...batch, events };
			return { ...batch, events, cursor: whole.at(-1)?.cursor ?? batch.from };
		},
	};
}

const MOST_HELD = 10_000;

/** Rests at every position for `holdMs` before it gives what has come after it. */
export const holdBack =
	(holdMs: number, { later }: FlawTools) =>
	(type: SourceType): SourceType => {
		/** Positions that were rested at, and whether that goes on. A timer, which may be early by the clock, ends it. */
		const rests = new Map<string, boolean>();
		const wakes = new Set<() => void>();
		const endRest = (key: string) => {
			if (rests.has(key)) rests.set(key, false);
			for (const wake of [...wakes]) wake();
		};

		function isHeld(key: string): boolean {
			const isResting = rests.get(key);
			if (isResting !== undefined) return isResting;
			rests.set(key, true);
			later(() => endRest(key), holdMs);
			for (const oldest of rests.keys())
				if (rests.size > MOST_HELD) rests.delete(oldest);
				else break;
			return true;
		}

		return {
			...type,
			async read(request) {
				const { cursor } = request;
				const batch = await type.read(request);
				if (batch.events.length === 0 || batch.truncated) return batch;
				if (!isHeld(JSON.stringify([request.arguments, cursor]))) return batch;
				return restAt(batch, cursor);
			},
			watch(args, wake) {
				// A set of their own: the same function may be added twice.
				const own = () => wake();
				wakes.add(own);
				const leave = type.watch(args, own);
				return () => {
					wakes.delete(own);
					leave();
				};
			},
		};
	};

const restAt = (batch: Batch, cursor: string): Batch => ({
	...batch,
	events: [] satisfies ServerEvent[],
	cursor,
	hasMore: false,
});
