// The source to try things with: a clock and some dice.
import type { Clock } from "../clock.ts";
import type { Source } from "../source.ts";
import { createClockTick } from "./clock-tick.ts";
import { openDice } from "./dice.ts";

export interface DemoOptions {
	clock: Clock;
	/** Decides every roll of the dice. */
	seed: string;
	/** Names this run, so that ids and cursors of another are told apart. */
	epoch: string;
	/** How far back a cursor may lie, in events. */
	bufferSize?: number;
	rollEveryMs?: number;
}

const BUFFER_SIZE = 10_000;
const ROLL_EVERY_MS = 500;

/** `clock.tick` and `dice.rolled`; runs until closed. */
export function openDemoSource(options: DemoOptions): Source {
	const { clock, seed, epoch, bufferSize = BUFFER_SIZE } = options;
	const dice = openDice({
		clock,
		seed,
		epoch,
		maxEvents: bufferSize,
		rollEveryMs: options.rollEveryMs ?? ROLL_EVERY_MS,
	});
	return {
		types: [createClockTick(clock, bufferSize), dice.type],
		close: dice.close,
	};
}
