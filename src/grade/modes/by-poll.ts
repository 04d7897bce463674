// Poll as one of the modes that are compared: asks again as the server advises, within the bounds of a grader.
import { untestable } from "../finding.ts";
import { waitAfter } from "../poll/follow.ts";
import { type Polled, pollOnce } from "../poll/polled.ts";
import { tellAnswer } from "../wire/answer.ts";
import type { ModeLog } from "./mode-log.ts";
import { leftOut, type Opened, type Opening } from "./way.ts";
import type { ComparedWindow } from "./window.ts";

const MOST_FAILURES = 3;

export async function openByPoll(opening: Opening): Promise<Opened> {
	const { wire, subject } = opening;
	const first = await pollOnce(wire, subject, { cursor: null });
	if (!first.result) {
		const why = `it was answered with ${tellAnswer(first.answer)}`;
		const need = { kind: "answer", name: "events/poll" } as const;
		return leftOut(untestable(need, why, first.answer));
	}
	if (first.next === undefined)
		return leftOut(
			untestable(
				{ kind: "feature", name: "a type that gives a poll a cursor" },
				"without a cursor a poll never brings an event",
				first.answer,
			),
		);
	const { next, answer } = first;
	return {
		kind: "open",
		way: {
			mode: "poll",
			cursor: next,
			isFromPosition: false,
			opening: answer,
			look() {},
			run: (window, log) => pollOn(opening, next, { window, log }),
			async close() {},
		},
	};
}

async function pollOn(
	{ context, wire, subject }: Opening,
	from: string,
	{ window, log }: { window: ComparedWindow; log: ModeLog },
): Promise<void> {
	let cursor = from;
	let failures = 0;
	while (!window.isOver()) {
		const polled = await pollOnce(wire, subject, { cursor });
		take(polled, window, log);
		const hasMoved = polled.next !== undefined && polled.next !== cursor;
		cursor = polled.next ?? cursor;
		failures = polled.result ? 0 : failures + 1;
		if (failures === MOST_FAILURES) {
			log.lost = `poll was answered with ${tellAnswer(polled.answer)}`;
			return;
		}
		const hasProgress = hasMoved && polled.events.length > 0;
		if (polled.hasMore && hasProgress) continue;
		await context.sleep(waitAfter(polled, context));
	}
}

function take(polled: Polled, window: ComparedWindow, log: ModeLog): void {
	const { answer, events, isTruncated } = polled;
	const cite = answer.record.at(-1);
	if (isTruncated) log.hasGap = true;
	if (!cite) return;
	for (const event of events)
		window.take(log, { event, at: answer.endedAtMs, cite });
}
