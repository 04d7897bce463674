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

const ENDS_EARLY =
	"ends a wait early: what has come is looked at afterwards, whenever that is";

export const KNOWN_SURVIVORS: Partial<
	Record<GroupName, readonly KnownSurvivor[]>
> = {
	poll: [
		{
			path: "src/grade/poll/follow.ts",
			text: "works.length > 0",
			why: "spares a trigger whose events nobody would see",
		},
		{
			path: "src/grade/poll/ground.ts",
			text: "method === NOTIFICATIONS.active",
			why: "ends a wait early: the poll after it is tried whenever that is",
		},
	],
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
			path: "src/grade/delivery/positions.ts",
			text: "reader.path.events.some(isHeld) || reader.path.events.length >= ENOUGH",
			why: ENDS_EARLY,
		},
		{
			path: "src/grade/delivery/positions.ts",
			text: "reader.path.events.some(isHeld)",
			why: ENDS_EARLY,
		},
		{
			path: "src/grade/delivery/positions.ts",
			text: "reader.path.events.length >= ENOUGH",
			why: ENDS_EARLY,
		},
		{
			path: "src/grade/delivery/resuming.ts",
			text: "await nextEvent(main.path, main.path.requests.length)",
			why: "spares further waits where nothing comes",
		},
		{
			path: "src/grade/delivery/retries.ts",
			text: "sub.result",
			why: "spares a wait for what was refused",
		},
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
