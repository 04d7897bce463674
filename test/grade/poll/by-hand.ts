// The scenario of poll without a server: polls are answered from memory, on a clock that moves by asking and sleeping.
import type { GradeContext } from "../../../src/grade/context.ts";
import type { Finding } from "../../../src/grade/finding.ts";
import {
	openPollGround,
	type PollGround,
} from "../../../src/grade/poll/ground.ts";
import type { Check } from "../../../src/grade/scenario.ts";
import type { Subject } from "../../../src/grade/traffic/subject.ts";
import { WAITS } from "../../../src/grade/waits.ts";
import type { GradeStream } from "../../../src/grade/wire/stream.ts";
import {
	answerOf,
	contextOf,
	NOW_MS,
	optionsOf,
	subjectOf,
} from "../delivery/by-hand.ts";
import { type Bend, openPolls } from "./bent-double.ts";

export const POLL_TYPE = subjectOf("a.b", ["poll"]);

export interface Told {
	bend?: Bend;
	/** All offer poll, and bring the same events. */
	subjects?: Subject[];
	/** What every events/stream turns out to be. */
	stream?: GradeStream;
	context?: Partial<GradeContext>;
}

/** A context, and what was done by it: the parameters of every poll, and the milliseconds of every sleep. */
export function contextOfPolls({
	bend = () => undefined,
	subjects = [POLL_TYPE],
	stream,
	context: more,
}: Told = {}) {
	let timeMs = NOW_MS;
	const asked: Record<string, unknown>[] = [];
	const slept: number[] = [];
	const answerTo = openPolls(bend, () => timeMs);
	const wire: Partial<GradeContext["wire"]> = {
		async ask(_method, params = {}) {
			asked.push(params);
			const sentAtMs = timeMs++;
			const isKnown = subjects.some(({ name }) => name === params.name);
			const { result, error } = isKnown
				? answerTo(params)
				: { error: { code: -32023 } };
			return {
				...answerOf(error ? error.code : result),
				sentAtMs,
				endedAtMs: timeMs++,
			};
		},
		openStream() {
			if (!stream) throw new Error("there is no stream");
			return stream;
		},
	};
	const types = subjects.map(({ type }) => type);
	const context = contextOf({
		wire: wire as GradeContext["wire"],
		waits: { ...WAITS, pollAgainMinMs: 20, pollAgainMaxMs: 20 },
		options: optionsOf({}),
		listing: { pages: [answerOf()], types, stopped: undefined },
		subjects: {
			withMode: async () => subjects,
			withoutMode: async () => undefined,
			first: async () => subjects[0] ?? POLL_TYPE,
		},
		now: () => timeMs,
		async sleep(ms) {
			slept.push(ms);
			timeMs += ms;
		},
		...more,
	});
	return { context, asked, slept };
}

/** The ground that is prepared so. */
export async function prepare(told?: Told) {
	const made = contextOfPolls(told);
	return { ...made, ground: await openPollGround(made.context) };
}

/** Runs the check of a row. */
export async function findingOf(
	checks: readonly Check<PollGround>[],
	row: string,
	{ context, ground }: { context: GradeContext; ground: PollGround },
): Promise<Finding> {
	const check = checks.find(({ ids }) => ids.includes(row));
	const finding = (await check?.run(context, ground))?.[row];
	if (!finding) throw new Error(`no finding for ${row}`);
	return finding;
}

/** Its kind and what it tells. */
export function tell(finding: Finding): string {
	const told = "found" in finding ? finding.found : finding.why;
	return `${finding.kind} ${told}`;
}
