// Endpoints that do not consent, or cannot be reached: told by their category, and with nothing that they said.
import { CALLBACK_REASONS, isRecord } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { codesOf, isErrorOf } from "../error-names.ts";
import { broken, type Finding, holds, odd, untestable } from "../finding.ts";
import { answerStatus, echoOf } from "../receiving/behaviour.ts";
import { isChallenge, isEvent } from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { type Answer, errorOf, tellAnswer } from "../wire/answer.ts";
import type { FrameError } from "../wire/frame.ts";
import { noChallenge } from "./consent.ts";
import {
	deliveryCheck,
	type Probe,
	refusedProbe,
	type Stage,
} from "./stage.ts";

export const consentFailureChecks: Check<Stage>[] = [
	deliveryCheck(
		[
			"verification-failure-error",
			"error-callback-endpoint-error",
			"verification-no-raw-endpoint-responses",
		],
		tryWrongEchoes,
		{ needsNoEvent: true, lane: "consent" },
	),
];

/** What an endpoint may say, and what must not come back from there. */
const WORDS = "the-words-of-an-endpoint";

async function tryWrongEchoes(context: GradeContext, stage: Stage) {
	const words = `${WORDS}-${context.unique()}`;
	const [wrong, failing, dead] = await Promise.all([
		stage.open({ behaviour: { challenge: () => echoOf(words) } }),
		stage.open({ behaviour: { challenge: () => answerStatus(500, words) } }),
		openDeadPort(stage),
	]);
	const delivered =
		wrong.sub.result &&
		(await wrong.path.waitFor(isEvent, context.waits.deliverySettleMs));
	const probes = [wrong, failing, ...(dead ? [dead] : [])];
	await Promise.all(probes.map(({ sub }) => sub.release()));
	const asked = wrong.path.requests.some(isChallenge);
	const answers = probes.map(({ sub }) => sub.answer);
	return {
		"verification-failure-error": asked
			? judgeFailure({ wrong, failing, dead }, delivered !== undefined, context)
			: noChallenge(wrong.sub.answer),
		"error-callback-endpoint-error": asked
			? judgeError(wrong.sub.answer, context)
			: noChallenge(wrong.sub.answer),
		"verification-no-raw-endpoint-responses": judgeWords(answers, words),
	};
}

/** Never given to anybody, unlike a port that was free a moment ago; and no client library refuses it by itself. */
const DEAD_PORT = 4;

/** A callback on a port of this machine where nobody listens; undefined where the server may not call it. */
async function openDeadPort({
	place,
	open,
}: Stage): Promise<Probe | undefined> {
	if (place.isPublic) return undefined;
	const { origin, port } = place.receiver;
	const base = origin.replace(`:${port}`, `:${DEAD_PORT}`);
	if (await place.allow(base)) return undefined;
	return open({ base });
}

interface Failures {
	wrong: Probe;
	failing: Probe;
	dead: Probe | undefined;
}

const AFTER_ECHO = ["challenge_failed"];
const AFTER_500 = ["challenge_failed", "http_5xx"];
const UNREACHED = ["connection_refused", "timeout", "tls_error"];

/** The category that fits; the right number is for error-callback-endpoint-error. */
function judgeFailure(
	{ wrong, failing, dead }: Failures,
	isDelivered: boolean,
	{ profile }: GradeContext,
): Finding {
	const { answer, result } = wrong.sub;
	if (result)
		return isDelivered
			? broken("a wrong echo was taken for consent, and events came", answer)
			: odd("a wrong echo is no failure; nothing was delivered", answer);
	const wanted: [Probe | undefined, string, readonly string[]][] = [
		[wrong, "a wrong echo", AFTER_ECHO],
		[failing, "a challenge that is answered 500", AFTER_500],
		[dead, "a port where nobody listens", UNREACHED],
	];
	for (const [probe, about, reasons] of wanted) {
		if (!probe) continue;
		const error = errorOf(probe.sub.answer);
		if (!error && !probe.sub.result) return refusedProbe(probe);
		if (!error)
			return broken(
				`${about} is answered with ${tellAnswer(probe.sub.answer)}`,
				probe.sub.answer,
			);
		if (!isErrorOf(error, "CallbackEndpointError", profile)) continue;
		const reason = reasonOf(error);
		if (reason === "timeout" && !reasons.includes(reason))
			return untestable(
				{ kind: "time", name: "a server that waits for our answer" },
				`${about} is told as timeout: our answer did not reach it in its own time`,
				probe.sub.answer,
			);
		if (isKnown(reason) && !reasons.includes(reason))
			return broken(
				`${about} is told as ${reason} in place of ${reasons.join(" or ")}`,
				probe.sub.answer,
			);
	}
	return holds(
		`each subscribe failed: ${[wrong, failing, dead].flatMap((probe) => (probe ? [String(reasonOf(errorOf(probe.sub.answer)))] : [])).join(", ")}`,
		answer,
		failing.sub.answer,
		...(dead ? [dead.sub.answer] : []),
	);
}

function judgeError(answer: Answer, { profile }: GradeContext): Finding {
	const error = errorOf(answer);
	if (!error)
		return untestable(
			{ kind: "answer", name: "events/subscribe with an error" },
			"a wrong echo was no failure; verification-failure-error tells of it",
			answer,
		);
	if (!isErrorOf(error, "CallbackEndpointError", profile))
		return broken(
			`${tellAnswer(answer)} in place of ${codesOf("CallbackEndpointError", profile).join(" or ")}`,
			answer,
		);
	const reason = reasonOf(error);
	return isKnown(reason)
		? holds(`${error.code} with the reason ${reason}`, answer)
		: odd(`its data.reason is ${JSON.stringify(reason)}`, answer);
}

function reasonOf(error: FrameError | undefined): unknown {
	return isRecord(error?.data) ? error.data.reason : undefined;
}

const isKnown = (reason: unknown): reason is string =>
	CALLBACK_REASONS.some((known) => known === reason);

function judgeWords(answers: readonly Answer[], words: string): Finding {
	const failed = answers.filter((answer) => errorOf(answer) !== undefined);
	if (failed.length === 0)
		return untestable(
			{ kind: "answer", name: "events/subscribe with an error" },
			"no endpoint that failed was told of",
		);
	const leak = failed.find((answer) =>
		JSON.stringify(errorOf(answer)).includes(words),
	);
	return leak
		? broken(`the error repeats what the endpoint said: ${words}`, leak)
		: holds(
				`none of ${failed.length} errors repeats what the endpoint said`,
				...failed,
			);
}
