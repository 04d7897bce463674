// Going on from a cursor: that of a delivery, and that of a refresh (events.md 7).
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import {
	type CallbackRequest,
	eventIdOf,
	timeOf,
} from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { errorOf, tellAnswer } from "../wire/answer.ts";
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
	const some = await stage.nextEvent(first.path);
	if (!some) return noEvent(first.sub.answer);
	await stage.nextEvent(first.path, first.path.requests.length);
	await first.sub.release();
	const last = first.path.events.at(-1) ?? some;
	const cursor = cursorOf(last);
	if (cursor === undefined) return noReplay(last);
	const second = await stage.open({ params: { cursor } });
	if (!errorOf(second.sub.answer) && !second.sub.result)
		return refusedProbe(second);
	if (!second.sub.result)
		return broken(
			`the cursor of a delivery is answered with ${tellAnswer(second.sub.answer)}`,
			last,
			second.sub.answer,
		);
	const wanted = await followingEvents(context, stage, { first, last, second });
	if (wanted.length < WANTED) {
		await second.sub.release();
		return noEvent(last);
	}
	await waitForAll(context, second, wanted);
	// What is sent twice comes a little later than what is sent once.
	await stage.nextEvent(second.path, second.path.requests.length);
	await context.sleep(context.waits.afterCancelMs);
	await second.sub.release();
	return judgeResumed({ last, wanted, second });
}

/** What the main subscription was sent after an event, and the one that stopped there was not. */
async function followingEvents(
	{ waits }: GradeContext,
	{ main, nextEvent }: Stage,
	by: { first: Probe; last: CallbackRequest; second: Probe },
): Promise<CallbackRequest[]> {
	const { first, last, second } = by;
	const before = new Set(first.path.events.map(eventIdOf));
	const begunAtMs = second.sub.answer.endedAtMs;
	// Order may change on the way: what comes later is not always what happened later. Of what happened within the grain
	// of a server's timestamps only what came much later is certain.
	const isLater = (event: CallbackRequest) =>
		timeOf(event) === timeOf(last)
			? event.atMs > begunAtMs
			: timeOf(event) > timeOf(last);
	const isAfter = (event: CallbackRequest) =>
		!before.has(eventIdOf(event)) && isLater(event);
	const find = () => main.path.events.filter(isAfter).slice(0, WANTED);
	for (let more = find().length; more < WANTED; more++)
		if (!(await nextEvent(main.path, main.path.requests.length))) break;
	await main.path.waitUntil(() => find().length >= WANTED, waits.deliveryMs);
	return find();
}

const waitForAll = (
	{ waits }: GradeContext,
	{ path }: Probe,
	wanted: readonly CallbackRequest[],
) =>
	path.waitUntil(
		() => missingOf(path.events, wanted).length === 0,
		waits.deliveryMs,
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
	// Event N itself may come again: that its cursor lies before it is allowed, and cannot be seen.
	const repeated = events.find(
		(event, at) =>
			wanted.some((one) => eventIdOf(one) === eventIdOf(event)) &&
			events.slice(0, at).some((one) => eventIdOf(one) === eventIdOf(event)),
	);
	return repeated
		? broken(
				`${eventIdOf(repeated)} was delivered again, though it had been taken`,
				last,
				second.sub.answer,
				...second.path.attemptsOf(repeated),
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
	if (!errorOf(probe.sub.answer) && !probe.sub.result)
		return refusedProbe(probe);
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
