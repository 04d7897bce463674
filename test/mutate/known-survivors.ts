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
	webhook: [
		{
			path: "src/grade/webhook/refreshing.ts",
			text: "path.requests.slice(from).some(({ attempt }) => attempt > 1)",
			why: "chooses words of what holds",
		},
		{
			path: "src/grade/webhook/refreshing.ts",
			text: "attempt > 1",
			why: "chooses words of what holds",
		},
	],
	push: [
		{
			path: "src/grade/push/occurrences.ts",
			text: "isEvent(frame)",
			why: "lets a wait last to its end: what has come is looked at afterwards",
		},
		{
			path: "src/grade/push/ground.ts",
			text: '"told" in next',
			why: "chooses the words for a stream that does not stand",
		},
	],
	modes: [
		{
			path: "src/grade/modes/occurrence-print.ts",
			text: "a < b",
			why: "backwards is an order, too",
		},
	],
	delivery: [
		{
			path: "src/grade/delivery/guards.ts",
			text: "dials === 0",
			why: "counts for the words",
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
