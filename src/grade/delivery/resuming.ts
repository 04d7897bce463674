// Going on from a cursor: that of a delivery, and that of a refresh (events.md 7).
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import {
	type CallbackRequest,
	eventIdOf,
} from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { tellAnswer } from "../wire/answer.ts";
import { cursorOf, noReplay } from "./positions.ts";
import {
	deliveryRow,
	noEvent,
	type Probe,
	refusedProbe,
	type Stage,
} from "./stage.ts";

export const resumingChecks: Check<Stage>[] = [
	deliveryRow("resume-exactly-once", tryResume, { lane: "resuming" }),
	deliveryRow("refresh-cursor-resumes", tryRefreshCursor, { lane: "refresh" }),
];

/** So many events after the cursor have to be seen. */
const WANTED = 3;

/** Stops after event N, goes on with its cursor, and compares with what the main subscription got meanwhile. */
async function tryResume(
	context: GradeContext,
	stage: Stage,
): Promise<Finding> {
	const first = await stage.open();
	if (!first.sub.result) return refusedProbe(first);
	const last = await settledEvent(stage, first);
	await first.sub.release();
	if (!last) return noSettled(first);
	const cursor = cursorOf(last);
	if (cursor === undefined) return noReplay(last);
	const second = await stage.open({ params: { cursor } });
	if (!second.sub.result)
		return broken(
			`the cursor of a delivery is answered with ${tellAnswer(second.sub.answer)}`,
			last,
			second.sub.answer,
		);
	const wanted = await followingEvents(context, stage, last);
	if (wanted.length < WANTED) {
		await second.sub.release();
		return noEvent(last);
	}
	await waitForAll(context, second, wanted);
	await second.sub.release();
	return judgeResumed({ last, wanted, second });
}

const APART_MS = 50;
/** Events that are waited for until one of them will do. */
const MOST_EVENTS = 12;

/**
 * An event whose cursor is its own position: those before had been taken when it was sent. Both subscriptions tell the
 * same of it, unless the server makes cursors for each by itself.
 */
async function settledEvent(
	{ main, nextEvent }: Stage,
	{ path }: Probe,
): Promise<CallbackRequest | undefined> {
	let alone: CallbackRequest | undefined;
	for (let count = 0; count < MOST_EVENTS; count++) {
		const event = await nextEvent(path, path.requests.length);
		if (!event) break;
		if (!isAlone(event, path.events)) continue;
		alone = event;
		const same = await main.path.waitFor(
			(other) => eventIdOf(other) === eventIdOf(event),
			APART_MS,
		);
		if (same && cursorOf(same) === cursorOf(event)) return event;
	}
	return alone;
}

function isAlone(
	event: CallbackRequest,
	events: readonly CallbackRequest[],
): boolean {
	const before = events[events.indexOf(event) - 1];
	return before !== undefined && event.atMs - before.atMs >= APART_MS;
}

const noSettled = ({ path, sub }: Probe): Finding =>
	path.events[0]
		? untestable(
				{ kind: "traffic", name: "events that are further apart" },
				"each came while the one before was still on its way, so that its cursor may lie before both",
				...path.events.slice(0, 2),
			)
		: noEvent(sub.answer);

/** What the main subscription was sent after an event that it was sent, too. */
async function followingEvents(
	{ waits }: GradeContext,
	{ main, nextEvent }: Stage,
	last: CallbackRequest,
): Promise<CallbackRequest[]> {
	const find = () => {
		const { events } = main.path;
		const at = events.findIndex((one) => eventIdOf(one) === eventIdOf(last));
		return at < 0 ? [] : events.slice(at + 1, at + 1 + WANTED);
	};
	for (let more = find().length; more < WANTED; more++)
		if (!(await nextEvent(main.path, main.path.requests.length))) break;
	await main.path.waitUntil(
		() => find().length >= WANTED,
		waits.deliverySettleMs,
	);
	return find();
}

const waitForAll = (
	{ waits }: GradeContext,
	{ path }: Probe,
	wanted: readonly CallbackRequest[],
) =>
	path.waitUntil(
		() => missingOf(path.events, wanted).length === 0,
		waits.deliverySettleMs,
	);

const missingOf = (
	events: readonly CallbackRequest[],
	wanted: readonly CallbackRequest[],
) => {
	const ids = new Set(events.map(eventIdOf));
	return wanted.filter((request) => !ids.has(eventIdOf(request)));
};

function judgeResumed(facts: {
	last: CallbackRequest;
	wanted: readonly CallbackRequest[];
	second: Probe;
}): Finding {
	const { last, wanted, second } = facts;
	const { events } = second.path;
	const [missing] = missingOf(events, wanted);
	if (missing)
		return broken(
			"an event after the cursor was not delivered to the subscription that began there",
			last,
			second.sub.answer,
			missing,
		);
	const repeated = events.find(
		(event, at) =>
			eventIdOf(event) === eventIdOf(last) ||
			events
				.slice(0, at)
				.some((earlier) => eventIdOf(earlier) === eventIdOf(event)),
	);
	return repeated
		? broken(
				`${eventIdOf(repeated)} was delivered again, though it had been taken`,
				last,
				second.sub.answer,
				repeated,
			)
		: holds(
				`the ${wanted.length} events after the cursor came, and none twice`,
				last,
				...events.slice(0, WANTED),
			);
}

async function tryRefreshCursor(
	context: GradeContext,
	stage: Stage,
): Promise<Finding> {
	const { main } = stage;
	const { result, answer } = await main.sub.again();
	if (!result)
		return untestable(
			{ kind: "answer", name: "events/subscribe that refreshes" },
			`it is answered with ${tellAnswer(answer)}`,
			answer,
		);
	const { cursor } = result;
	if (typeof cursor !== "string")
		return untestable(
			{ kind: "feature", name: "a webhook type with a cursor" },
			`the cursor of a refresh is ${JSON.stringify(cursor)}`,
			answer,
		);
	const from = main.path.requests.length;
	const probe = await stage.open({ params: { cursor } });
	if (!probe.sub.result)
		return broken(
			`the cursor of a refresh is answered with ${tellAnswer(probe.sub.answer)}`,
			answer,
			probe.sub.answer,
		);
	if (probe.sub.result.truncated === true)
		return broken(
			"whoever begins at the cursor of a refresh is told that events were skipped",
			answer,
			probe.sub.answer,
		);
	const event = await stage.nextEvent(main.path, from);
	if (!event) return noEvent(answer);
	await waitForAll(context, probe, [event]);
	await probe.sub.release();
	return missingOf(probe.path.events, [event]).length > 0
		? broken(
				"an event after the refresh was not delivered to the subscription that began at its cursor",
				answer,
				event,
			)
		: holds(
				"a subscription that began at it gets what came after",
				answer,
				event,
			);
}
