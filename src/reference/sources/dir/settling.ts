// Paths that something happened to, until they have been quiet for a while, or have waited long enough.
import type { Clock } from "../../clock.ts";
import { oneAtATime } from "../one-at-a-time.ts";

export interface Settling {
	touch(path: string): void;
	/** Forgets what waits; resolves when no act is under way. */
	stop(): Promise<void>;
}

/** What is never quiet, as a file that is written to without end, is acted on after so many times the quiet time. */
const LONGEST_WAITS = 20;

/** Calls `act` with the paths that have settled, in the order in which they did, never beside itself. */
export function createSettling(
	clock: Clock,
	settleMs: number,
	act: (paths: readonly string[]) => Promise<void>,
): Settling {
	const waiting = new Map<string, { firstAt: number; lastAt: number }>();
	const actor = oneAtATime(actOnSettled);
	let cancel: (() => void) | undefined;

	const dueAt = ({ firstAt, lastAt }: { firstAt: number; lastAt: number }) =>
		Math.min(lastAt + settleMs, firstAt + LONGEST_WAITS * settleMs);

	async function actOnSettled() {
		const now = clock.now();
		const settled = [...waiting]
			.filter(([, times]) => dueAt(times) <= now)
			.map(([path]) => path);
		// Before they are looked at: what happens during the look counts anew.
		for (const path of settled) waiting.delete(path);
		await act(settled);
		arm();
	}

	function arm() {
		if (cancel || waiting.size === 0) return;
		let next = Number.POSITIVE_INFINITY;
		for (const times of waiting.values()) next = Math.min(next, dueAt(times));
		cancel = clock.setTimer(
			() => {
				cancel = undefined;
				void actor.run();
			},
			Math.max(0, next - clock.now()),
		);
	}

	return {
		touch(path) {
			const now = clock.now();
			const firstAt = waiting.get(path)?.firstAt ?? now;
			waiting.delete(path);
			waiting.set(path, { firstAt, lastAt: now });
			arm();
		},
		async stop() {
			cancel?.();
			await actor.stop();
			// An act under way may have left more.
			waiting.clear();
			cancel?.();
		},
	};
}
