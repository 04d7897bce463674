// Rows that cannot be judged yet hold the scan back, but not for ever: what should follow them may never be written.
import type { Clock } from "../../clock.ts";
import { createWakers } from "../../wakers.ts";

export interface Patience {
	/** The scan stopped at this row. */
	waitFor(key: bigint): void;
	/** It was waited for long enough. */
	isOverdue(key: bigint): boolean;
	/** Calls `wake` when the wait is over; returns the way to stop that. */
	watch(wake: () => void): () => void;
}

const PATIENCE_MS = 60_000;
const MAX_ROWS = 100;

export function createPatience(clock: Clock): Patience {
	const since = new Map<bigint, number>();
	const wakers = createWakers();
	let cancel: (() => void) | undefined;

	/** Only while somebody listens. */
	function arm() {
		const latest = [...since.values()].at(-1);
		if (cancel || latest === undefined || wakers.size === 0) return;
		const untilOver = latest + PATIENCE_MS - clock.now();
		if (untilOver < 0) return;
		cancel = clock.setTimer(() => {
			cancel = undefined;
			wakers.wakeAll();
			arm();
		}, untilOver + 1);
	}

	return {
		waitFor(key) {
			if (since.has(key)) return;
			since.set(key, clock.now());
			for (const oldest of since.keys())
				if (since.size > MAX_ROWS) since.delete(oldest);
			arm();
		},
		isOverdue(key) {
			const start = since.get(key);
			return start !== undefined && clock.now() - start >= PATIENCE_MS;
		},
		watch(wake) {
			const leave = wakers.add(wake);
			arm();
			return () => {
				leave();
				if (wakers.size > 0) return;
				cancel?.();
				cancel = undefined;
			};
		},
	};
}
