// What a run hands to its checks, and the one signal that ends it.
import { setMaxListeners } from "node:events";
import type { GradeContext, Ground } from "./context.ts";
import type { Run } from "./grade-server.ts";
import type { GradeOptions, GradePieces } from "./options.ts";
import { WAITS } from "./waits.ts";

/** What the checks of one scenario are handed. */
export function makeContext(
	ground: Ground,
	{ options, pieces, signal, scribe, ledger, receiving }: Run,
	own: Pick<GradeContext, "scenario" | "trail" | "wire">,
): GradeContext {
	const { now, setTimer, random } = pieces;
	let count = 0;
	return {
		...ground,
		...own,
		profile: options.profile,
		options,
		waits: { ...WAITS, ...options.waits },
		receiving,
		scribe,
		signal,
		now,
		setTimer,
		sleep: (ms) => sleepUntil(ms, setTimer, signal),
		unique: () =>
			`${++count}${random().toString(36).slice(2, 12)}${random().toString(36).slice(2, 12)}`,
		found: () => ledger.foundOf(own.scenario),
	};
}

function sleepUntil(
	ms: number,
	setTimer: GradePieces["setTimer"],
	signal: AbortSignal,
): Promise<void> {
	return new Promise((resolve, reject) => {
		const abort = () => {
			stop();
			reject(signal.reason);
		};
		const stop = setTimer(() => {
			signal.removeEventListener("abort", abort);
			resolve();
		}, ms);
		if (signal.aborted) abort();
		else signal.addEventListener("abort", abort, { once: true });
	});
}

/** One signal for the user's stop and for the end of the budget. */
export function openBudget(
	{ budgetMs }: GradeOptions,
	{ signal, setTimer }: GradePieces,
): { signal: AbortSignal; end(): void } {
	const over = new AbortController();
	// As many exchanges as one likes may hang on it: Node warns of more than ten.
	setMaxListeners(0, over.signal);
	const stop = () => over.abort(signal.reason);
	if (signal.aborted) stop();
	else signal.addEventListener("abort", stop, { once: true });
	const stopTimer = setTimer(
		() => over.abort(new Error(`the budget of ${budgetMs} ms was used up`)),
		budgetMs,
	);
	return {
		signal: over.signal,
		end() {
			stopTimer();
			signal.removeEventListener("abort", stop);
		},
	};
}
