// Runs the checks of all scenarios: side by side where they cannot disturb each other, one at a time where they do.
import { Fault } from "../faults/index.ts";
import { rowKey, type Scenario } from "./catalogue/row.ts";
import type { GradeContext } from "./context.ts";
import { type Finding, Gate, untestable } from "./finding.ts";
import type { Ledger } from "./ledger.ts";
import {
	type GradedScenario,
	type OpenCheck,
	type OpenScenario,
	PHASES,
} from "./scenario.ts";

export interface ScenarioRun {
	ledger: Ledger;
	contextOf(scenario: Scenario): GradeContext;
	/** Told of an error that is a defect of ours; the rows are told as untestable. */
	onDefect(error: unknown): void;
}

interface Running {
	scenario: Scenario;
	context: GradeContext;
	open: OpenScenario;
}

/** Judges what can be judged; rows that are left have no verdict yet. Never rejects. */
export async function runScenarios(
	scenarios: readonly GradedScenario[],
	run: ScenarioRun,
): Promise<void> {
	const opened = await Promise.all(
		scenarios.map((scenario) => openScenario(scenario, run)),
	);
	const running = opened.filter((each) => each !== undefined);
	try {
		for (const phase of PHASES) {
			const works = running.map(
				(each) => () => runPhase(each, phase === "quiet", phase, run),
			);
			if (phase === "quiet") await Promise.all(works.map((work) => work()));
			else for (const work of works) await work();
		}
	} finally {
		await Promise.allSettled(running.map(({ open }) => open.close()));
	}
}

async function openScenario(
	graded: GradedScenario,
	run: ScenarioRun,
): Promise<Running | undefined> {
	const { scenario } = graded;
	const isWanted = graded.ids.some((id) => run.ledger.isOpen(scenario, id));
	if (!isWanted) return undefined;
	const context = run.contextOf(scenario);
	try {
		return { scenario, context, open: await graded.open(context) };
	} catch (error) {
		run.ledger.tellRest(scenario, findingOf(error, context, run));
		return undefined;
	}
}

async function runPhase(
	running: Running,
	isSideBySide: boolean,
	phase: string,
	run: ScenarioRun,
): Promise<void> {
	const checks = running.open.checks.filter((check) => check.phase === phase);
	const lanes = isSideBySide
		? [...new Set(checks.map(({ lane }) => lane))].map((lane) =>
				checks.filter((check) => check.lane === lane),
			)
		: [checks];
	await Promise.all(
		lanes.map(async (lane) => {
			for (const check of lane) await runCheck(check, running, run);
		}),
	);
}

async function runCheck(
	check: OpenCheck,
	running: Running,
	run: ScenarioRun,
): Promise<void> {
	const { scenario, context } = running;
	const { ledger } = run;
	const open = check.ids.filter((id) => ledger.isOpen(scenario, id));
	if (open.length === 0 && !isLeantOn(check, running, ledger)) return;
	const startedAtMs = context.now();
	let findings: Readonly<Record<string, Finding>> = {};
	try {
		findings = await withinLimit(check, context);
		// Whatever it saw last may be our own end, and not the server's doing.
		context.signal.throwIfAborted();
	} catch (error) {
		const finding = findingOf(error, context, run);
		findings = Object.fromEntries(open.map((id) => [id, finding]));
	}
	const tookMs = context.now() - startedAtMs;
	for (const id of open) {
		const finding = findings[id] ?? forgotten(scenario, id, run);
		ledger.tell({ scenario, id, tookMs }, finding);
	}
}

/** Whether a check of rows that have no verdict yet looks at what this one brings about. */
const isLeantOn = (
	{ ids }: OpenCheck,
	{ scenario, open }: Running,
	ledger: Ledger,
): boolean =>
	open.checks.some(
		(other) =>
			other.leansOn.some((id) => ids.includes(id)) &&
			other.ids.some((id) => ledger.isOpen(scenario, id)),
	);

/** A check that hangs must not hold up the run. */
async function withinLimit(
	check: OpenCheck,
	context: GradeContext,
): Promise<Readonly<Record<string, Finding>>> {
	let stopTimer = () => {};
	const limit = new Promise<never>((_, reject) => {
		const told = untestable(
			{ kind: "time", name: `${check.limitMs} ms for this check` },
			"the server kept it waiting for longer",
		);
		stopTimer = context.setTimer(() => reject(new Gate(told)), check.limitMs);
	});
	try {
		return await Promise.race([check.run(context), limit]);
	} finally {
		stopTimer();
	}
}

function findingOf(
	error: unknown,
	{ signal }: GradeContext,
	run: ScenarioRun,
): Finding {
	if (signal.aborted) return outOfTime(signal);
	if (error instanceof Gate) return error.finding;
	return defect(error, run);
}

/** What a run that is over says of the rows that it did not get to. */
export function outOfTime({ reason }: AbortSignal): Finding {
	if (reason instanceof Fault) return failedHere(reason);
	const why = reason instanceof Error ? reason.message : "the run was stopped";
	return untestable({ kind: "time", name: "--budget DURATION" }, why);
}

function forgotten(scenario: Scenario, id: string, run: ScenarioRun): Finding {
	const key = rowKey({ scenario, id });
	return defect(new Error(`the check of ${key} gave no finding`), run);
}

/** Neither the server nor this program is to blame: a tunnel that does not come up, a port that is taken. */
const failedHere = ({ what, why = "" }: Fault): Finding =>
	untestable(
		{ kind: "feature", name: "what this run needs beside it" },
		[what, why].filter(Boolean).join(": "),
	);

function defect(error: unknown, { onDefect }: ScenarioRun): Finding {
	onDefect(error);
	if (error instanceof Fault) return failedHere(error);
	const told = error instanceof Error ? error.message : String(error);
	return untestable({ kind: "defect", name: "the check failed" }, told);
}
