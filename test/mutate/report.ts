// What came of the mutants of one run, told at its end: each that no test caught, and the counts.
import type { Reporter, TestModule } from "vitest/node";
import { readChoice } from "./choice.ts";
import type { GroupName } from "./groups.ts";
import {
	isSame,
	KNOWN_SURVIVORS,
	type KnownSurvivor,
} from "./known-survivors.ts";
import { type FoundMutant, readMutants } from "./mutants.ts";
import { type MutationRecord, readRecord } from "./record.ts";

export interface Outcome {
	caught: FoundMutant[];
	/** Listed in known-survivors.ts, and not caught. */
	known: FoundMutant[];
	/** A test got there, and did not mind. */
	survived: FoundMutant[];
	/** No test got there with a value that the mutant changes. */
	unreached: FoundMutant[];
	/** Listed in known-survivors.ts, but there is no such condition, or a test catches it. */
	stale: KnownSurvivor[];
}

export function sortMutants(
	mutants: readonly FoundMutant[],
	{ killed, reached }: MutationRecord,
	known: readonly KnownSurvivor[],
): Outcome {
	const caught = mutants.filter(({ mutant }) => killed[mutant]);
	const left = mutants.filter(({ mutant }) => !killed[mutant]);
	const isKnown = (mutant: FoundMutant) =>
		known.some((each) => isSame(each, mutant));
	const rest = left.filter((mutant) => !isKnown(mutant));
	return {
		caught,
		known: left.filter(isKnown),
		survived: rest.filter(({ mutant }) => reached[mutant]),
		unreached: rest.filter(({ mutant }) => !reached[mutant]),
		stale: known.filter(
			(each) =>
				mutants.some(({ path }) => path === each.path) &&
				!left.some((mutant) => isSame(each, mutant)),
		),
	};
}

/** Lines for a person; the last one has the counts. */
export function tellOutcome(
	group: GroupName,
	{ caught, known, survived, unreached, stale }: Outcome,
): string[] {
	const tell =
		(word: string) =>
		({ path, line, column, turn, text }: FoundMutant) =>
			`${word} ${path}:${line}:${column} ${turn}: ${text}`;
	const count = caught.length + known.length + survived.length;
	return [
		...survived.map(tell("survived")),
		...unreached.map(tell("not reached")),
		...stale.map(({ path, text }) => `caught, yet listed ${path}: ${text}`),
		`${group}: ${count + unreached.length} mutants, ${caught.length} caught, ${known.length} known to survive, ${survived.length} survived, ${unreached.length} not reached`,
	];
}

/** Prints the outcome, and fails the run where a mutant is left that is not listed. */
export class MutationReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		const choice = readChoice(process.env);
		const { group, turns, isChosen } = choice;
		const record = readRecord(choice.recordPath);
		const mutants = readMutants(choice.root, group, turns).filter(
			({ mutant }) => isChosen(mutant),
		);
		const known = KNOWN_SURVIVORS[group] ?? [];
		const outcome = sortMutants(mutants, record, known);
		const told = tellOutcome(group, outcome);
		told.unshift(...modules.flatMap(tellFailed));
		console.log(told.join("\n"));
		console.log(
			`${record.runs} runs, ${record.shaky} of which failed once and not again`,
		);
		const { survived, unreached, stale } = outcome;
		if (survived.length + unreached.length + stale.length > 0)
			process.exitCode = 1;
	}
}

/** Tests that fail with no condition turned, and what else is wrong with a file of them. */
function tellFailed(module: TestModule): string[] {
	const tell = (name: string, errors: readonly { message: string }[] = []) =>
		`failed by itself ${[module.relativeModuleId, name].filter(Boolean).join(" > ")}: ${errors.map(({ message }) => message).join("; ")}`;
	const tests = [...module.children.allTests("failed")];
	const errors = module.errors();
	return [
		...tests.map((test) => tell(test.fullName, test.result().errors)),
		...(errors.length > 0 ? [tell("", errors)] : []),
	];
}
