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
> = {
	push: [
		{
			path: "src/grade/push/occurrences.ts",
			text: "open.size === 0",
			why: "ends a wait early: what has come is looked at afterwards, whenever that is",
		},
		{
			path: "src/grade/push/occurrences.ts",
			text: "isEvent(frame)",
			why: "ends a wait early: what has come is looked at afterwards, whenever that is",
		},
		{
			path: "src/grade/push/heartbeats.ts",
			text: "beat.at + limitMs > untilMs",
			why: "ends the watch where no further beat could be missed in it",
		},
	],
};

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
