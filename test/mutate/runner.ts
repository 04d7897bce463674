// Runs each test once as it is, to see which conditions it reaches, and then once for each of their mutants that no
// test has caught yet and that this one may.
import { appendFileSync } from "node:fs";
import type { RunnerTestCase } from "vitest";
import { TestRunner } from "vitest";
import { readChoice } from "./choice.ts";
import { knownIn } from "./known-survivors.ts";
import { readMutants } from "./mutants.ts";
import { type MutationRecord, readRecord, writeRecord } from "./record.ts";
import { inRun, type Mutant } from "./switch.ts";

const choice = readChoice(process.env);
const mutants = readMutants(choice.root, choice.group, choice.turns).filter(
	({ mutant }) => choice.isChosen(mutant),
);
const known = new Set(
	mutants.filter(knownIn(choice.group)).map(({ mutant }) => mutant),
);

/** A mutant may make a test slower, and so may other mutants beside it; what hangs is caught, too. */
const deadlineOf = (tookMs: number) => 5 * tookMs + 20_000;

/** Tests of a file in which a condition had the same values are alike to its mutants: so many are tried at first. */
const ALIKE_TRIED = 3;

interface Reached {
	test: string;
	file: string;
	mutants: ReadonlySet<Mutant>;
	act(): Promise<void>;
}

export default class MutatingRunner extends TestRunner {
	async runTask(task: RunnerTestCase): Promise<void> {
		const run = async () => await TestRunner.getTestFn(task)();
		const test = `${task.file.name} > ${task.fullTestName}`;
		const record = readRecord(choice.recordPath);
		if (!mutants.some(({ mutant }) => mayReach(mutant, test, record))) return;
		const reached = new Set<Mutant>();
		let tookMs = 0;
		// What was graded before the tests is looked at first; only the second time does such a test do its work by itself.
		for (let time = 0; time < 2 && reached.size === 0; time++) {
			const startedAtMs = performance.now();
			await inRun({ mutant: undefined, reached }, run);
			tookMs = performance.now() - startedAtMs;
		}
		const act = () => inTime(run, deadlineOf(tookMs));
		await turnEach(
			{ test, file: task.file.name, mutants: reached, act },
			record,
		);
		writeRecord(choice.recordPath, record);
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
	const left = here
		.map(({ mutant }) => mutant)
		.filter((mutant) => isWorthATry(mutant, reached, record));
	const count = left.length;
	const work = async () => {
		for (let next = left.shift(); next; next = left.shift())
			await turn(next, reached, record);
	};
	await Promise.all(Array.from({ length: choice.atOnce }, work));
	for (const { mutant } of here)
		record.reached[mutant] = [
			...new Set([...(record.reached[mutant] ?? []), test]),
		];
	const survivors = here.filter(({ mutant }) => !record.killed[mutant]);
	appendFileSync(
		choice.logPath,
		`${new Date().toISOString()} ${test}: ${here.length} reached, ${count} tried, ${survivors.length} left\n`,
	);
}

function isWorthATry(
	mutant: Mutant,
	reached: Reached,
	{ killed, tried }: MutationRecord,
): boolean {
	if (killed[mutant]) return false;
	if (choice.isThorough) return !known.has(mutant);
	return (tried[mutant]?.[kindOf(mutant, reached)] ?? 0) < ALIKE_TRIED;
}

/** Who fails first of all is believed; later, a mutant must make the test fail twice, for machines stand still. */
async function turn(
	mutant: Mutant,
	reached: Reached,
	record: MutationRecord,
): Promise<void> {
	const fails = () => {
		record.runs += 1;
		return inRun({ mutant, reached: new Set() }, reached.act).then(
			() => false,
			() => true,
		);
	};
	const isFirst = record.reached[mutant] === undefined;
	const hasFailed = await fails();
	if (hasFailed && (isFirst || (await fails()))) {
		record.killed[mutant] = reached.test;
		return;
	}
	if (hasFailed) record.shaky += 1;
	const kind = kindOf(mutant, reached);
	const before = record.tried[mutant];
	record.tried[mutant] = { ...before, [kind]: (before?.[kind] ?? 0) + 1 };
}

/** What a test is to a mutant: its file, and what the condition was while it ran as it is. */
function kindOf(mutant: Mutant, { file, mutants: all }: Reached): string {
	const place = mutant.slice(0, mutant.lastIndexOf(" "));
	const values = ["yes", "no"].filter((turn) => all.has(`${place} ${turn}`));
	return [file, ...values].join(" ");
}

/** Rejects when the time is up; the test may go on by itself until its own end. */
async function inTime(
	act: () => Promise<void>,
	deadlineMs: number,
): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<void>((_resolve, reject) => {
		timer = setTimeout(() => reject(new Error("hangs")), deadlineMs);
	});
	try {
		await Promise.race([act(), late]);
	} finally {
		clearTimeout(timer);
	}
}
