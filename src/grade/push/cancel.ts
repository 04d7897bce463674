// Cancelling on stdio, where what comes afterwards can be seen: two streams on one output, one of them cancelled.
import { METHODS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import type { Frame } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import {
	confirm,
	isResponse,
	notOpen,
	openStream,
	type PushGround,
	pushRow,
	startOf,
} from "./ground.ts";
import { eventsOf, eventTraffic, waitForEvents } from "./occurrences.ts";

export const cancelChecks = [
	pushRow("stdio-streams", async (context, ground) => {
		const seen = await cancelOne(context, ground);
		if (seen.kind === "untried") return seen.finding;
		const { stream, late, main } = seen;
		const answer = stream.frames.find(isResponse);
		if (answer)
			return broken(
				`the cancelled request was answered with ${answer.kind === "error" ? "an error" : "a result"}`,
				answer,
			);
		if (main.end)
			return broken(
				`with the cancel of one stream the other ended: ${main.end.told}`,
				main,
			);
		return holds(
			`two streams were told apart by their ids, and the cancelled one got no answer (${late.length} late notifications)`,
			main,
			stream,
		);
	}),
];

/** stream-cancel-stops-delivery: nothing more for the cancelled one, while the other goes on. */
export async function judgeSilence(
	context: GradeContext,
	ground: PushGround,
): Promise<Finding> {
	const seen = await cancelOne(context, ground);
	if (seen.kind === "untried") return seen.finding;
	const { stream, late, otherEvents } = seen;
	if (late.length > 0)
		return broken(
			`${late.length} notifications came for a stream after its cancel had been read`,
			...late.slice(0, 5),
		);
	if (otherEvents === 0)
		return untestable(
			eventTraffic(ground.subject.name),
			"nothing came on the other stream either, so that the silence proves nothing",
			stream,
		);
	return holds(
		`nothing came for the cancelled stream, while the other had ${otherEvents} events`,
		stream,
	);
}

type Cancelled =
	| { kind: "untried"; finding: Finding }
	| {
			kind: "seen";
			main: GradeStream;
			stream: GradeStream;
			/** Notifications of the cancelled stream that the server wrote after it had read the cancel. */
			late: Frame[];
			/** Events of the other stream in the same time. */
			otherEvents: number;
	  };

async function cancelOne(
	context: GradeContext,
	ground: PushGround,
): Promise<Cancelled> {
	const { main, subject, opening } = ground;
	const stream = openStream(context, ground, startOf(subject));
	const next = await confirm(context, stream);
	const missed = [opening, next].find((one) => one.kind !== "active");
	if (missed) {
		await stream.cancel();
		const why = `two streams could not be opened: ${missed.told}`;
		return { kind: "untried", finding: notOpen(why, stream) };
	}
	await stream.cancel();
	// Its answer shows that the server has read what was sent before.
	await context.wire.ask(METHODS.list, {});
	const [from, place] = [stream.frames.length, main.frames.length];
	await waitForEvents(context, main, { count: 2, from: place });
	await context.sleep(context.waits.afterCancelMs);
	return {
		kind: "seen",
		main,
		stream,
		late: stream.frames
			.slice(from)
			.filter(({ kind }) => kind === "notification"),
		otherEvents: eventsOf({ frames: main.frames.slice(place) }).length,
	};
}
