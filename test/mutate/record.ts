// What is known of the mutants so far: one file, so that the worker's files share it and it can be read while they run.
import { readFileSync, writeFileSync } from "node:fs";
import type { Mutant } from "./switch.ts";

export interface MutationRecord {
	/** Tests that reached a mutant, in the order in which they ran. */
	reached: Record<Mutant, string[]>;
	/** How many tests of each kind did not mind a mutant. */
	tried: Record<Mutant, Record<string, number>>;
	/** The test that failed. */
	killed: Record<Mutant, string>;
	/** Runs of tests with a mutant, and those that failed once and not again. */
	runs: number;
	shaky: number;
}

export const EMPTY_RECORD: MutationRecord = {
	reached: {},
	tried: {},
	killed: {},
	runs: 0,
	shaky: 0,
};

/** A file that is not there yet is an empty record. */
export function readRecord(path: string): MutationRecord {
	try {
		return JSON.parse(readFileSync(path, "utf8"));
	} catch {
		return structuredClone(EMPTY_RECORD);
	}
}

export function writeRecord(path: string, record: MutationRecord): void {
	writeFileSync(path, JSON.stringify(record));
}
