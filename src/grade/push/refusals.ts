// Streams that must not open: an unknown event, a mode that is not offered, and headers that say another thing.
import { findProblems } from "../../arguments/index.ts";
import { Fault } from "../../faults/index.ts";
import { encodeHeaderValue, METHODS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { isErrorOf } from "../error-names.ts";
import {
	broken,
	type Finding,
	holds,
	odd,
	skipped,
	untestable,
} from "../finding.ts";
import type { Subject } from "../traffic/subject.ts";
import { tellError } from "../wire/answer.ts";
import type { Frame } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import {
	isActive,
	isResponse,
	isUnheard,
	notHeard,
	openStream,
	type PushGround,
	pushRow,
	startOf,
} from "./ground.ts";

const IN_LANE = { lane: "refusals" };

export const refusalChecks = [
	pushRow(
		"stream-error-before-open",
		async (context, ground) => {
			const name = `conformance.nonexistent.${context.unique()}`;
			await using stream = openStream(
				context,
				ground,
				startOf({ name, arguments: {} }),
			);
			const answer = await firstWord(context, stream);
			if (!answer || isActive(answer))
				return broken(
					answer
						? "a stream was opened for an unknown event"
						: `no error within ${context.waits.errorBeforeOpenMs} ms for an unknown event: ${tellState(stream)}`,
					stream,
				);
			const { error } = answer;
			if (!error)
				return broken("an unknown event is answered with a result", stream);
			const told = `an unknown event is answered with ${tellError(error)}`;
			return isErrorOf(error, "NotFound", context.profile)
				? holds(told, stream)
				: odd(`${told} in place of NotFound`, stream);
		},
		IN_LANE,
	),

	pushRow(
		"stream-mode-unsupported",
		async (context, ground) => {
			const subject = await context.subjects.withoutMode("push");
			if (!subject)
				return untestable(
					{ kind: "traffic", name: "an event type that does not offer push" },
					"every event type of the catalogue offers it",
				);
			await using stream = openStream(context, ground, startOf(subject));
			const answer = await firstWord(context, stream, IN_TIME);
			const { name } = subject;
			if (isUnheard(stream)) return notHeard(`of ${name}`, stream);
			if (!answer?.error)
				return broken(
					`${name} is not offered by push, and no error came: ${answer ? answer.method || "a result" : tellState(stream)}`,
					stream,
				);
			const told = `a stream of ${name}, which lacks push, is answered with ${tellError(answer.error)}`;
			if (isErrorOf(answer.error, "Unsupported", context.profile))
				return holds(told, stream);
			if (answer.error.name === "InvalidParams" && !(await isFitting(subject)))
				return untestable(
					{ kind: "flag", name: `--arguments ${name}=JSON` },
					`${told}, for arguments that could not be derived`,
					stream,
				);
			return broken(told, stream);
		},
		IN_LANE,
	),

	pushRow(
		"mcp-name-missing-rejected",
		(context, ground) => judgeHeader(context, ground, undefined),
		IN_LANE,
	),
	pushRow(
		"mcp-name-mismatch-rejected",
		(context, ground) =>
			judgeHeader(context, ground, `conformance.other.${context.unique()}`),
		IN_LANE,
	),
];

/** Asks for a good stream with the header bent: as another name, or taken away. */
async function judgeHeader(
	context: GradeContext,
	ground: PushGround,
	name: string | undefined,
): Promise<Finding> {
	if (context.wire.era === "legacy")
		return skipped("the initialize era has no Mcp-Name");
	const told =
		name === undefined ? "without Mcp-Name" : "with the Mcp-Name of another";
	await using stream = openStream(context, ground, startOf(ground.subject), {
		headers: {
			"mcp-name": name === undefined ? undefined : encodeHeaderValue(name),
		},
	});
	const answer = await firstWord(context, stream, IN_TIME);
	const status = stream.head?.status;
	const { error } = answer ?? {};
	if (isUnheard(stream)) return notHeard(told, stream);
	if (!error)
		return broken(
			`${METHODS.stream} ${told} is served: ${answer?.method ?? tellState(stream)}`,
			stream,
		);
	const seen = `${told}: HTTP ${status} with ${tellError(error)}`;
	return status === 400 && error.code === -32020
		? holds(seen, stream)
		: broken(`${seen}, in place of HTTP 400 with -32020`, stream);
}

/** For rows that are about the answer, and not about how soon it comes. */
const IN_TIME = { isPatient: true };

/** The confirmation or the response, whichever comes first. */
const firstWord = (
	{ waits }: GradeContext,
	stream: GradeStream,
	{ isPatient = false } = {},
): Promise<Frame | undefined> =>
	stream.waitFor(
		(frame) => isActive(frame) || isResponse(frame),
		isPatient
			? Math.max(waits.errorBeforeOpenMs, waits.activeMs)
			: waits.errorBeforeOpenMs,
	);

function tellState({ end, head }: GradeStream): string {
	if (end) return end.told;
	return head?.isEvents ? "an event stream stays open" : "silence";
}

async function isFitting({ arguments: args, type }: Subject): Promise<boolean> {
	try {
		return (await findProblems(args, type.inputSchema)).length === 0;
	} catch (error) {
		if (error instanceof Fault) return false;
		throw error;
	}
}
