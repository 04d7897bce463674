// Passing troubles of a stream: an error that it survives, and a gap that it tells of (events.md 5 and 7).
import { excerpt, NOTIFICATIONS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import {
	broken,
	type Finding,
	holds,
	skipped,
	untestable,
} from "../finding.ts";
import type { Frame } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import {
	isActive,
	isTerminated,
	notOpen,
	openStanding,
	type PushGround,
	pushRow,
} from "./ground.ts";
import { eventsOf, eventTraffic, waitForEvents } from "./occurrences.ts";

/** The controls trouble a whole event type. */
const ALONE = { phase: "changes" } as const;

/** Types that are asked whether they have replay, at most. */
const MOST_TYPES = 12;

const isError = ({ method }: Frame) => method === NOTIFICATIONS.error;

export const troubleChecks = [
	pushRow("stream-error-is-recoverable", surviveError, ALONE),
	pushRow("stream-gap-resends-active", tellGap, ALONE),
	pushRow("truncated-false-when-no-replay", tellNoGap, ALONE),
];

async function surviveError(
	context: GradeContext,
	ground: PushGround,
): Promise<Finding> {
	const { waits, controls } = context;
	const { subject } = ground;
	const opened = await openStanding(context, ground, subject);
	if (opened.kind === "failed") return opened.finding;
	await using stream = opened.stream;
	const fired = await controls.call("yieldError", { name: subject.name });
	if (fired.kind === "failed") return fired.finding;
	const error = await stream.waitFor(isError, waits.activeMs);
	if (!error)
		return untestable(
			{ kind: "control", name: "events_conformance_yield_error" },
			`it is acknowledged, and no notifications/events/error came in ${waits.activeMs} ms`,
			fired.answer,
			stream,
		);
	const place = stream.frames.indexOf(error) + 1;
	await stream.watch(waits.afterTerminatedMs);
	return await goesOn(context, ground, {
		stream,
		name: subject.name,
		place,
		cause: error,
	});
}

/** That the stream is open, and that events go on behind a frame. */
async function goesOn(
	context: GradeContext,
	ground: PushGround,
	{
		stream,
		name,
		place,
		cause,
	}: { stream: GradeStream; name: string; place: number; cause: Frame },
): Promise<Finding> {
	const what = cause.method;
	const end = () => {
		const terminated = stream.frames.find(isTerminated);
		if (terminated)
			return broken(`behind ${what} came terminated`, cause, terminated);
		return (
			stream.end &&
			broken(
				`behind ${what} the stream ended: ${stream.end.told}`,
				cause,
				stream,
			)
		);
	};
	const ended = end();
	if (ended) return ended;
	const events = await waitForEvents(context, stream, {
		count: 1,
		from: place,
	});
	if (events.length > 0)
		return holds(
			`${what} came, and events went on behind it`,
			cause,
			...events.slice(0, 1),
		);
	const endedLater = end();
	if (endedLater) return endedLater;
	const isSame = name === ground.subject.name;
	if (isSame && eventsOf(ground.main).length > 0)
		return broken(
			`behind ${what} no event came in ${context.waits.occurrenceMs} ms, as they did before`,
			cause,
			stream,
		);
	return untestable(
		eventTraffic(name),
		`the stream stays open behind ${what}; whether delivery goes on was not seen`,
		cause,
	);
}

async function tellGap(
	context: GradeContext,
	ground: PushGround,
): Promise<Finding> {
	const { waits, controls } = context;
	const lacking = controls.missing("yieldGap");
	if (lacking) return lacking;
	const found = await findStream(context, ground, (cursor) => cursor !== null);
	if (found.kind === "none")
		return (
			found.finding ??
			skipped("no event type that offers push has replay, and so none a gap")
		);
	await using stream = found.stream;
	const { opening, name } = found;
	const fired = await controls.call("yieldGap", { name });
	if (fired.kind === "failed") return fired.finding;
	const active = await stream.waitFor(
		(frame) => isActive(frame) && frame !== opening,
		waits.activeMs,
	);
	if (!active)
		return broken(
			`no further active came within ${waits.activeMs} ms of a gap`,
			fired.answer,
			stream,
		);
	const place = stream.frames.indexOf(active);
	const { cursor, truncated } = active.params;
	if (truncated !== true)
		return broken(
			`the active of a gap has truncated ${excerpt(truncated, 60)}`,
			active,
		);
	const known = stream.frames
		.slice(0, place)
		.map(({ params }) => params.cursor);
	if (typeof cursor !== "string" || known.includes(cursor))
		return broken(
			`the active of a gap has the cursor ${excerpt(cursor, 80)}, which is no fresh one`,
			active,
			stream,
		);
	return await goesOn(context, ground, {
		stream,
		name,
		place: place + 1,
		cause: active,
	});
}

async function tellNoGap(
	context: GradeContext,
	ground: PushGround,
): Promise<Finding> {
	const { waits, controls } = context;
	const lacking = controls.missing("yieldGap");
	if (lacking) return lacking;
	const found = await findStream(context, ground, (cursor) => cursor === null);
	if (found.kind === "none")
		return (
			found.finding ?? skipped("every event type that offers push has a cursor")
		);
	await using stream = found.stream;
	const { name, opening } = found;
	const fired = await controls.call("yieldGap", { name });
	if (fired.kind === "failed") return fired.finding;
	const truncated = await stream.waitFor(
		(frame) => isActive(frame) && frame.params.truncated === true,
		waits.noReplayGapMs,
	);
	if (truncated)
		return broken(
			`${excerpt(name, 80)} has no replay, and an active with truncated true`,
			opening,
			truncated,
		);
	return stream.end
		? notOpen(`it ended: ${stream.end.told}`, stream)
		: holds(
				`no truncated on a stream of ${excerpt(name, 80)} in ${waits.noReplayGapMs} ms behind a gap`,
				fired.answer,
				stream,
			);
}

type Found =
	| { kind: "found"; stream: GradeStream; name: string; opening: Frame }
	/** `finding`: where a type could not be asked, so that it is not known whether there is one. */
	| { kind: "none"; finding: Finding | undefined };

/** A stream of the first type whose cursor is as wanted. The caller cancels it. */
async function findStream(
	context: GradeContext,
	ground: PushGround,
	isWanted: (cursor: unknown) => boolean,
): Promise<Found> {
	const subjects = await context.subjects.withMode("push");
	let finding: Finding | undefined;
	for (const subject of subjects.slice(0, MOST_TYPES)) {
		const opened = await openStanding(context, ground, subject);
		if (opened.kind === "failed") {
			finding ??= opened.finding;
			continue;
		}
		const { stream, active, cursor } = opened;
		if (isWanted(cursor))
			return { kind: "found", stream, name: subject.name, opening: active };
		await stream.cancel();
	}
	return { kind: "none", finding };
}
