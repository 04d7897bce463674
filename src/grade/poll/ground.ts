// What every check of poll looks at: first answers, what events came after them, and the same stretch read again.
import { METHODS, NOTIFICATIONS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { type Finding, untestable } from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import { type Subject, spareType } from "../traffic/subject.ts";
import { errorOf, tellAnswer } from "../wire/answer.ts";
import { bytesOf, Kept } from "../wire/kept.ts";
import { type Follow, followAll, isRich } from "./follow.ts";
import { type Json, type PollAsk, type Polled, pollOnce } from "./polled.ts";

export interface PollGround {
	/** The first event type that offers poll. */
	subject: Subject;
	/** Attempts at a first poll of it, until one was answered by a result. */
	attempts: readonly [Attempt, ...Attempt[]];
	/** The first of them with a result, else the very first. */
	first: Polled;
	/** First polls of the other types that offer it, some of them. */
	others: readonly Polled[];
	/** Types that gave a cursor, and what came after it. */
	follows: readonly Follow[];
	/** The one that brought most; undefined where no cursor was given. */
	history: Follow | undefined;
	/** The stretch of `history` read again from its first cursor. */
	whole: Reading | undefined;
	triggerFailure: Finding | undefined;
	/** Every poll of the scenario with known arguments, in order; bounded. */
	log: readonly Polled[];
	/** How many polls are not in the log: their answers were too large to be kept. */
	unlogged(): number;
	poll(subject: Subject, ask: PollAsk): Promise<Polled>;
}

export interface Attempt {
	/** What was done before it. */
	told: string;
	polled: Polled;
}

/** One read that follows hasMore, at once and within bounds. */
export interface Reading {
	polls: readonly [Polled, ...Polled[]];
	events: readonly Json[];
	isTruncated: boolean;
	/** The poll of it that was not answered by a result. */
	failed: Polled | undefined;
}

const MOST_TYPES = 8;
const MOST_READS = 5;
const MOST_POLLS = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;

export async function openPollGround(
	context: GradeContext,
): Promise<PollGround> {
	const subject = await context.subjects.first("poll");
	const log = new Kept<Polled>({ items: MOST_POLLS, bytes: MOST_BYTES });
	const poll = async (of: Subject, ask: PollAsk) => {
		const polled = await pollOnce(context.wire, of, ask);
		log.add(polled, bytesOf(polled.answer.record));
		return polled;
	};
	const attempts = await beginWith(subject, context, poll);
	const first = (attempts.find(({ polled }) => polled.result) ?? attempts[0])
		.polled;
	const rest = (await context.subjects.withMode("poll")).slice(1, MOST_TYPES);
	const others = await Promise.all(
		rest.map((other) => poll(other, { cursor: null })),
	);
	const { follows, triggerFailure } = await followAll(context, {
		firsts: [first, ...others],
		poll: (of, cursor) => poll(of, { cursor }),
		// Whoever follows keeps what comes.
		isTooMuch: () => log.dropped > 0,
	});
	const history = richest(follows);
	const whole = history && (await readOn(poll, history.first.subject, history));
	return {
		subject,
		attempts,
		first,
		others,
		follows,
		history,
		whole,
		triggerFailure,
		log: log.items,
		unlogged: () => log.dropped,
		poll,
	};
}

type Poll = PollGround["poll"];

/** A first poll as it should be; only where that is refused, others that tell why. */
async function beginWith(
	subject: Subject,
	{ wire, waits }: GradeContext,
	poll: Poll,
): Promise<[Attempt, ...Attempt[]]> {
	const attempts: [Attempt, ...Attempt[]] = [
		{ told: "at first", polled: await poll(subject, { cursor: null }) },
	];
	const isServed = () => attempts.some(({ polled }) => polled.result);
	const attempt = async (told: string, cursor?: null) => {
		if (isServed()) return;
		attempts.push({ told, polled: await poll(subject, { cursor }) });
	};
	await attempt("a second time", null);
	await attempt("without a cursor");
	if (isServed() || !subject.type.modes.includes("push")) return attempts;
	const { name, arguments: args } = subject;
	const params = { name, arguments: args, cursor: null };
	await using stream = wire.openStream(METHODS.stream, params);
	await stream.waitFor(
		({ method }) => method === NOTIFICATIONS.active,
		waits.activeMs,
	);
	await attempt("while a stream of the same subscription stands", null);
	return attempts;
}

function richest(follows: readonly Follow[]): Follow | undefined {
	const most = Math.max(...follows.map(({ events }) => events.length));
	return (
		follows.find(isRich) ?? follows.find(({ events }) => events.length === most)
	);
}

/** Reads from a cursor on as long as there is more. */
export async function readOn(
	poll: Poll,
	subject: Subject,
	{ from, maxEvents }: { from: string; maxEvents?: number },
): Promise<Reading> {
	const limit = maxEvents === undefined ? {} : { maxEvents };
	let last = await poll(subject, { cursor: from, ...limit });
	const polls: [Polled, ...Polled[]] = [last];
	while (last.hasMore && polls.length < MOST_READS) {
		if (last.next === undefined || last.next === last.cursor) break;
		last = await poll(subject, { cursor: last.next, ...limit });
		polls.push(last);
	}
	return {
		polls,
		events: polls.flatMap(({ events }) => events),
		isTruncated: polls.some((polled) => polled.isTruncated),
		failed: polls.find(({ result }) => !result),
	};
}

/** A type to use up: one of those with a cursor, and not the one that others are tried on, where there is a choice. */
export function spareFollow(
	{ follows, history }: PollGround,
	{ listing }: GradeContext,
): Follow | undefined {
	const spare = spareType(listing)?.name;
	const rest = follows.filter((follow) => follow !== history);
	return (
		rest.find(({ first }) => first.subject.name === spare) ??
		rest.at(-1) ??
		history
	);
}

/** A check of a row about the first answer: untestable where no poll was answered by a result. */
export function firstRow(
	id: string,
	run: (
		result: Json,
		ground: PollGround,
		context: GradeContext,
	) => Finding | Promise<Finding>,
	more: Omit<Check<PollGround>, "ids" | "run"> = {},
): Check<PollGround> {
	return checkRow(
		id,
		async (context, ground) => {
			const { result } = ground.first;
			return result ? await run(result, ground, context) : noFirst(ground);
		},
		more,
	);
}

/** Checks of refusals: of a method that is not there at all poll-implemented tells, and no other row. */
export function whereServed(
	checks: readonly Check<PollGround>[],
): Check<PollGround>[] {
	return checks.map((check) => ({
		...check,
		async run(context, ground) {
			if (errorOf(ground.first.answer)?.name !== "MethodNotFound")
				return await check.run(context, ground);
			return Object.fromEntries(check.ids.map((id) => [id, noFirst(ground)]));
		},
	}));
}

/** The finding of a row that needs a poll that is served. */
export function noFirst({ first }: PollGround): Finding {
	return untestable(
		{ kind: "answer", name: "events/poll" },
		`the first poll was answered with ${tellAnswer(first.answer)}`,
		first.answer,
	);
}
