// Gap and terminated: what is no event comes as an envelope to the one subscription that it concerns (events.md 6).
import {
	excerpt,
	isRecord,
	METHODS,
	WEBHOOK_HEADERS,
} from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, odd, untestable } from "../finding.ts";
import {
	type CallbackRequest,
	headerOf,
} from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { CONTROLS } from "../traffic/controls.ts";
import { type Answer, tellAnswer } from "../wire/answer.ts";
import {
	deliveryCheck,
	type Probe,
	refusedProbe,
	type Stage,
} from "./stage.ts";

export const envelopeChecks: Check<Stage>[] = [
	deliveryCheck(["envelope-gap", "envelope-terminated"], tryEnvelopes, {
		lane: "envelopes",
		needsNoEvent: true,
	}),
];

async function tryEnvelopes(context: GradeContext, stage: Stage) {
	const probe = await stage.open();
	if (!probe.sub.result) {
		const finding = refusedProbe(probe);
		return { "envelope-gap": finding, "envelope-terminated": finding };
	}
	const gap = await tryGap(context, stage, probe);
	const terminated = await tryTermination(context, stage, probe);
	return { "envelope-gap": gap, "envelope-terminated": terminated };
}

const isKind = (kind: string) => (request: CallbackRequest) =>
	request.kind === kind;

/** What came unasked is looked at, too. */
const unasked = ({ probes }: Stage, kind: string) =>
	probes.flatMap(({ path }) => path.requests).find(isKind(kind));

async function tryGap(
	context: GradeContext,
	stage: Stage,
	{ path, sub }: Probe,
): Promise<Finding> {
	const { controls, waits } = context;
	const asked = await controls.call("webhookGap", { id: sub.id ?? "" });
	if (asked.kind === "failed") {
		const came = unasked(stage, "gap");
		return came ? judgeGap(came) : asked.finding;
	}
	const gap = await path.waitFor(isKind("gap"), waits.envelopeMs);
	return gap
		? judgeGap(gap)
		: broken(
				`${CONTROLS.webhookGap} is acknowledged, and no gap came`,
				asked.answer,
			);
}

function judgeGap(gap: CallbackRequest): Finding {
	const cursor = gap.json?.cursor;
	return typeof cursor === "string" && cursor !== ""
		? holds("a gap with a cursor", gap)
		: broken(`its cursor is ${excerpt(cursor, 60)}`, gap);
}

async function tryTermination(
	context: GradeContext,
	stage: Stage,
	probe: Probe,
): Promise<Finding> {
	const { controls, waits } = context;
	const { path, sub } = probe;
	const asked = await controls.call("webhookTerminate", { id: sub.id ?? "" });
	if (asked.kind === "failed") {
		const came = unasked(stage, "terminated");
		return came ? judgeTerminated(came) : asked.finding;
	}
	const came = await path.waitFor(isKind("terminated"), waits.envelopeMs);
	if (!came)
		return broken(
			`${CONTROLS.webhookTerminate} is acknowledged, and no terminated came`,
			asked.answer,
		);
	const shape = judgeTerminated(came);
	if (shape.kind === "broken") return shape;
	return (await judgeGone(context, probe, came)) ?? shape;
}

function judgeTerminated(came: CallbackRequest): Finding {
	const error = came.json?.error;
	const isWhole =
		isRecord(error) &&
		Number.isInteger(error.code) &&
		typeof error.message === "string";
	return isWhole
		? holds("terminated with an error", came)
		: odd(`its error is ${excerpt(error, 80)}`, came);
}

/** Timestamps count seconds: what is signed later than this after the last word was made after it. */
const LATER_SECONDS = 1;

/** Nothing is sent any more, and there is nothing to unsubscribe; undefined where that is so. */
async function judgeGone(
	{ waits, sleep }: GradeContext,
	{ path, sub }: Probe,
	came: CallbackRequest,
): Promise<Finding | undefined> {
	// What was on its way already may still arrive, so that its arrival proves nothing.
	await sleep(waits.afterTerminatedMs + (LATER_SECONDS + 1) * 1_000);
	const later = path.requests.find(
		(request) => secondsOf(request) > secondsOf(came) + LATER_SECONDS,
	);
	if (later) return broken("deliveries go on after terminated", came, later);
	const answer = await sub.release();
	return isStillThere(answer)
		? broken(
				`the subscription is still there: ${METHODS.unsubscribe} is answered with ${tellAnswer(answer)}`,
				came,
				answer,
			)
		: undefined;
}

/** NaN where it is no Unix time in seconds: that is for another row. */
function secondsOf(request: CallbackRequest): number {
	const text = headerOf(request, WEBHOOK_HEADERS.timestamp) ?? "";
	return /^\d{1,11}$/.test(text) ? Number(text) : Number.NaN;
}

const isStillThere = ({ outcome }: Answer) => outcome.kind === "result";

export const noEnvelope = (): Finding =>
	untestable(
		{
			kind: "traffic",
			name: "a control envelope: a challenge, a gap or a terminated",
		},
		"none came",
	);
