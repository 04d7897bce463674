// What a scenario is made of: something prepared once, and small checks that each judge a few rows.
import type { Scenario } from "./catalogue/row.ts";
import type { GradeContext } from "./context.ts";
import type { Finding } from "./finding.ts";

/**
 * When a check runs. quiet: it disturbs nobody, and runs beside the other scenarios. changes: it changes what others
 * see (the catalogue, a whole event type), and runs alone. last: it ends sessions or takes the server down; alone, at
 * the end. closing: it looks at all that was said.
 */
export const PHASES = ["quiet", "changes", "last", "closing"] as const;
export type Phase = (typeof PHASES)[number];

export interface Check<Prepared> {
	/** Rows of the scenario that it judges, all of them. */
	ids: readonly string[];
	/** quiet where absent. */
	phase?: Phase;
	/** Checks of one lane run one after the other, different lanes side by side. Only in the quiet phase. */
	lane?: string;
	/** Longest time, if a minute does not do. */
	limitMs?: number;
	/** Rows whose checks bring about what it looks at: they run before it, though they be no part of the run. */
	leansOn?: readonly string[];
	run(
		context: GradeContext,
		prepared: Prepared,
	): Promise<Readonly<Record<string, Finding>>>;
}

export interface ScenarioModule<Prepared> {
	scenario: Scenario;
	/** Runs before the first check. A Gate that it throws is the finding of every row of the scenario. */
	prepare(context: GradeContext): Promise<Prepared>;
	checks: readonly Check<Prepared>[];
	/** Gives back what `prepare` and the checks hold; runs whatever happened. */
	close?(prepared: Prepared): Promise<void>;
}

/** A scenario that is under way: its checks know what was prepared. */
export interface OpenScenario {
	checks: readonly OpenCheck[];
	close(): Promise<void>;
}

export interface OpenCheck {
	ids: readonly string[];
	phase: Phase;
	lane: string;
	limitMs: number;
	leansOn: readonly string[];
	run(context: GradeContext): Promise<Readonly<Record<string, Finding>>>;
}

export interface GradedScenario {
	scenario: Scenario;
	/** All that its checks judge. */
	ids: readonly string[];
	open(context: GradeContext): Promise<OpenScenario>;
}

const LIMIT_MS = 60_000;

/** Hides what a scenario prepares, so that all of them fit into one list. */
export function defineScenario<Prepared>(
	module: ScenarioModule<Prepared>,
): GradedScenario {
	return {
		scenario: module.scenario,
		ids: module.checks.flatMap(({ ids }) => ids),
		async open(context) {
			const prepared = await module.prepare(context);
			return {
				checks: module.checks.map((check) => ({
					ids: check.ids,
					phase: check.phase ?? "quiet",
					lane: check.lane ?? "main",
					limitMs: check.limitMs ?? LIMIT_MS,
					leansOn: check.leansOn ?? [],
					run: (own) => check.run(own, prepared),
				})),
				close: async () => module.close?.(prepared),
			};
		},
	};
}

/** A check of one row. */
export function checkRow<Prepared>(
	id: string,
	run: (context: GradeContext, prepared: Prepared) => Promise<Finding>,
	more: Omit<Check<Prepared>, "ids" | "run"> = {},
): Check<Prepared> {
	return {
		...more,
		ids: [id],
		run: async (context, prepared) => ({ [id]: await run(context, prepared) }),
	};
}
