// Going on from a cursor: the same events, in order, each once, whoever asks and how often (events.md 4 and 7).
import { excerpt } from "../../protocol/index.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import { tellAnswer } from "../wire/answer.ts";
import type { Follow } from "./follow.ts";
import { noFirst, type PollGround, readOn } from "./ground.ts";
import { cannotTell, findReread, historyRow, type Reread } from "./history.ts";
import type { Json, Polled } from "./polled.ts";

export const resumingChecks: Check<PollGround>[] = [
	checkRow("poll-stateless-request", async (_context, ground) => {
		const { first, follows, history, whole } = ground;
		if (!first.result && !history) return noFirst(ground);
		const again = follows.flatMap(({ steps }) => steps);
		const refused =
			whole?.failed ?? again.find(({ result }) => !result) ?? undefined;
		if (refused)
			return broken(
				`a poll with a cursor of the server and nothing else is answered with ${tellAnswer(refused.answer)}`,
				refused.answer,
			);
		if (!whole)
			return untestable(
				{ kind: "answer", name: "events/poll with a string as its cursor" },
				`the cursor of the first poll is ${excerpt(first.result?.cursor, 80)}`,
				first.answer,
			);
		return holds(
			"polls with a cursor and nothing else are served, the same one twice too",
			whole.polls[0].answer,
		);
	}),

	historyRow("poll-response-cursor", judgeCursors),

	checkRow("event-id-stable", async (context, ground) => {
		const found = findReread(ground, context);
		return "kind" in found ? found : found.same.stable;
	}),

	checkRow("resume-exactly-once", async (context, ground) => {
		const found = findReread(ground, context, 2);
		if ("kind" in found) return found;
		const { history, whole, same } = found;
		if (!same.keyOf) return cannotTell(whole);
		const cursors = judgeCursors(history);
		if (cursors.kind === "broken") return noCursor(history);
		const keys = history.events.map(({ event }) => event).map(same.keyOf);
		const again = whole.events.map(same.keyOf);
		return (
			findRepeat(keys, "one cursor after the other", history.steps) ??
			findRepeat(again, "from the first cursor on", whole.polls) ??
			(await findLost({ keys, again }, found, ground)) ??
			(await goOnFromTheMiddle(history, ground, same.keyOf))
		);
	}),
];

/** After a batch the result says how far it went. */
function judgeCursors({ steps }: Follow): Finding {
	const brought = steps.filter(({ events }) => events.length > 0);
	const stuck = brought.find((step) => step.next === step.cursor);
	const without = brought.find(
		({ result }) => (result?.cursor ?? null) === null,
	);
	if (without)
		return broken(
			`${without.events.length} events came, and the result has no cursor after them`,
			without.answer,
		);
	if (stuck)
		return broken(
			`${stuck.events.length} events came, and the cursor is the one from before them: ${excerpt(stuck.next, 80)}`,
			stuck.answer,
		);
	return holds(
		`each of ${brought.length} batches ends with a cursor of its own`,
		...brought.slice(0, 2).map(({ answer }) => answer),
	);
}

const noCursor = ({ steps }: Follow): Finding =>
	untestable(
		{ kind: "answer", name: "events/poll with a cursor after its events" },
		"there is no position to go on from; poll-response-cursor tells of it",
		...steps.slice(0, 1).map(({ answer }) => answer),
	);

function findRepeat(
	keys: readonly string[],
	told: string,
	polls: readonly Polled[],
): Finding | undefined {
	const repeated = keys.find((key, at) => keys.indexOf(key) < at);
	if (repeated === undefined) return undefined;
	return broken(
		`${told} ${excerpt(repeated, 120)} came twice`,
		...citesWith(polls),
	);
}

/** The two ways of reading must bring the same, but for what came after the first of them had stopped. */
async function findLost(
	{ keys, again }: { keys: readonly string[]; again: readonly string[] },
	{ history, whole, same: { keyOf } }: Reread,
	{ poll }: PollGround,
): Promise<Finding | undefined> {
	const { first, last, steps } = history;
	const later = await readOn(poll, first.subject, { from: last });
	const known = new Set([
		...keys,
		...later.events.map((each) => keyOf?.(each)),
	]);
	const gone = keys.find((key) => !again.includes(key));
	const missed = later.failed
		? undefined
		: again.find((key) => !known.has(key));
	if (gone === undefined && missed === undefined) return undefined;
	return broken(
		missed === undefined
			? `${excerpt(gone, 120)} is left out when the stretch is read again`
			: `${excerpt(missed, 120)} is left out between one cursor and the next`,
		...citesWith(steps),
		whole.polls[0].answer,
	);
}

interface Stop {
	next: string;
	before: readonly Json[];
	after: readonly Json[];
	/** Made by maxEvents: what a part leads past is poll-max-events-cap's. */
	isPart: boolean;
}

/** A place with known events on both sides of it. */
async function findStop(
	{ first, from, events, steps }: Follow,
	{ poll }: PollGround,
	keyOf: (event: Json) => string,
): Promise<Stop | undefined> {
	const at = events[0]?.step ?? 0;
	const { next } = steps[at] ?? first;
	const eventsOf = (test: (step: number) => boolean) =>
		events.filter(({ step }) => test(step)).map(({ event }) => event);
	const after = eventsOf((step) => step > at);
	const before = eventsOf((step) => step <= at);
	if (after.length > 0 && next !== undefined)
		return { next, before, after, isPart: false };
	const part = await poll(first.subject, { cursor: from, maxEvents: 1 });
	const [one] = part.events;
	if (!one || part.events.length > 1 || part.next === undefined)
		return undefined;
	const rest = before.filter((event) => keyOf(event) !== keyOf(one));
	return { next: part.next, before: [one], after: rest, isPart: true };
}

/** Stops where some events are known to come after, and reads from there. */
async function goOnFromTheMiddle(
	history: Follow,
	ground: PollGround,
	keyOf: (event: Json) => string,
): Promise<Finding> {
	const { first, events, steps } = history;
	const stop = await findStop(history, ground, keyOf);
	const polled =
		stop && (await ground.poll(first.subject, { cursor: stop.next }));
	if (!stop || !polled?.result)
		return untestable(
			{ kind: "traffic", name: "events of a poll type in several batches" },
			`all ${events.length} events came in one batch, or what follows it is refused`,
			...citesWith(steps),
		);
	const { before, after, isPart } = stop;
	const keys = polled.events.map(keyOf);
	const again = before.find((event) => keys.includes(keyOf(event)));
	if (again)
		return broken(
			`from the cursor after it ${excerpt(keyOf(again), 120)} comes again`,
			polled.answer,
		);
	const lost = after.find((event) => !keys.includes(keyOf(event)));
	if (lost && !polled.hasMore && !isPart)
		return broken(
			`from the cursor before it ${excerpt(keyOf(lost), 120)} does not come`,
			polled.answer,
		);
	return holds(
		`${after.length} events came after the cursor of the ${before.length} before them, each once`,
		polled.answer,
	);
}

const citesWith = (polls: readonly Polled[]) =>
	polls
		.filter(({ events }) => events.length > 0)
		.slice(0, 3)
		.map(({ answer }) => answer);
