// The same stretch of events read twice: the order, the ids, where a stream begins again, and how far back it may go.
import { excerpt, METHODS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import {
	broken,
	type Finding,
	holds,
	odd,
	skipped,
	untestable,
} from "../finding.ts";
import { resultOf } from "../wire/answer.ts";
import type { Frame } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import {
	confirm,
	type Opening,
	openStream,
	type PushGround,
	pushRow,
	pushRows,
	sameFor,
	startOf,
	whyAsideOf,
} from "./ground.ts";
import { judgeIds, judgeOrder, judgeResume } from "./judge-history.ts";
import {
	eventsOf,
	eventTraffic,
	Stretch,
	waitForEvents,
} from "./occurrences.ts";

const ROWS = [
	"events-in-order",
	"event-id-stable",
	"resume-exactly-once",
] as const;

/** Enough for some before the place where a stream begins again, and some behind it. */
const WANTED = 6;
const LEAST = 2;

export const historyChecks = [
	pushRows(ROWS, readTwice),
	pushRow("stream-max-age-ms", limitAge),
];

/** What was read a second time. */
export interface Reading {
	stretch: Stretch;
	/** The event behind whose cursor the second stream begins; undefined where it begins now. */
	from: number | undefined;
	stream: GradeStream;
	opening: Opening;
	/** The events of the same stretch by poll, where the type offers it. */
	polled: readonly unknown[];
}

async function readTwice(
	context: GradeContext,
	ground: PushGround,
): Promise<Record<(typeof ROWS)[number], Finding>> {
	const { main, subject } = ground;
	await waitForEvents(context, main, { count: WANTED });
	const come = eventsOf(main);
	if (come.length < LEAST)
		return sameFor(
			ROWS,
			untestable(
				eventTraffic(subject.name),
				`${come.length} came, and at least ${LEAST} are needed`,
				main,
			),
		);
	const from = placeToBegin(come);
	const cursor = from === undefined ? undefined : cursorOf(come[from]);
	await using stream = openStream(context, ground, startOf(subject, cursor));
	const opening = await confirm(context, stream);
	if (from === undefined && opening.kind === "active")
		await waitForEvents(context, stream, { count: WANTED });
	const stretch = new Stretch(eventsOf(main));
	const behind = [...stretch.events.keys()].slice((from ?? -1) + 1);
	if (from !== undefined && opening.kind === "active")
		await stretch.waitForPlaces(stream, behind, context.waits.occurrenceMs);
	const polled = await pollAgain(context, ground, cursor);
	const reading = { stretch, from, stream, opening, polled };
	return {
		"events-in-order": judgeOrder(reading),
		"event-id-stable": judgeIds(reading),
		"resume-exactly-once": judgeResume(reading, ground),
	};
}

const cursorOf = (frame: Frame | undefined): string | undefined => {
	const cursor = frame?.params.cursor;
	return typeof cursor === "string" ? cursor : undefined;
};

/** In the middle, so that something lies before it that must not come again. */
function placeToBegin(events: readonly Frame[]): number | undefined {
	const middle = Math.floor(events.length / 2) - 1;
	const place = events.findIndex(
		(event, at) => at >= middle && cursorOf(event) !== undefined,
	);
	return place >= 0 && place < events.length - 1 ? place : undefined;
}

async function pollAgain(
	{ wire }: GradeContext,
	{ subject }: PushGround,
	cursor: string | undefined,
): Promise<readonly unknown[]> {
	if (cursor === undefined || !subject.type.modes.includes("poll")) return [];
	const answer = await wire.ask(METHODS.poll, startOf(subject, cursor));
	const events = resultOf(answer)?.events;
	return Array.isArray(events) ? events.slice(0, 1_000) : [];
}

/** NaN where nothing can be read. */
const datedMs = ({ params: { timestamp } }: Frame) =>
	typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;

/** Small beside the margin behind which an event is surely too old. */
const MAX_AGE_MS = 200;

async function limitAge(
	context: GradeContext,
	ground: PushGround,
): Promise<Finding> {
	const { waits, now, sleep } = context;
	const { main, subject, opening } = ground;
	if (opening.kind === "active" && opening.cursor === null)
		return skipped(`${excerpt(subject.name, 80)} has no replay`);
	const [first] = await waitForEvents(context, main, { count: LEAST });
	const from = eventsOf(main).find((event) => cursorOf(event) !== undefined);
	if (!first || !from || from === eventsOf(main).at(-1))
		return untestable(
			eventTraffic(subject.name),
			"two are needed, the first of them with a cursor",
			main,
		);
	// Whatever came before the last event that is old enough must be passed over.
	const oldAtMs = (eventsOf(main)[1] ?? first).at;
	await sleep(Math.max(0, oldAtMs + MAX_AGE_MS + waits.maxAgeMarginMs - now()));
	const limitMs = now() - MAX_AGE_MS - waits.maxAgeMarginMs;
	const stretch = new Stretch(
		main.frames
			.slice(main.frames.indexOf(from) + 1)
			.filter(
				(frame) =>
					eventsOf({ frames: [frame] }).length > 0 && frame.at <= limitMs,
			),
	);
	await using stream = openStream(context, ground, {
		...startOf(subject, cursorOf(from)),
		maxAgeMs: MAX_AGE_MS,
	});
	const next = await confirm(context, stream);
	if (next.kind !== "active")
		return (
			whyAsideOf(next, stream, ground) ??
			broken(`a stream with maxAgeMs ${MAX_AGE_MS}: ${next.told}`, stream)
		);
	await stream.watch(waits.afterTerminatedMs);
	const old = stretch.placesIn(stream.frames).length;
	// A source without times dates an event by when it looks: so it says itself that the event is young.
	if (old > 0 && eventsOf(stream).every((event) => datedMs(event) > limitMs))
		return untestable(
			{ kind: "traffic", name: "events whose timestamps stay as they are" },
			`${old} came again, dated anew`,
			stream,
		);
	if (old > 0)
		return broken(
			`with maxAgeMs ${MAX_AGE_MS} came ${old} of the ${stretch.events.length} events that are older by ${waits.maxAgeMarginMs} ms and more`,
			stream,
		);
	if (typeof next.truncated !== "boolean")
		return untestable(
			{ kind: "answer", name: "active with truncated" },
			`truncated is ${excerpt(next.truncated, 60)}; stream-active-confirmation tells of it`,
			next.frame,
		);
	const told = `${stretch.events.length} events that are too old were passed over, with truncated ${next.truncated}`;
	return next.truncated ? holds(told, stream) : odd(told, stream);
}
