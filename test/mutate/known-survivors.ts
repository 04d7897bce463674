// Mutants that no test can catch, each with the reason.
import type { GroupName } from "./groups.ts";
import type { FoundMutant } from "./mutants.ts";
import type { Turn } from "./switch.ts";

export interface KnownSurvivor {
	path: string;
	/** The condition, in one line, wherever it stands in the file. */
	text: string;
	/** All turns, where none is named. */
	turn?: Turn;
	why: string;
}

export const KNOWN_SURVIVORS: Partial<
	Record<GroupName, readonly KnownSurvivor[]>
> = {};

/** Whether a mutant is one of these. */
export const isSame = (
	known: KnownSurvivor,
	{ path, text, turn }: FoundMutant,
): boolean =>
	known.path === path &&
	known.text === text &&
	(known.turn === undefined || known.turn === turn);

/** Tells the mutants of a group that are listed. */
export const knownIn = (group: GroupName) => (mutant: FoundMutant) =>
	(KNOWN_SURVIVORS[group] ?? []).some((known) => isSame(known, mutant));
