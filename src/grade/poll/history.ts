// What stands between a row and the events that it needs; and which events of two reads are the same.
import { excerpt } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import { tellAnswer } from "../wire/answer.ts";
import type { Follow } from "./follow.ts";
import { noFirst, type PollGround, type Reading } from "./ground.ts";
import type { Json } from "./polled.ts";

/** A check of a row that looks at `least` events of one type, one where nothing is said. */
export function historyRow(
	id: string,
	run: (
		history: Follow,
		ground: PollGround,
		context: GradeContext,
	) => Finding | Promise<Finding>,
	least = 1,
): Check<PollGround> {
	return checkRow(id, async (context, ground) => {
		const history = findHistory(ground, context, least);
		return "kind" in history ? history : await run(history, ground, context);
	});
}

/** The type that brought most, or what its absence means. */
export function findHistory(
	ground: PollGround,
	{ waits, options }: GradeContext,
	least = 1,
): Follow | Finding {
	const { history, first, triggerFailure } = ground;
	if (!first.result && !history) return noFirst(ground);
	if (!history)
		return untestable(
			{ kind: "traffic", name: "a poll type whose cursor is a string" },
			`the cursor of the first poll is ${excerpt(first.result?.cursor, 80)}`,
			first.answer,
		);
	if (history.events.length >= least) return history;
	if (triggerFailure) return triggerFailure;
	const name = least === 1 ? "an event" : `${least} events`;
	const hint = options.trigger ? "" : "; --trigger-tool NAME brings some";
	return untestable(
		{ kind: "traffic", name: `${name} of a poll type` },
		`${history.events.length} came within ${waits.occurrenceMs} ms on ${ground.follows.length} types${hint}`,
		history.steps.at(-1)?.answer ?? first.answer,
	);
}

export interface Reread {
	history: Follow;
	whole: Reading;
	same: Sameness;
}

/** A history of at least `least` events and the same stretch read again, or what its absence means. */
export function findReread(
	ground: PollGround,
	context: GradeContext,
	least = 1,
): Reread | Finding {
	const history = findHistory(ground, context, least);
	if ("kind" in history) return history;
	const { whole } = ground;
	if (!whole || whole.failed) {
		const answer = whole?.failed?.answer ?? history.first.answer;
		return untestable(
			{ kind: "answer", name: "events/poll from a cursor that was used once" },
			`it is answered with ${tellAnswer(answer)}; poll-stateless-request tells of it`,
			answer,
		);
	}
	if (whole.isTruncated)
		return untestable(
			{ kind: "traffic", name: "a poll type that keeps events for a while" },
			"the events that came were gone when they were read again",
			whole.polls[0].answer,
		);
	return { history, whole, same: compareReads(history, whole) };
}

export interface Sameness {
	/** The same for the same event in every read; undefined where nothing tells events apart. */
	keyOf: ((event: Json) => string) | undefined;
	/** The finding of event-id-stable. */
	stable: Finding;
}

/** All of an event but what a server may do wrong with its id. */
export const likenessOf = ({ name, timestamp, data }: Json) =>
	JSON.stringify([name, timestamp, data]);

const idOf = ({ eventId }: Json) =>
	typeof eventId === "string" ? eventId : undefined;

function compareReads(history: Follow, whole: Reading): Sameness {
	const events = history.events.map(({ event }) => event);
	const again = new Map(
		whole.events.map((event) => [likenessOf(event), event]),
	);
	const ids = new Set(whole.events.map(idOf));
	const twins = events.map((event) => {
		const twin = again.get(likenessOf(event));
		return { event, id: idOf(event), twin, twinId: twin && idOf(twin) };
	});
	const isUnlike =
		new Set(events.map(likenessOf)).size === events.length &&
		again.size === whole.events.length;
	const named = twins.filter(({ id }) => id !== undefined);
	const renamed = isUnlike
		? named.find(({ id, twin, twinId }) => twin && id !== twinId)
		: undefined;
	const kept = named.filter(({ id, twinId }) => id === twinId || ids.has(id));
	const idCount = new Set(named.map(({ id }) => id)).size;
	// What happens twice in one way has two ids: they are good for as long as they come again.
	const isSteady = idCount === events.length && kept.length > 0;
	const isId =
		!renamed &&
		named.length === events.length &&
		(isSteady || idCount === new Set(events.map(likenessOf)).size);
	return {
		keyOf: isId
			? (event) => idOf(event) ?? ""
			: isUnlike
				? likenessOf
				: undefined,
		stable: tellStable({ named, renamed, kept }, whole),
	};
}

function tellStable(
	found: {
		named: readonly unknown[];
		renamed: { id: string | undefined; twinId: string | undefined } | undefined;
		kept: readonly unknown[];
	},
	{ polls: [{ answer }] }: Reading,
): Finding {
	const { named, renamed, kept } = found;
	if (renamed)
		return broken(
			`one event came as ${excerpt(renamed.id, 80)} and, read again from the same cursor, as ${excerpt(renamed.twinId, 80)}`,
			answer,
		);
	if (kept.length > 0)
		return holds(
			`${kept.length} events came with the same eventId when they were read again`,
			answer,
		);
	return untestable(
		{ kind: "answer", name: "events/poll with an event that is read twice" },
		named.length === 0
			? "no event has an eventId that is a string"
			: "what was read again has none of the events that came before",
		answer,
	);
}

/** What is the same for one event in every read; undefined where nothing tells events apart, or they were not read twice. */
export function keyOfEvents(
	ground: PollGround,
	context: GradeContext,
): ((event: Json) => string) | undefined {
	const reread = findReread(ground, context);
	return "kind" in reread ? undefined : reread.same.keyOf;
}

/** The finding of a row that must tell events apart, where they cannot be. */
export const cannotTell = (whole: Reading): Finding =>
	untestable(
		{ kind: "answer", name: "events/poll with events that differ" },
		"neither eventId nor content tells the events apart",
		whole.polls[0].answer,
	);
