// Which condition is turned, in which run: several runs go on side by side, each in an asynchronous context of its own.
import { AsyncLocalStorage } from "node:async_hooks";

/** `not` flips the value; `yes` and `no` hold it, whatever it is. */
export type Turn = "not" | "yes" | "no";

/** A condition and how it is turned, as `path:line:column turn`. */
export type Mutant = string;

export interface Run {
	/** None: the code as it is. */
	mutant: Mutant | undefined;
	/** Mutants that would have made a difference at least once. */
	reached: Set<Mutant>;
	/** How many conditions it may still read; one more throws, for such a run goes round in circles. */
	readsLeft: number;
}

/** A run that may read conditions without end. */
export const openRun = (
	mutant?: Mutant,
	readsLeft = Number.POSITIVE_INFINITY,
): Run => ({ mutant, reached: new Set(), readsLeft });

export const mutantOf = (place: string, turn: Turn): Mutant =>
	`${place} ${turn}`;

// The runner and the code under test load this file apart, and must mean the same runs.
const shared: typeof globalThis & { mutantRuns?: AsyncLocalStorage<Run> } =
	globalThis;
shared.mutantRuns ??= new AsyncLocalStorage<Run>();
const runs = shared.mutantRuns;

/** Runs `act` with a mutant; what it does later, in timers and answers, is in that run, too. */
export const inRun = <Result>(run: Run, act: () => Result): Result =>
	runs.run(run, act);

/** What each condition is read through. Outside of any run it changes nothing. */
export function readCondition(place: string, value: unknown): unknown {
	const run = runs.getStore();
	if (!run) return value;
	if (run.readsLeft-- <= 0) throw new Error("the mutant runs away");
	const held = mutantOf(place, value ? "no" : "yes");
	run.reached.add(held);
	run.reached.add(mutantOf(place, "not"));
	const isTurned = run.mutant === held || run.mutant === mutantOf(place, "not");
	return isTurned ? !value : value;
}
