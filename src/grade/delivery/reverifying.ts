// Access that is taken away while subscriptions stand: they end, and say why (events.md 7, Access).
import { isRecord, METHODS, NOTIFICATIONS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { codesOf } from "../error-names.ts";
import { broken, type Finding, holds, odd, untestable } from "../finding.ts";
import type { CallbackRequest } from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { standingSubject } from "../traffic/subject.ts";
import type { Answer } from "../wire/answer.ts";
import type { Frame } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import {
	deliveryRow,
	noEvent,
	type Probe,
	refusedProbe,
	type Stage,
} from "./stage.ts";

export const reverifyingChecks: Check<Stage>[] = [
	deliveryRow("authz-delivery-time-reverify", tryRevoked, { phase: "changes" }),
];

async function tryRevoked(
	context: GradeContext,
	stage: Stage,
): Promise<Finding> {
	const { controls, wire } = context;
	const lacking = controls.missing("access");
	if (lacking) return lacking;
	const subject = (await standingSubject("webhook", context)) ?? stage.subject;
	const { name } = subject;
	const probe = await stage.open({ subject });
	if (!probe.sub.result) return refusedProbe(probe);
	if (!(await stage.nextEvent(probe.path))) return noEvent(probe.sub.answer);
	const params = { name, arguments: subject.arguments, cursor: null };
	await using stream = subject.type.modes.includes("push")
		? wire.openStream(METHODS.stream, params)
		: undefined;
	await stream?.waitFor(() => true, context.waits.activeMs);
	const from = probe.path.requests.length;
	const taken = await controls.call("access", { action: "revoke", name });
	if (taken.kind === "failed") return taken.finding;
	try {
		const { answer } = taken;
		const byWebhook = await judgeWebhook(context, { probe, from, answer });
		if (byWebhook.kind !== "holds" || !stream) return byWebhook;
		return (await judgeStream(context, stream, answer)) ?? byWebhook;
	} finally {
		await controls.call("access", { action: "restore", name });
	}
}

/** What was on its way when access was taken may still arrive. */
const UNDER_WAY_MS = 1_000;

interface Revoked {
	probe: Probe;
	/** Requests that had come before. */
	from: number;
	/** Of the control. */
	answer: Answer;
}

async function judgeWebhook(
	context: GradeContext,
	{ probe, from, answer }: Revoked,
): Promise<Finding> {
	const { controls, waits, profile } = context;
	const { path, sub } = probe;
	const isEnd = ({ kind }: CallbackRequest) => kind === "terminated";
	const end = await path.waitFor(isEnd, waits.envelopeMs, from);
	if (end)
		return isForbidden(end.json?.error, profile)
			? holds("a terminated with Forbidden came", answer, end)
			: odd("a terminated came, and its error is not Forbidden", answer, end);
	const late = path.events.find(
		({ atMs }) => atMs > answer.endedAtMs + UNDER_WAY_MS,
	);
	if (late)
		return broken(
			`deliveries go on ${late.atMs - answer.endedAtMs} ms after access was taken away`,
			answer,
			late,
		);
	const state = await controls.call("subscriptionState", { id: sub.id ?? "" });
	if (state.kind === "text" && state.text.trim() === "absent")
		return holds(
			"the subscription is gone, and nothing more was delivered",
			answer,
			state.answer,
		);
	return untestable(
		{ kind: "time", name: "a server that soon asks again who may have what" },
		`nothing came for ${waits.envelopeMs} ms after access was taken away: neither an event nor terminated`,
		answer,
	);
}

const isForbidden = (error: unknown, profile: GradeContext["profile"]) =>
	isRecord(error) &&
	codesOf("Forbidden", profile).some((code) => code === error.code);

/** Undefined where the stream ended as it should, or says nothing either way. */
async function judgeStream(
	{ waits }: GradeContext,
	stream: GradeStream,
	answer: Answer,
): Promise<Finding | undefined> {
	const isEnd = ({ method }: Frame) => method === NOTIFICATIONS.terminated;
	if (await stream.waitFor(isEnd, waits.terminatedMs)) return undefined;
	const late = stream.frames.find(
		({ method, at }) =>
			method === NOTIFICATIONS.event && at > answer.endedAtMs + UNDER_WAY_MS,
	);
	return late
		? broken(
				`the webhook ended, and a stream goes on ${late.at - answer.endedAtMs} ms after access was taken away`,
				answer,
				late,
			)
		: undefined;
}
