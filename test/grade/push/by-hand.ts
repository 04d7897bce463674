// Streams that are made by hand, and what a check of push says of them, without any server.
import type { GradeContext } from "../../../src/grade/context.ts";
import type { Finding } from "../../../src/grade/finding.ts";
import type { Opening, PushGround } from "../../../src/grade/push/ground.ts";
import type { Check } from "../../../src/grade/scenario.ts";
import type { Subject } from "../../../src/grade/traffic/subject.ts";
import { WAITS } from "../../../src/grade/waits.ts";
import { type Frame, frameOf } from "../../../src/grade/wire/frame.ts";
import { openScribe } from "../../../src/grade/wire/record.ts";
import type { GradeStream } from "../../../src/grade/wire/stream.ts";
import {
	answerOf,
	controlsOf,
	subjectOf,
	wordOf,
} from "../delivery/by-hand.ts";

const scribe = openScribe({ now: () => 0, secrets: [], secretHeaders: [] });
export const frame = (value: object, at = 0): Frame =>
	frameOf(
		{ jsonrpc: "2.0", ...value },
		at,
		scribe.note({ direction: "received", via: "http" }, "{}"),
	);
export const ACTIVE = frame({
	method: "notifications/events/active",
	params: { cursor: "c", truncated: true },
});
export const errorOf = (code: number) =>
	frame({ id: 1, error: { code, message: "no" } });

/** A stream on which these have come, and nothing more will. */
export const streamOf = (...frames: Frame[]): GradeStream => ({
	...{ id: 1, method: "events/stream", openedAtMs: 0, record: [], frames },
	head: { status: 200, headers: {}, isEvents: true },
	counts: { frames: frames.length, bytes: 0, comments: 0 },
	end: undefined,
	waitFor: async (test, _waitMs, from = 0) => frames.slice(from).find(test),
	waitForEnd: async () => undefined,
	watch: async () => {},
	cancel: async () => {},
	async [Symbol.asyncDispose]() {},
});

/** A stream on which one frame after the other comes, for as long as somebody waits. */
export function slowStreamOf(...left: Frame[]): GradeStream {
	const stream = streamOf();
	const frames: Frame[] = [];
	return {
		...stream,
		frames,
		async waitFor(test, _waitMs, from = 0) {
			for (let at = from; ; at++) {
				if (at === frames.length) frames.push(...left.splice(0, 1));
				const next = frames[at];
				if (!next || test(next)) return next;
			}
		},
	};
}

/** A stream on which these come so many milliseconds after it was opened. */
export const lateStreamOf = (afterMs: number, ...frames: Frame[]) => {
	const stream = streamOf(...frames);
	const waitFor: GradeStream["waitFor"] = async (test, waitMs) =>
		waitMs < afterMs ? undefined : stream.waitFor(test, waitMs);
	return { ...stream, waitFor };
};

export interface Told {
	main?: GradeStream;
	opening?: Opening;
	/** Of the main stream. */
	subject?: Subject;
	/** What further streams turn out to be, in order. */
	streams?: GradeStream[];
	kind?: "http" | "stdio";
	subjects?: Subject[];
	context?: Partial<GradeContext>;
}

export async function findingOf(
	checks: readonly Check<PushGround>[],
	row: string,
	{
		main = streamOf(ACTIVE),
		streams = [],
		kind = "http",
		subjects = [],
		...more
	}: Told,
): Promise<Finding> {
	let timeMs = 0;
	const left = [...streams];
	const wire: Partial<GradeContext["wire"]> = {
		kind,
		openStream(_method, _params, { id } = {}) {
			const stream = left.shift();
			if (!stream) throw new Error("no stream is left");
			return { ...stream, id: id ?? stream.id };
		},
		ask: async () => answerOf(),
	};
	const context: Partial<GradeContext> = {
		profile: "final",
		waits: WAITS,
		now: () => timeMs,
		async sleep(ms) {
			timeMs += ms;
		},
		wire: wire as GradeContext["wire"],
		subjects: {
			withMode: async () => subjects,
			withoutMode: async () => subjects[0],
			first: async () => subjectOf("a.b"),
		},
		options: {} as GradeContext["options"],
		controls: controlsOf({ quota: '{"name":"a.b","max":1}' }),
		found: () => new Map(),
		...more.context,
	};
	const {
		opening = {
			kind: "active",
			frame: ACTIVE,
			cursor: "c",
			truncated: true,
		},
		subject = subjectOf("a.b"),
	} = more;
	const ground = { main, opening, subject, streams: [] };
	const check = checks.find(({ ids }) => ids.includes(row));
	const finding = (await check?.run(context as GradeContext, ground))?.[row];
	if (!finding) throw new Error(`no finding for ${row}`);
	return finding;
}

/** What it says in short. */
export const judge = async (...of: Parameters<typeof findingOf>) =>
	wordOf(await findingOf(...of));
