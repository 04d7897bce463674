// One event, one id: within a batch, and whether it comes by poll or by push (events.md 3).
import {
	excerpt,
	isRecord,
	METHODS,
	NOTIFICATIONS,
} from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import type { Check } from "../scenario.ts";
import type { Frame } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import type { Follow } from "./follow.ts";
import type { PollGround, Reading } from "./ground.ts";
import { findReread, historyRow, likenessOf } from "./history.ts";
import type { Json } from "./polled.ts";

export const upstreamIdChecks: Check<PollGround>[] = [
	historyRow(
		"occurrence-event-id-from-upstream",
		async (history, ground, context) => {
			const { whole } = ground;
			const batch = whole && !whole.failed ? whole : undefined;
			const events = batch?.events ?? history.events.map(({ event }) => event);
			const answer = batch?.polls[0].answer ?? history.first.answer;
			if (!events.some(({ eventId }) => typeof eventId === "string"))
				return untestable(
					{ kind: "answer", name: "events/poll with an eventId" },
					"no event has one that is a string; occurrence-event-id tells of it",
					answer,
				);
			const twice = findTwice(events);
			if (twice !== undefined)
				return broken(
					`two events that differ have the eventId ${excerpt(twice, 120)}`,
					answer,
				);
			const reread = findReread(ground, context);
			if (!("kind" in reread) && reread.same.stable.kind === "broken")
				return untestable(
					{ kind: "answer", name: "events/poll with ids that stay" },
					"they are others each time; event-id-stable tells of it",
					answer,
				);
			return await compareWithPush(history, batch, context);
		},
		2,
	),
];

/** The id of two events that are not the same one twice. */
function findTwice(events: readonly Json[]): unknown {
	const seen = new Map<unknown, string>();
	for (const event of events) {
		const before = seen.get(event.eventId);
		if (before !== undefined && before !== likenessOf(event))
			return event.eventId;
		seen.set(event.eventId, likenessOf(event));
	}
	return undefined;
}

async function compareWithPush(
	history: Follow,
	whole: Reading | undefined,
	context: GradeContext,
): Promise<Finding> {
	const { subject, answer } = history.first;
	const distinct = `${history.events.length} events have ids of their own`;
	if (!subject.type.modes.includes("push"))
		return holds(`${distinct}; ${subject.name} has no push to compare`, answer);
	const { name, arguments: args } = subject;
	const { wire, waits } = context;
	const params = { name, arguments: args, cursor: history.from };
	await using stream = wire.openStream(METHODS.stream, params);
	await stream.waitFor(isLast(history), waits.occurrenceMs);
	return judgeModes(stream, { history, whole, distinct });
}

function isLast({ events }: Follow): (frame: Frame) => boolean {
	const last = events.at(-1)?.event;
	return ({ method, params }) =>
		method === NOTIFICATIONS.event &&
		last !== undefined &&
		likenessOf(params) === likenessOf(last);
}

function judgeModes(
	stream: GradeStream,
	found: { history: Follow; whole: Reading | undefined; distinct: string },
): Finding {
	const { history, whole, distinct } = found;
	const polled = readTwins([
		...(whole?.events ?? []),
		...history.events.map(({ event }) => event),
	]);
	const pushed = stream.frames
		.filter(({ method }) => method === NOTIFICATIONS.event)
		.map(({ params }) => ({ params, twin: polled.get(likenessOf(params)) }))
		.filter(({ twin }) => isRecord(twin));
	const other = pushed.find(
		({ params, twin }) => twin?.eventId !== params.eventId,
	);
	if (other)
		return broken(
			`one event is ${excerpt(other.twin?.eventId, 80)} by poll and ${excerpt(other.params.eventId, 80)} by push`,
			history.steps[0]?.answer ?? history.first.answer,
			stream,
		);
	return holds(
		pushed.length > 0
			? `${distinct}, and ${pushed.length} of them the same ones by push`
			: `${distinct}; push brought none of them again`,
		history.first.answer,
		stream,
	);
}

/** By what they tell; what was told under several ids is no twin of anything. */
function readTwins(events: readonly Json[]): Map<string, Json> {
	const twins = new Map<string, Json>();
	const several = new Set<string>();
	for (const event of events) {
		const likeness = likenessOf(event);
		const before = twins.get(likeness);
		if (before && before.eventId !== event.eventId) several.add(likeness);
		twins.set(likeness, event);
	}
	for (const likeness of several) twins.delete(likeness);
	return twins;
}
