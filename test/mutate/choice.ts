// What of the mutants one run takes: it comes to the worker by the environment.
import { fileURLToPath } from "node:url";
import { GROUP_NAMES, GROUPS, type GroupName } from "./groups.ts";
import type { Mutant, Turn } from "./switch.ts";

/** The environment of one run. */
export const VARIABLES = {
	group: "MUTATE_GROUP",
	/** A folder: the record and the log of what goes on are written there. */
	folder: "MUTATE_FOLDER",
	/** Also holds each condition at yes and at no. */
	held: "MUTATE_HELD",
	/** A text that the place of a mutant must have. */
	only: "MUTATE_ONLY",
	/** Tries what is left against every test that reaches it. */
	thorough: "MUTATE_THOROUGH",
	/** Every how many mutants one is taken. */
	every: "MUTATE_EVERY",
} as const;

export interface Choice {
	group: GroupName;
	/** The folder of the project. */
	root: string;
	recordPath: string;
	logPath: string;
	turns: readonly Turn[];
	/** Runs of one test side by side. */
	atOnce: number;
	isThorough: boolean;
	isChosen(mutant: Mutant): boolean;
}

export function readChoice(env: NodeJS.ProcessEnv): Choice {
	const group = GROUP_NAMES.find((name) => name === env[VARIABLES.group]);
	const folder = env[VARIABLES.folder];
	if (!group || !folder)
		throw new Error("start this by: npm run mutate -- GROUP");
	const turns: Turn[] = env[VARIABLES.held] ? ["not", "yes", "no"] : ["not"];
	const only = env[VARIABLES.only] ?? "";
	const every = Number(env[VARIABLES.every] || 1);
	return {
		group,
		root: fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, ""),
		recordPath: `${folder}/${group}.json`,
		logPath: `${folder}/${group}.log`,
		turns,
		isThorough: Boolean(env[VARIABLES.thorough]),
		atOnce: GROUPS[group].atOnce,
		isChosen: (mutant) =>
			turns.some((turn) => mutant.endsWith(` ${turn}`)) &&
			mutant.includes(only) &&
			numberOf(mutant) % every === 0,
	};
}

/** The same for the same mutant, whatever else there is. */
function numberOf(mutant: Mutant): number {
	let number = 0;
	for (const character of mutant)
		number = (number * 31 + character.charCodeAt(0)) % 1_000_003;
	return number;
}
