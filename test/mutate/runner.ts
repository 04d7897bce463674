// Runs each test once as it is, to see which conditions it reaches, and then once for each of their mutants that no
// test has caught yet and that this one may. A test that fails with a mutant must pass as it is right afterwards, or
// it is not believed.
import { appendFileSync } from "node:fs";
import type { RunnerTestCase } from "vitest";
import { TestRunner } from "vitest";
import { readChoice } from "./choice.ts";
import { knownIn } from "./known-survivors.ts";
import { type FoundMutant, readMutants } from "./mutants.ts";
import { type MutationRecord, readRecord, writeRecord } from "./record.ts";
import { mayMean, readRowsOf } from "./rows-of.ts";
import { Slots } from "./slots.ts";
import { inRun, type Mutant, openRun, type Run } from "./switch.ts";

const choice = readChoice(process.env);

/** The files of a run are handled by one worker, which loads this anew for each. */
const ofWorker: typeof globalThis & { mutation?: Shared } = globalThis;
ofWorker.mutation ??= {
	record: readRecord(choice.recordPath),
	begun: new Set(),
	slots: new Slots(choice.atOnce),
};
const shared = ofWorker.mutation;

interface Shared {
	record: MutationRecord;
	/** Mutants with which a test was run. */
	begun: Set<Mutant>;
	slots: Slots;
}

const mutants = readMutants(choice.root, choice.group, choice.turns).filter(
	({ mutant }) => choice.isChosen(mutant),
);
const rowsOf = readRowsOf(
	choice.root,
	new Set(mutants.map(({ path }) => path)),
);
const known = new Set(
	mutants.filter(knownIn(choice.group)).map(({ mutant }) => mutant),
);

/** A mutant may make a test slower, and so may other mutants beside it; what hangs is caught, too. */
const deadlineOf = (tookMs: number) => 4 * tookMs + 15_000;

/** A mutant may make a test read more conditions, but not go round in circles. */
const readsMostOf = (reads: number) => 20 * reads + 5_000;
const MOST_READS = 1_000_000_000;

/** Tests of a file in which a condition had the same values are alike to its mutants: so many are tried at first. */
const ALIKE_TRIED = 2;

interface Reached {
	test: string;
	file: string;
	mutants: ReadonlySet<Mutant>;
	/** Runs it with a mutant, or as it is; rejects when it fails. */
	act(mutant?: Mutant): Promise<void>;
}

export default class MutatingRunner extends TestRunner {
	async runTask(task: RunnerTestCase): Promise<void> {
		const run = async () => await TestRunner.getTestFn(task)();
		const test = `${task.file.name} > ${task.fullTestName}`;
		const { record, slots } = shared;
		if (!mutants.some(({ mutant }) => mayReach(mutant, test, record))) return;
		let base = openRun(undefined, MOST_READS);
		let tookMs = 0;
		// What was graded before the tests is looked at first; only the second time does such a test do its work by itself.
		for (let time = 0; time < 2 && base.reached.size === 0; time++) {
			base = openRun(undefined, MOST_READS);
			tookMs = await slots.use(async () => {
				const startedAtMs = performance.now();
				await inRun(base, run);
				return performance.now() - startedAtMs;
			});
		}
		const readsMost = readsMostOf(MOST_READS - base.readsLeft);
		const act = (mutant?: Mutant) =>
			inTime(run, openRun(mutant, readsMost), deadlineOf(tookMs));
		const file = task.file.name;
		try {
			await turnEach({ test, file, mutants: base.reached, act }, record);
		} finally {
			writeRecord(choice.recordPath, record);
		}
	}
}

/** Whether a test is worth its time at all. */
function mayReach(
	mutant: Mutant,
	test: string,
	{ killed, reached }: MutationRecord,
): boolean {
	if (killed[mutant]) return false;
	return !choice.isThorough || (reached[mutant] ?? []).includes(test);
}

async function turnEach(reached: Reached, record: MutationRecord) {
	const { test } = reached;
	const here = mutants.filter(({ mutant }) => reached.mutants.has(mutant));
	for (const { mutant } of here)
		record.reached[mutant] = [
			...new Set([...(record.reached[mutant] ?? []), test]),
		];
	const left = here
		.filter((found) => isWorthATry(found, reached, record))
		.map(({ mutant }) => mutant);
	const again = await Promise.all(
		left.map((mutant) => shared.slots.use(() => turn(mutant, reached, record))),
	);
	// Of a test that fails by itself, be it now and then, nothing is believed.
	if (again.includes(false))
		for (const mutant of left)
			if (record.killed[mutant] === test) delete record.killed[mutant];
	const survivors = here.filter(({ mutant }) => !record.killed[mutant]);
	appendFileSync(
		choice.logPath,
		`${new Date().toISOString()} ${test}: ${here.length} reached, ${left.length} tried, ${survivors.length} left\n`,
	);
	if (again.includes(false) && !again.includes(true))
		throw new Error("it passes once, and not again");
}

function isWorthATry(
	{ mutant, path }: FoundMutant,
	reached: Reached,
	{ killed, tried }: MutationRecord,
): boolean {
	if (killed[mutant]) return false;
	if (choice.isThorough) return !known.has(mutant);
	if (!mayMean(reached.test, path, rowsOf)) return false;
	return (tried[mutant]?.[kindOf(mutant, reached)] ?? 0) < ALIKE_TRIED;
}

/**
 * Who fails first of all is believed; later, a mutant must make the test fail twice, for machines stand still. Resolves
 * to whether the test then passed as it is; undefined where that was not asked.
 */
async function turn(
	mutant: Mutant,
	reached: Reached,
	record: MutationRecord,
): Promise<boolean | undefined> {
	const fails = (what?: Mutant) => {
		record.runs += 1;
		return reached.act(what).then(
			() => false,
			() => true,
		);
	};
	if (record.killed[mutant]) return undefined;
	const isFirst = !shared.begun.has(mutant);
	shared.begun.add(mutant);
	const hasFailed = await fails(mutant);
	if (hasFailed && (isFirst || (await fails(mutant)))) {
		const passes = !(await fails());
		if (passes) record.killed[mutant] = reached.test;
		return passes;
	}
	if (hasFailed) record.shaky += 1;
	const kind = kindOf(mutant, reached);
	const before = record.tried[mutant];
	record.tried[mutant] = { ...before, [kind]: (before?.[kind] ?? 0) + 1 };
	return undefined;
}

/** What a test is to a mutant: its file, and what the condition was while it ran as it is. */
function kindOf(mutant: Mutant, { file, mutants: all }: Reached): string {
	const place = mutant.slice(0, mutant.lastIndexOf(" "));
	const values = ["yes", "no"].filter((turn) => all.has(`${place} ${turn}`));
	return [file, ...values].join(" ");
}

/** Rejects when the time is up; what is left of the run then fails by itself. */
async function inTime(
	act: () => Promise<void>,
	run: Run,
	deadlineMs: number,
): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<void>((_resolve, reject) => {
		timer = setTimeout(() => {
			run.readsLeft = 0;
			reject(new Error("the mutant hangs"));
		}, deadlineMs);
	});
	try {
		await Promise.race([inRun(run, act), late]);
	} finally {
		clearTimeout(timer);
	}
}
