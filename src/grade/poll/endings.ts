// What a poll is told of a type that is gone, or that may be had no more (events.md 2 and 7).
import type { GradeContext } from "../context.ts";
import { isErrorOf } from "../error-names.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import { type Answer, errorOf, resultOf, tellAnswer } from "../wire/answer.ts";
import { type PollGround, spareFollow } from "./ground.ts";
import { askUnknown } from "./refusals.ts";

export const endingChecks: Check<PollGround>[] = [
	checkRow(
		"removal-poll-not-found",
		async (context, ground) => {
			const { profile } = context;
			const unknown = await askUnknown(context);
			if (resultOf(unknown))
				return untestable(
					{ kind: "answer", name: "events/poll of an unknown name" },
					"it is answered with a result; poll-errors-are-jsonrpc tells of it",
					unknown,
				);
			const isNotFound = (answer: Answer) => {
				const error = errorOf(answer);
				return error !== undefined && isErrorOf(error, "NotFound", profile);
			};
			const told = `an unknown name: ${tellAnswer(unknown)}`;
			if (!isNotFound(unknown)) return broken(told, unknown);
			const removed = await pollRemoved(context, ground);
			if (!removed) return holds(told, unknown);
			const also = `a name that was removed: ${tellAnswer(removed)}`;
			return isNotFound(removed)
				? holds(also, unknown, removed)
				: broken(also, removed);
		},
		{ phase: "changes" },
	),

	checkRow("poll-revoked-error", pollRevoked, { phase: "changes" }),
];

/** Undefined where no type can be removed, or the only one is needed. */
async function pollRemoved(
	context: GradeContext,
	ground: PollGround,
): Promise<Answer | undefined> {
	const { controls } = context;
	const spare = spareFollow(ground, context);
	if (!controls.has("catalog") || !spare || spare === ground.history)
		return undefined;
	const { subject } = spare.first;
	const { name } = subject;
	const removed = await controls.call("catalog", { action: "remove", name });
	if (removed.kind === "failed") return undefined;
	try {
		return (await ground.poll(subject, { cursor: spare.last })).answer;
	} finally {
		await controls.call("catalog", { action: "restore", name });
	}
}

async function pollRevoked(
	context: GradeContext,
	ground: PollGround,
): Promise<Finding> {
	const { controls } = context;
	const lacking = controls.missing("access");
	if (lacking) return lacking;
	const spare = spareFollow(ground, context);
	if (!spare)
		return untestable(
			{ kind: "traffic", name: "a poll type whose cursor is a string" },
			"there is no subscription that access could be taken from",
			ground.first.answer,
		);
	const { subject } = spare.first;
	const { name } = subject;
	const before = await ground.poll(subject, { cursor: null });
	const taken = await controls.call("access", { action: "revoke", name });
	if (taken.kind === "failed") return taken.finding;
	try {
		const cursor = before.next ?? spare.last;
		const { answer } = await ground.poll(subject, { cursor });
		const told = `after ${name} was taken away: ${tellAnswer(answer)}`;
		return errorOf(answer)
			? holds(told, before.answer, answer)
			: broken(told, before.answer, answer);
	} finally {
		await controls.call("access", { action: "restore", name });
	}
}
