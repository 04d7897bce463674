// All mutants of a group: each condition of its sources, in each way in which it may be turned.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findConditions } from "./conditions.ts";
import { GROUPS, type GroupName } from "./groups.ts";
import { placeOf } from "./instrument.ts";
import { type Mutant, mutantOf, type Turn } from "./switch.ts";

export interface FoundMutant {
	mutant: Mutant;
	path: string;
	line: number;
	column: number;
	turn: Turn;
	/** The condition, in one line. */
	text: string;
}

/** Paths are those under `root`. */
export function readMutants(
	root: string,
	group: GroupName,
	turns: readonly Turn[],
): FoundMutant[] {
	return pathsOf(root, group).flatMap((path) =>
		findConditions(readFileSync(join(root, path), "utf8")).flatMap(
			(condition) =>
				turns.map((turn) => ({
					mutant: mutantOf(placeOf(path, condition), turn),
					path,
					line: condition.line,
					column: condition.column,
					turn,
					text: condition.text,
				})),
		),
	);
}

function pathsOf(root: string, group: GroupName): string[] {
	return GROUPS[group].sources.flatMap((source) =>
		source.endsWith("/")
			? readdirSync(join(root, source))
					.filter((name) => name.endsWith(".ts"))
					.sort()
					.map((name) => source + name)
			: [source],
	);
}
