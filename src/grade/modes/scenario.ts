// events-modes: one subscription by poll, push and webhook at once; what they bring is compared (--modes-agree).
import type { GradeContext } from "../context.ts";
import { type Finding, untestable } from "../finding.ts";
import { defineScenario } from "../scenario.ts";
import type { Subject } from "../traffic/subject.ts";
import { compareModes } from "./compare-modes.ts";
import { judgeModes, MODES_ROWS, sameForAll } from "./judge-modes.ts";

/** One that is quiet, or whose callbacks are refused, makes way for the next. */
const MOST_TYPES = 3;
/** All that is waited for in it ends before. */
const LIMIT_MS = 240_000;

export const modes = defineScenario<undefined>({
	scenario: "events-modes",
	prepare: async () => undefined,
	checks: [
		{
			ids: MODES_ROWS,
			// Alone: gaps and changes that other checks ask for must not fall into what is compared.
			phase: "changes",
			limitMs: LIMIT_MS,
			run: judgeFirstThatServes,
		},
	],
});

async function judgeFirstThatServes(context: GradeContext) {
	const candidates = await subjectsOf(context);
	const { modesLateMs } = context.waits;
	let best = sameForAll(noType(context));
	for (const [at, subject] of candidates.entries()) {
		const findings = judgeModes(
			await compareModes(context, subject),
			modesLateMs,
		);
		if (at === 0) best = findings;
		const isTried = Object.values(findings).some(
			({ kind }) => kind !== "untestable",
		);
		if (isTried) return findings;
	}
	return best;
}

/** Those for which arguments were given come first, then those with most modes. */
async function subjectsOf({
	subjects,
	options,
}: GradeContext): Promise<Subject[]> {
	const modes = ["poll", "push", "webhook"] as const;
	const all = (await Promise.all(modes.map(subjects.withMode))).flat();
	const byName = new Map(all.map((subject) => [subject.name, subject]));
	const rankOf = ({ name, type }: Subject) =>
		type.modes.length + (options.arguments.has(name) ? modes.length : 0);
	return [...byName.values()]
		.filter(({ type }) => type.modes.length > 1)
		.sort((a, b) => rankOf(b) - rankOf(a))
		.slice(0, MOST_TYPES);
}

function noType({ listing }: GradeContext): Finding {
	const several = listing.types.find(({ modes }) => modes.length > 1);
	if (several)
		return untestable(
			{ kind: "flag", name: `--arguments ${several.name}=JSON` },
			"its arguments cannot be derived from the inputSchema",
			several.page,
		);
	return untestable(
		{ kind: "feature", name: "an event type that offers two modes" },
		`none of the ${listing.types.length} event types lists more than one`,
		listing.pages[0],
	);
}
