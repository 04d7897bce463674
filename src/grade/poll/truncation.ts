// What a truncated answer looks like: a member of the result, and a cursor to go on with (events.md 7).
import { excerpt } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import type { Check } from "../scenario.ts";
import { CONTROLS } from "../traffic/controls.ts";
import { tellAnswer } from "../wire/answer.ts";
import { type PollGround, spareFollow } from "./ground.ts";
import type { Polled } from "./polled.ts";

export const truncationChecks: Check<PollGround>[] = [
	{
		ids: ["truncated-poll-never-an-error", "truncated-returns-fresh-cursor"],
		// Whoever else follows the type is told of the gap, too.
		phase: "changes",
		async run(context, ground) {
			const made = await makeGap(ground, context);
			return {
				"truncated-poll-never-an-error": judgeMember(made, ground),
				"truncated-returns-fresh-cursor": await judgeCursor(
					made,
					ground,
					context,
				),
			};
		},
	},
];

/** A poll over events that were lost on purpose; a finding where that cannot be done. */
async function makeGap(
	ground: PollGround,
	context: GradeContext,
): Promise<Polled | Finding> {
	const { controls } = context;
	const lacking = controls.missing("yieldGap");
	if (lacking) return lacking;
	const spare = spareFollow(ground, context);
	if (!spare)
		return untestable(
			{ kind: "traffic", name: "a poll type whose cursor is a string" },
			"there is no position that events could be lost behind",
			ground.first.answer,
		);
	const { subject } = spare.first;
	const start = await ground.poll(subject, { cursor: null });
	const { name } = subject;
	const made = await controls.call("yieldGap", { name });
	if (made.kind === "failed") return made.finding;
	return await ground.poll(subject, { cursor: start.next ?? spare.last });
}

function judgeMember(made: Polled | Finding, ground: PollGround): Finding {
	const odd = ground.log.find(({ result }) => {
		const truncated = result?.truncated;
		return truncated !== undefined && typeof truncated !== "boolean";
	});
	if (odd)
		return broken(
			`truncated is ${excerpt(odd.result?.truncated, 80)}, no boolean`,
			odd.answer,
		);
	const refused = findRefused(ground.log);
	if (refused)
		return broken(
			`maxAgeMs ${refused.maxAgeMs}, which passes the cursor, is answered with ${tellAnswer(refused.answer)}`,
			refused.answer,
		);
	if (!("kind" in made) && !made.isTruncated)
		return broken(
			`events were lost by ${CONTROLS.yieldGap}, and a poll from before it is answered with ${tellAnswer(made.answer)}`,
			made.answer,
		);
	const told = ground.log.filter(({ isTruncated }) => isTruncated);
	return told.length === 0
		? noGap(made, ground)
		: holds(
				`${told.length} gaps were told by truncated in the result`,
				...told.slice(0, 3).map(({ answer }) => answer),
			);
}

/** Of two polls that differ in their maxAgeMs alone, the one that is refused for what it skips. */
function findRefused(log: readonly Polled[]): Polled | undefined {
	const aged = log.filter(
		({ maxAgeMs, cursor }) =>
			maxAgeMs !== undefined && typeof cursor === "string",
	);
	const isServed = aged.some(({ result }) => result);
	return isServed ? aged.find(({ result }) => !result) : undefined;
}

const MOST_TRIED = 3;

async function judgeCursor(
	made: Polled | Finding,
	ground: PollGround,
	{ found }: GradeContext,
): Promise<Finding> {
	const isLed = found().get("poll-response-cursor")?.kind !== "broken";
	// Without a cursor nothing can be passed: truncated-false-when-no-replay tells of those.
	const told = ground.log.filter(
		({ isTruncated, cursor, events }) =>
			isTruncated &&
			typeof cursor === "string" &&
			(isLed || events.length === 0),
	);
	if (told.length === 0) return noGap(made, ground);
	const without = told.find(({ next }) => next === undefined);
	if (without)
		return broken(
			`truncated is true, and the cursor is ${excerpt(without.result?.cursor, 80)}`,
			without.answer,
		);
	const tried: Polled[] = [];
	for (const { subject, cursor, maxAgeMs } of told.slice(-MOST_TRIED)) {
		// Once more: a fresh cursor of a while ago may be as old as the first by now.
		const age = maxAgeMs === undefined ? {} : { maxAgeMs };
		const again = await ground.poll(subject, { cursor, ...age });
		if (!again.isTruncated || again.next === undefined) continue;
		const after = await ground.poll(subject, { cursor: again.next });
		if (!after.result || after.isTruncated)
			return broken(
				`the cursor beside truncated is answered with ${tellAnswer(after.answer)}`,
				again.answer,
				after.answer,
			);
		tried.push(again, after);
	}
	if (tried.length === 0)
		return untestable(
			{ kind: "answer", name: "events/poll that is truncated, and a cursor" },
			"what was truncated before has no cursor, or is not truncated any more",
			...told.slice(-1).map(({ answer }) => answer),
		);
	return holds(
		`${told.length} truncated answers have a cursor, and polls with it go on`,
		...tried.map(({ answer }) => answer),
	);
}

const noGap = (made: Polled | Finding, { first }: PollGround): Finding =>
	"kind" in made
		? made
		: untestable(
				{ kind: "traffic", name: "an answer with truncated true" },
				`events were lost by ${CONTROLS.yieldGap}, and a poll from before it is answered with ${tellAnswer(made.answer)}`,
				made.answer,
				first.answer,
			);
