// How a stream begins, and the events on it (events.md 3 and 5).
import { findProblems } from "../../arguments/index.ts";
import { Fault } from "../../faults/index.ts";
import { excerpt, isInstant, isRecord } from "../../protocol/index.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { checkRow } from "../scenario.ts";
import type { Subject } from "../traffic/subject.ts";
import type { Frame } from "../wire/frame.ts";
import {
	isActive,
	isUnheard,
	notOpen,
	type PushGround,
	pushRow,
} from "./ground.ts";
import { eventsOf, eventTraffic, waitForEvents } from "./occurrences.ts";

/** More of them say the same again. */
const MOST_EVENTS = 50;

export const openingChecks = [
	checkRow<PushGround>(
		"stream-implemented",
		async ({ wire, waits }, { main, opening }) => {
			if (opening.kind === "refused")
				return broken(`events/stream is answered with ${opening.told}`, main);
			await main.watch(waits.afterTerminatedMs);
			if (main.end)
				return broken(`the stream did not stay open: ${main.end.told}`, main);
			if (wire.kind === "stdio" && main.frames.length === 0)
				return notOpen("nothing came that shows a stream", main);
			return holds(
				wire.kind === "http"
					? `HTTP ${main.head?.status} with an event stream that stays open`
					: "notifications come, and the request stays open",
				main,
			);
		},
	),

	pushRow("stream-active-confirmation", async (_context, { main, opening }) => {
		if (opening.kind !== "active" && isUnheard(main))
			return notOpen(opening.told, main);
		if (opening.kind !== "active")
			return broken(`${opening.told}, though a stream is open`, main);
		const { frame, cursor, truncated } = opening;
		const first = main.frames.find(({ method }) =>
			method.startsWith("notifications/events/"),
		);
		if (first && !isActive(first))
			return broken(`${first.method} came before active`, first, frame);
		if (typeof cursor !== "string" && cursor !== null)
			return broken(`its cursor is ${excerpt(cursor, 60)}`, frame);
		if (typeof truncated !== "boolean")
			return broken(`its truncated is ${excerpt(truncated, 60)}`, frame);
		return holds(
			`active came first, with cursor ${excerpt(cursor, 60)} and truncated ${truncated}`,
			frame,
		);
	}),

	pushRow("stream-event-notification", async (context, { main, subject }) => {
		const come = await waitForEvents(context, main, { count: 1 });
		if (come.length === 0)
			return untestable(
				eventTraffic(subject.name),
				`none came in ${context.waits.occurrenceMs} ms`,
				main,
			);
		return await judgeEvents(eventsOf(main).slice(0, MOST_EVENTS), subject);
	}),
];

async function judgeEvents(
	events: readonly Frame[],
	subject: Subject,
): Promise<Finding> {
	const wrong: { frame: Frame; told: string }[] = [];
	for (const frame of events) {
		const told = await whatIsWrong(frame.params, subject);
		if (told !== undefined) wrong.push({ frame, told });
	}
	const [first] = wrong;
	return first
		? broken(
				`${first.told} on ${wrong.length} of ${events.length} events`,
				...wrong.map(({ frame }) => frame),
			)
		: holds(
				`${events.length} occurrences of ${excerpt(subject.name, 80)}, whose data fits the payloadSchema`,
				...events.slice(0, 2),
			);
}

async function whatIsWrong(
	params: Record<string, unknown>,
	{ name, type }: Subject,
): Promise<string | undefined> {
	const { eventId, timestamp, data, cursor = null } = params;
	if (typeof eventId !== "string" || eventId === "")
		return `eventId is ${excerpt(eventId, 60)}`;
	if (params.name !== name) return `name is ${excerpt(params.name, 60)}`;
	if (typeof timestamp !== "string" || !isInstant(timestamp))
		return `timestamp is ${excerpt(timestamp, 60)}, no instant with a zone`;
	if (!isRecord(data)) return `data is ${excerpt(data, 60)}, no object`;
	if (typeof cursor !== "string" && cursor !== null)
		return `cursor is ${excerpt(cursor, 60)}`;
	const [problem] = await problemsOf(data, type.payloadSchema);
	return problem === undefined
		? undefined
		: `data does not fit the payloadSchema (${problem})`;
}

/** A schema that cannot be used is the affair of another rule. */
async function problemsOf(data: unknown, schema: unknown): Promise<string[]> {
	try {
		return await findProblems(data, schema);
	} catch (error) {
		if (error instanceof Fault) return [];
		throw error;
	}
}
