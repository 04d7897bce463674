// The loops of a tail: one for each subscription, with what all of them share beside them.
import type { Fault } from "../faults/index.ts";
import type { Session } from "../session/index.ts";
import { Catalogue } from "./catalogue.ts";
import type { Batch, Follow, Loop, Pieces } from "./follow.ts";
import { followModes } from "./follow-modes.ts";
import type { TailOptions } from "./tail-options.ts";
import { type Abort, openAbort, pause } from "./wait.ts";

/** The source of what is told from time to time. */
export const STATUS = "status";

export type Source = Follow | typeof STATUS;
export type Sources = Map<
	Source,
	AsyncGenerator<Batch, Fault | undefined, void>
>;

/** A loop stops with all others, and alone where another process has taken its subscription over. */
export function openLoops(
	session: Session,
	follows: Follow[],
	around: { pieces: Pieces; stop: Abort; options: TailOptions },
): { sources: Sources; close(): Promise<void> } {
	const { pieces, stop, options } = around;
	const { checkArguments, listEveryMs, statusEveryMs, hub } = options;
	const own = piecesUntil(stop.signal, pieces);
	const catalogue = new Catalogue({
		...{ session, follows, pieces: own },
		...{ checkArguments, listEveryMs },
	});
	const ends: Abort[] = [];
	const sources: Sources = new Map();
	for (const follow of follows) {
		const end = openAbort(stop.signal);
		ends.push(end);
		const { lost } = follow.memory ?? {};
		if (lost?.aborted) end.abort();
		lost?.addEventListener("abort", end.abort, { once: true });
		const { relist } = catalogue;
		const single = {
			session,
			pieces: piecesUntil(end.signal, own),
			relist,
			hub,
		};
		sources.set(follow, followModes(follow, single));
	}
	if (statusEveryMs !== undefined)
		sources.set(STATUS, ticks(statusEveryMs, own));
	const watching = catalogue.watch();
	// Told when it is waited for.
	watching.catch(() => {});
	return {
		sources,
		async close() {
			for (const end of ends) end.close();
			await watching;
		},
	};
}

const piecesUntil = (signal: AbortSignal, pieces: Pieces): Pieces => ({
	now: () => pieces.now(),
	sleep: (ms, until) => pieces.sleep(ms, until),
	setTimer: pieces.setTimer,
	random: () => pieces.random(),
	note: (text) => pieces.note(text),
	warn: (text) => pieces.warn(text),
	signal,
});

/** An empty batch each time that it is to be told how things stand. */
async function* ticks(everyMs: number, pieces: Pieces): Loop<undefined> {
	while (!pieces.signal.aborted) {
		await pause(everyMs, pieces);
		yield { items: [], cursor: undefined };
	}
	return undefined;
}
