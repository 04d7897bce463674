// What a mode is opened with, made by hand: answers and streams in their order, on a clock that moves by sleeping.
import type { GradeContext } from "../../../src/grade/context.ts";
import type { Opening } from "../../../src/grade/modes/way.ts";
import { ComparedWindow } from "../../../src/grade/modes/window.ts";
import { WAITS } from "../../../src/grade/waits.ts";
import type { Answer } from "../../../src/grade/wire/answer.ts";
import type { GradeStream } from "../../../src/grade/wire/stream.ts";
import type { DeliveryMode } from "../../../src/protocol/index.ts";
import { contextOf, optionsOf, subjectOf } from "../delivery/by-hand.ts";

export interface Said {
	cursor?: string | null;
	/** To requests, in order; the last one again and again. */
	answers?: readonly Answer[];
	/** What streams turn out to be, in order. */
	streams?: readonly GradeStream[];
	context?: Partial<GradeContext>;
}

/** An opening, and the params of every request and stream that it made. */
export function openingOf({
	cursor = null,
	answers = [],
	streams = [],
	context: more,
}: Said) {
	const asked: Record<string, unknown>[] = [];
	const leftAnswers = [...answers];
	const leftStreams = [...streams];
	const clock = { nowMs: 0 };
	const take = <One>(left: One[]): One => {
		const one = left.length > 1 ? left.shift() : left[0];
		if (one === undefined) throw new Error("nobody answers");
		return one;
	};
	const wire: Partial<GradeContext["wire"]> = {
		withTrail: () => wire as GradeContext["wire"],
		async ask(_method, params = {}) {
			asked.push(params);
			return take(leftAnswers);
		},
		openStream(_method, params = {}) {
			asked.push(params);
			const stream = leftStreams.shift();
			if (!stream) throw new Error("no stream is left");
			return stream;
		},
	};
	const context = contextOf({
		wire: wire as GradeContext["wire"],
		waits: { ...WAITS, modesWindowMs: 100, modesSettleMs: 0 },
		options: optionsOf({ arguments: new Map() }),
		now: () => clock.nowMs,
		async sleep(ms) {
			clock.nowMs += ms;
		},
		...more,
	});
	const opening: Opening = {
		...{ context, cursor, wire: context.wire },
		subject: subjectOf("a.b", ["poll", "push", "webhook"]),
	};
	return { opening, asked };
}

/** A window of this mode and another one, and its log. */
export function windowOf(mode: DeliveryMode, { context }: Opening) {
	const window = new ComparedWindow({
		modes: [mode, mode === "poll" ? "push" : "poll"],
		...{ windowMs: 1_000, settleMs: 0, now: context.now },
	});
	const [log] = window.logs;
	if (!log) throw new Error("a mode is followed");
	return { window, log };
}
