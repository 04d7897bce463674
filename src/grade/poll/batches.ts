// Batches that are cut short: maxEvents, hasMore, and the order of what comes (events.md 4).
import { excerpt } from "../../protocol/index.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import { errorOf, tellAnswer } from "../wire/answer.ts";
import type { Follow } from "./follow.ts";
import { type PollGround, readOn } from "./ground.ts";
import { cannotTell, findReread } from "./history.ts";
import type { Json, Polled } from "./polled.ts";

interface Cut {
	/** With maxEvents 1 from a cursor with more behind it. */
	one: Polled;
	/** At once from the cursor of that; undefined where it has none. */
	next: Polled | undefined;
	history: Follow;
	/** Undefined where events cannot be told apart, or cursors lead astray, as resume-exactly-once tells. */
	keyOf: ((event: Json) => string) | undefined;
}

export const batchChecks: Check<PollGround>[] = [
	{
		ids: ["poll-max-events-cap", "poll-next-poll-ms-ignored-when-has-more"],
		async run(context, ground) {
			const found = findReread(ground, context, 2);
			const both = (cap: Finding, atOnce: Finding) => ({
				"poll-max-events-cap": cap,
				"poll-next-poll-ms-ignored-when-has-more": atOnce,
			});
			if ("kind" in found) return both(found, found);
			const { history, same } = found;
			const { subject } = history.first;
			const one = await readOne(ground, history);
			const next =
				one.next === undefined || !one.hasMore
					? undefined
					: await ground.poll(subject, { cursor: one.next });
			const resuming = context.found().get("resume-exactly-once");
			const isResuming = resuming?.kind !== "broken";
			const keyOf = isResuming ? same.keyOf : undefined;
			const cut = { one, next, history, keyOf };
			return both(judgeCap(cut), judgeAtOnce(cut));
		},
	},

	checkRow("events-in-order", async (context, ground) => {
		const found = findReread(ground, context, 2);
		if ("kind" in found) return found;
		const { history, whole, same } = found;
		const { keyOf } = same;
		if (!keyOf) return cannotTell(whole);
		const { subject } = history.first;
		const { from } = history;
		const twos = await readOn(ground.poll, subject, { from, maxEvents: 2 });
		const large = whole.events.map(keyOf);
		const reads = [
			{
				keys: history.events.map(({ event }) => event).map(keyOf),
				told: "as they came",
			},
			{ keys: twos.events.map(keyOf), told: "read by twos" },
		];
		for (const { keys, told } of reads) {
			const pair = findSwapped(keys, large);
			if (pair)
				return broken(
					`${told} ${excerpt(pair[0], 80)} stands before ${excerpt(pair[1], 80)}, and after it in one large batch`,
					...twos.polls.slice(0, 2).map(({ answer }) => answer),
					whole.polls[0].answer,
				);
		}
		return holds(
			`${reads[0]?.keys.length ?? 0} events in the same order in small batches and in large ones`,
			twos.polls[0].answer,
			whole.polls[0].answer,
		);
	}),
];

const MOST_EMPTY = 3;

/** A batch may be empty and say that there is more: the server has only looked so far. */
async function readOne(
	{ poll }: PollGround,
	{ first: { subject }, from }: Follow,
): Promise<Polled> {
	let one = await poll(subject, { cursor: from, maxEvents: 1 });
	for (let tries = 0; tries < MOST_EMPTY; tries++) {
		if (one.events.length > 0 || !one.hasMore || one.next === undefined) break;
		one = await poll(subject, { cursor: one.next, maxEvents: 1 });
	}
	return one;
}

function judgeCap({ one, next, history, keyOf }: Cut): Finding {
	const known = history.events.length;
	if (!one.result)
		return broken(
			`maxEvents 1 is answered with ${tellAnswer(one.answer)}`,
			one.answer,
		);
	if (one.events.length !== 1)
		return broken(
			`maxEvents 1 brings ${one.events.length} events of the ${known} behind the cursor`,
			one.answer,
		);
	const { hasMore } = one.result;
	if (hasMore !== undefined && typeof hasMore !== "boolean")
		return lookedPast("hasMore is no boolean; poll-has-more tells of it", one);
	if (!one.hasMore)
		return broken(
			`maxEvents 1 brings 1 event, and hasMore is ${excerpt(hasMore, 40)} with ${known - 1} more behind it`,
			one.answer,
		);
	if (!next) return lookedPast("there is no cursor to go on from", one);
	const isCursor = errorOf(next.answer)?.name === "InvalidParams";
	if (isCursor)
		return broken(
			`the cursor of the part is answered with ${tellAnswer(next.answer)}`,
			one.answer,
			next.answer,
		);
	const lost = findPassed({ one, next, history, keyOf });
	if (lost !== undefined)
		return broken(
			`the cursor after one event leads past ${excerpt(lost, 80)}, which had come before`,
			one.answer,
			next.answer,
		);
	return holds(
		`maxEvents 1 brings 1 event of ${known}, hasMore true and a cursor to go on from`,
		one.answer,
		next.answer,
	);
}

/** What neither the part nor what follows it brings. */
function findPassed({ one, next, history, keyOf }: Cut): string | undefined {
	if (!keyOf || !next?.result || next.hasMore) return undefined;
	const came = new Set([...one.events, ...next.events].map(keyOf));
	return history.events
		.map(({ event }) => keyOf(event))
		.find((key) => !came.has(key));
}

function judgeAtOnce({ one, next, history }: Cut): Finding {
	if (!next)
		return untestable(
			{ kind: "traffic", name: "an answer with hasMore true" },
			`${history.events.length} events lie behind the cursor, and maxEvents 1 does not bring one`,
			one.answer,
		);
	const told = `after hasMore true and nextPollMs ${excerpt(one.result?.nextPollMs, 40)} a poll at once`;
	if (next.result) return holds(`${told} is served`, one.answer, next.answer);
	if (errorOf(next.answer)?.name === "InvalidParams")
		return lookedPast(
			"the cursor is refused; poll-max-events-cap tells of it",
			next,
		);
	return broken(
		`${told} is answered with ${tellAnswer(next.answer)}`,
		one.answer,
		next.answer,
	);
}

const lookedPast = (why: string, { answer }: Polled): Finding =>
	untestable(
		{ kind: "answer", name: "events/poll with maxEvents 1 and more behind it" },
		why,
		answer,
	);

/** Two that stand the other way round in the second list. */
function findSwapped(
	keys: readonly string[],
	other: readonly string[],
): [string, string] | undefined {
	const common = keys.filter((key) => other.includes(key));
	for (const [at, key] of common.slice(1).entries()) {
		const before = common[at];
		if (before !== undefined && other.indexOf(before) > other.indexOf(key))
			return [before, key];
	}
	return undefined;
}
