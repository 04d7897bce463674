// What ends a stream from the server's side: terminated, the closing result, and the end of the answer (events.md 5).
import { excerpt, isRecord, META } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import type { Frame } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import {
	isEvent,
	isTerminated,
	openStanding,
	type PushGround,
	pushRows,
	sameFor,
} from "./ground.ts";
import { findVictim, NO_VICTIM } from "./removals.ts";

const ROWS = [
	"stream-terminated-ends-subscription",
	"stream-final-result-shape",
	"stream-final-result-timing",
] as const;

/** Uses up an event type, and so comes after whatever else alters one. */
export const endingChecks = [pushRows(ROWS, terminate, { phase: "changes" })];

async function terminate(
	context: GradeContext,
	ground: PushGround,
): Promise<Record<(typeof ROWS)[number], Finding>> {
	const { controls, waits } = context;
	const lacking = controls.missing("terminate");
	if (lacking) return sameFor(ROWS, lacking);
	const victim = await findVictim(context);
	if (!victim) return sameFor(ROWS, NO_VICTIM);
	const opened = await openStanding(context, ground, victim);
	if (opened.kind === "failed") return sameFor(ROWS, opened.finding);
	await using stream = opened.stream;
	const fired = await controls.call("terminate", { name: victim.name });
	if (fired.kind === "failed") return sameFor(ROWS, fired.finding);
	const terminated = await stream.waitFor(isTerminated, waits.terminatedMs);
	await stream.waitForEnd(waits.afterTerminatedMs);
	return {
		"stream-terminated-ends-subscription": judgeEnd(
			context,
			stream,
			terminated,
		),
		"stream-final-result-shape": judgeShape(context, stream),
		"stream-final-result-timing": judgeTiming(context, stream, terminated),
	};
}

function judgeEnd(
	{ waits }: GradeContext,
	stream: GradeStream,
	terminated: Frame | undefined,
): Finding {
	if (!terminated)
		return broken(
			stream.end
				? `the subscription was ended without terminated: ${stream.end.told}`
				: `no terminated within ${waits.terminatedMs} ms of the end of its event type`,
			stream,
		);
	const behind = stream.frames.slice(stream.frames.indexOf(terminated) + 1);
	const event = behind.find(isEvent);
	if (event)
		return broken("an event came behind terminated", terminated, event);
	return stream.end
		? holds(
				`terminated came, and ${stream.end.at - terminated.at} ms later the stream had ended`,
				terminated,
			)
		: broken(
				`the stream is still open ${waits.afterTerminatedMs} ms after terminated`,
				terminated,
				stream,
			);
}

const finalsOf = ({ frames, id }: GradeStream): Frame[] =>
	frames.filter(({ kind, id: own }) => kind === "result" && own === id);

function judgeShape({ profile }: GradeContext, stream: GradeStream): Finding {
	const [final] = finalsOf(stream);
	if (!final)
		return untestable(
			{ kind: "answer", name: "a stream that the server ends" },
			"it ended without a closing result",
			stream,
		);
	if (!isRecord(final.result))
		return broken("the closing result is no object", final);
	const { _meta: meta, resultType: _type, ...rest } = final.result;
	const others = Object.keys(rest);
	if (others.length > 0)
		return broken(`it has ${excerpt(others, 120)} beside _meta`, final);
	const id = isRecord(meta) ? meta[META.subscriptionId] : undefined;
	const isSketch = profile === "sketch" && id === undefined;
	return id === stream.id || isSketch
		? holds(`an empty result with _meta ${excerpt(meta, 120)}`, final)
		: broken(
				`the subscription id in its _meta is ${excerpt(id, 60)}, and the id of the request ${excerpt(stream.id, 60)}`,
				final,
			);
}

function judgeTiming(
	_context: GradeContext,
	stream: GradeStream,
	terminated: Frame | undefined,
): Finding {
	const finals = finalsOf(stream);
	const [final] = finals;
	if (!stream.end)
		return untestable(
			{ kind: "answer", name: "a stream that the server ends" },
			"the stream is still open",
			stream,
		);
	if (!final)
		return broken(
			`the server ended the stream without a closing result: ${stream.end.told}`,
			stream,
		);
	if (finals.length > 1)
		return broken(`${finals.length} closing results came`, ...finals);
	if (stream.frames.at(-1) !== final)
		return broken("something came behind the closing result", final, stream);
	return holds(
		terminated
			? "one closing result, behind terminated and before the end"
			: "one closing result, before the end",
		final,
	);
}
