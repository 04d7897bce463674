// Follows poll types as a client would, until one of them has brought enough to look at.
import type { GradeContext } from "../context.ts";
import type { Finding } from "../finding.ts";
import { fireTrigger } from "../traffic/trigger.ts";
import type { Json, Polled } from "./polled.ts";

/** What one event type brought, from its first cursor on. */
export interface Follow {
	/** The answer that gave the first cursor. */
	first: Polled;
	from: string;
	/** The polls that came after it, in order. */
	steps: readonly Polled[];
	/** All that they brought, each with the number of its step. */
	events: readonly Seen[];
	/** The last cursor that was given. */
	last: string;
}

export interface Seen {
	event: Json;
	step: number;
}

export interface Followed {
	follows: readonly Follow[];
	/** Why the tool of --trigger-tool could not be used. */
	triggerFailure: Finding | undefined;
}

type Poll = (subject: Polled["subject"], cursor: string) => Promise<Polled>;

const ENOUGH_EVENTS = 5;
const ENOUGH_STEPS = 4;
const MOST_EVENTS = 2_000;
const MOST_FAILURES = 3;
const MOST_TRIGGERS = 8;

export interface FollowWish {
	firsts: readonly Polled[];
	poll: Poll;
	/** More came than is kept: nobody goes on. */
	isTooMuch(): boolean;
}

export async function followAll(
	context: GradeContext,
	{ firsts, poll, isTooMuch }: FollowWish,
): Promise<Followed> {
	const deadlineMs = context.now() + context.waits.occurrenceMs;
	const state = { isEnough: false, triggerFailure: undefined };
	const isOver = () =>
		state.isEnough || isTooMuch() || context.now() >= deadlineMs;
	const works = firsts.flatMap((first) =>
		first.next === undefined ? [] : [openFollow(first, first.next)],
	);
	const [follows, triggerFailure] = await Promise.all([
		Promise.all(
			works.map(async (work) => {
				await follow(work, { context, poll, isOver });
				state.isEnough ||= isRich(work);
				return work;
			}),
		),
		works.length > 0 ? fireNowAndThen(context, isOver) : undefined,
	]);
	return { follows, triggerFailure };
}

interface Work extends Follow {
	steps: Polled[];
	events: Seen[];
}

const openFollow = (first: Polled, from: string): Work => ({
	first,
	from,
	steps: [],
	events: [],
	last: from,
});

/** Several batches with events, so that places between them are known. */
export const isRich = ({ events, steps }: Follow) =>
	events.length >= ENOUGH_EVENTS &&
	steps.filter((step) => step.events.length > 0).length >= ENOUGH_STEPS;

async function follow(
	work: Work,
	{
		context,
		poll,
		isOver,
	}: { context: GradeContext; poll: Poll; isOver: () => boolean },
): Promise<void> {
	let failures = 0;
	while (!isOver() && !isRich(work) && work.events.length < MOST_EVENTS) {
		const step = await poll(work.first.subject, work.last);
		if (step.result) {
			const at = work.steps.push(step) - 1;
			work.events.push(...step.events.map((event) => ({ event, step: at })));
			const isStuck = step.next === undefined || step.next === work.last;
			// From the same place the same events would come again.
			if (isStuck && step.events.length > 0) return;
			work.last = step.next ?? work.last;
			if (step.hasMore && !isStuck) continue;
		} else if (++failures === MOST_FAILURES) return;
		await context.sleep(waitAfter(step, context));
	}
}

/** What the server advises, within the bounds of a grader that wants to get on. */
export function waitAfter(
	{ result }: Pick<Polled, "result">,
	{ waits }: GradeContext,
): number {
	const advised = result?.nextPollMs;
	const ms = typeof advised === "number" ? advised : 0;
	return Math.min(Math.max(ms, waits.pollAgainMinMs), waits.pollAgainMaxMs);
}

/** Fires the tool of --trigger-tool some times; the finding where that fails. */
export async function fireNowAndThen(
	{ controls, options, sleep, waits }: GradeContext,
	isOver: () => boolean,
): Promise<Finding | undefined> {
	for (let fired = 0; fired < MOST_TRIGGERS && !isOver(); fired++) {
		const answer = await fireTrigger(controls, options.trigger);
		if (!answer) return undefined;
		if (answer.kind === "failed") return answer.finding;
		await sleep(waits.pollAgainMinMs);
	}
	return undefined;
}
