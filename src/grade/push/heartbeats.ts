// Signs of life: the main stream is watched for longer than a heartbeat may be apart, in a lane of its own.
import { excerpt, NOTIFICATIONS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import {
	broken,
	type Finding,
	harmful,
	holds,
	odd,
	untestable,
} from "../finding.ts";
import type { Frame } from "../wire/frame.ts";
import {
	confirm,
	isEvent,
	openStream,
	type PushGround,
	pushRow,
	startOf,
	whyAsideOf,
} from "./ground.ts";
import { Stretch, waitForEvents } from "./occurrences.ts";

const WATCH = { lane: "heartbeats", limitMs: 120_000 };
/** The beats that it waits for are what the others look at. */
const WATCHED = { ...WATCH, leansOn: ["stream-heartbeat-required"] };

/** Stands in the way where a row needs a beat. */
const noBeat = ({ main }: PushGround): Finding =>
	untestable(
		{ kind: "traffic", name: "a heartbeat" },
		`none came in ${watchedMs(main)} ms`,
		main,
	);

export const heartbeatChecks = [
	pushRow(
		"stream-heartbeat-required",
		async (context, ground) => {
			const { main } = ground;
			const { waits, now } = context;
			await watchMain(context, ground);
			const beats = beatsOf(ground);
			const ms = watchedMs(main, now());
			if (beats.length > 0)
				return holds(`${beats.length} in ${ms} ms`, ...beats.slice(0, 3));
			const { comments } = main.counts;
			if (comments > 0)
				return untestable(
					{ kind: "traffic", name: "a heartbeat" },
					`${comments} comment lines came in its place; stream-heartbeat-not-sse-comment tells of it`,
					main,
				);
			if (ms <= waits.heartbeatMs)
				return untestable(
					{
						kind: "time",
						name: `more than ${waits.heartbeatMs} ms of watching`,
					},
					main.end
						? `the stream ended after ${ms} ms: ${main.end.told}`
						: `it was watched for ${ms} ms`,
					main,
				);
			const events = main.frames.filter(isEvent).length;
			return broken(`none in ${ms} ms, beside ${events} events`, main);
		},
		WATCH,
	),

	pushRow("stream-heartbeat-carries-cursor", judgeCursors, WATCHED),

	pushRow(
		"stream-heartbeat-interval",
		async ({ waits }, ground) => {
			const beats = beatsOf(ground);
			if (beats.length === 0) return noBeat(ground);
			const times = [ground.main.openedAtMs, ...beats.map(({ at }) => at)];
			const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
			const longest = Math.max(...gaps);
			const told = `the longest time without one was ${longest} ms, over ${beats.length}`;
			return longest > waits.heartbeatMs + waits.heartbeatToleranceMs
				? broken(told, ...beats.slice(0, 5))
				: holds(told, ...beats.slice(0, 3));
		},
		WATCHED,
	),

	pushRow(
		"stream-heartbeat-not-sse-comment",
		async (_context, ground) => {
			const { main } = ground;
			const beats = beatsOf(ground).length;
			const { comments } = main.counts;
			if (comments > 0 && beats === 0)
				return harmful(`${comments} comment lines and no heartbeat`, main);
			if (comments > 0)
				return odd(
					`${comments} comment lines beside ${beats} heartbeats`,
					main,
				);
			return beats > 0
				? holds(`${beats} heartbeats as data, and no comment line`, main)
				: noBeat(ground);
		},
		WATCHED,
	),

	pushRow("heartbeat-cursor-resumes", resumeFromBeat, WATCHED),
];

/** No longer than another beat could still come too late within the window. */
async function watchMain(
	{ waits, now }: GradeContext,
	{ main }: PushGround,
): Promise<void> {
	const untilMs = main.openedAtMs + waits.pushWatchMs;
	const limitMs = waits.heartbeatMs + waits.heartbeatToleranceMs;
	for (let from = 0; ; ) {
		const beat = await main.waitFor(isBeat, untilMs - now(), from);
		if (!beat || beat.at + limitMs > untilMs) return;
		from = main.frames.indexOf(beat) + 1;
	}
}

const isBeat = ({ method }: Frame) => method === NOTIFICATIONS.heartbeat;

const beatsOf = ({ main }: PushGround): Frame[] => main.frames.filter(isBeat);

const watchedMs = (
	{ openedAtMs, end, frames }: PushGround["main"],
	nowMs = frames.at(-1)?.at ?? openedAtMs,
) => (end?.at ?? nowMs) - openedAtMs;

async function judgeCursors(
	_context: GradeContext,
	ground: PushGround,
): Promise<Finding> {
	const { opening } = ground;
	const beats = beatsOf(ground);
	if (beats.length === 0) return noBeat(ground);
	const told = (frame: Frame) =>
		`the cursor of a heartbeat is ${excerpt(frame.params.cursor, 60)}`;
	const wrong = beats.find(({ params: { cursor = null } }) =>
		typeof cursor === "string" ? false : cursor !== null,
	);
	if (wrong) return broken(told(wrong), wrong);
	const isReplaying =
		opening.kind === "active" && typeof opening.cursor === "string";
	const without = beats.find(({ params }) => typeof params.cursor !== "string");
	if (!isReplaying || !without)
		return holds(
			`on all ${beats.length}, such as ${excerpt(beats[0]?.params.cursor ?? null, 60)}`,
			...beats.slice(0, 3),
		);
	const why = `${told(without)}, though the stream began with a position`;
	return "cursor" in without.params ? odd(why, without) : broken(why, without);
}

/** Events behind a beat that are waited for. */
const BEHIND_BEAT = 3;

/** What the main stream brought behind a beat must come on a stream that begins with its cursor. */
async function resumeFromBeat(
	context: GradeContext,
	ground: PushGround,
): Promise<Finding> {
	const { main, subject } = ground;
	const beat = beatsOf(ground).find(
		({ params }) => typeof params.cursor === "string",
	);
	const cursor = beat?.params.cursor;
	if (!beat || typeof cursor !== "string")
		return untestable(
			{ kind: "traffic", name: "a heartbeat with a cursor" },
			`none came in ${watchedMs(main)} ms`,
			main,
		);
	const from = main.frames.indexOf(beat) + 1;
	await waitForEvents(context, main, { count: BEHIND_BEAT, from });
	const behind = main.frames.slice(from);
	const stretch = new Stretch(behind.filter(isEvent));
	await using stream = openStream(context, ground, startOf(subject, cursor));
	const next = await confirm(context, stream);
	if (next.kind !== "active")
		return (
			whyAsideOf(next, stream, ground) ??
			broken(
				`a stream with the cursor ${excerpt(cursor, 80)} of a heartbeat: ${next.told}`,
				beat,
				stream,
			)
		);
	if (next.truncated === true)
		return untestable(
			{ kind: "traffic", name: "history that reaches back to a heartbeat" },
			"the stream begins with truncated: events behind it are no longer kept",
			beat,
			next.frame,
		);
	const places = [...stretch.events.keys()];
	if (places.length === 0)
		return untestable(
			{ kind: "traffic", name: "an event behind a heartbeat" },
			"a stream began with the cursor of one, and nothing had come behind it that could be missed",
			beat,
			next.frame,
		);
	await stretch.waitForPlaces(stream, places, context.waits.occurrenceMs);
	const come = new Set(stretch.placesIn(stream.frames));
	const lost = places.filter((place) => !come.has(place));
	return lost.length > 0
		? broken(
				`of ${places.length} events behind a heartbeat ${lost.length} do not come on a stream with its cursor`,
				beat,
				stream,
			)
		: holds(
				`a stream began with the cursor of a heartbeat, and brought the ${places.length} events behind it`,
				beat,
				stream,
			);
}
