// The handshake: before anything is delivered, signed, echoed, and told of by its category alone (events.md 6, Consent).
import { CALLBACK_REASONS, isRecord } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { codesOf, isErrorOf } from "../error-names.ts";
import { broken, type Finding, holds, odd, untestable } from "../finding.ts";
import { answerStatus, echoOf, redirectTo } from "../receiving/behaviour.ts";
import { isChallenge, isEvent } from "../receiving/callback-request.ts";
import { openCanary } from "../receiving/canary.ts";
import type { Check } from "../scenario.ts";
import { type Answer, errorOf, tellAnswer } from "../wire/answer.ts";
import type { FrameError } from "../wire/frame.ts";
import {
	deliveryCheck,
	deliveryRow,
	noEvent,
	type Probe,
	refusedProbe,
	type Stage,
} from "./stage.ts";

export const consentChecks: Check<Stage>[] = [
	deliveryRow(
		"verification-required-before-delivery",
		async (_context, stage) => judgeOrder(stage),
		{ needsNoEvent: true, lane: "consent" },
	),

	deliveryRow(
		"verification-challenge-echo",
		async (_context, { main }) => judgeChallenge(main),
		{ needsNoEvent: true, lane: "consent" },
	),

	deliveryCheck(
		[
			"verification-failure-error",
			"error-callback-endpoint-error",
			"verification-no-raw-endpoint-responses",
		],
		tryWrongEchoes,
		{ needsNoEvent: true, lane: "consent" },
	),

	deliveryRow("verification-uses-ssrf-hardened-path", tryRedirect, {
		needsNoEvent: true,
		lane: "consent",
	}),
];

function judgeOrder({ main, place }: Stage): Finding {
	const { requests } = main.path;
	const event = requests.findIndex(isEvent);
	const challenge = requests.findIndex(isChallenge);
	const fetches = place.receiver.documentRequests;
	if (event < 0 && challenge < 0) return noEvent(main.sub.answer);
	const cites = [requests[challenge], requests[event]].flatMap((request) =>
		request ? [request] : [],
	);
	if (challenge >= 0 && (event < 0 || challenge < event))
		return holds("the challenge came before the first event", ...cites);
	if (fetches[0])
		return untestable(
			{ kind: "feature", name: "a server that asks by handshake" },
			"it fetched the well-known document in place of a challenge; well-known-document-honoured tells of it",
			fetches[0],
		);
	return broken(
		challenge < 0
			? "an event was delivered, and no consent was ever asked for"
			: "an event was delivered before the challenge",
		...cites,
	);
}

function judgeChallenge({ path, sub }: Probe): Finding {
	const challenge = path.requests.find(isChallenge);
	if (!challenge) return noChallenge(sub.answer);
	const text = challenge.json?.challenge;
	return typeof text === "string" && text !== ""
		? holds(
				"a verification envelope with a challenge, echoed and taken",
				challenge,
				sub.answer,
			)
		: broken(`its challenge is ${JSON.stringify(text)}`, challenge);
}

export const noChallenge = (...cites: Parameters<typeof untestable>[2][]) =>
	untestable(
		{ kind: "feature", name: "a server that asks by handshake" },
		"no challenge came",
		...cites,
	);

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

/** A callback on a port of this machine where nobody listens; undefined where the server may not call it. */
async function openDeadPort({
	place,
	open,
}: Stage): Promise<Probe | undefined> {
	if (place.isPublic) return undefined;
	const canary = await openCanary("127.0.0.1");
	if (!canary) return undefined;
	await canary.close();
	const { origin, port } = place.receiver;
	const base = origin.replace(`:${port}`, `:${canary.port}`);
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

async function tryRedirect(
	{ waits }: GradeContext,
	stage: Stage,
): Promise<Finding> {
	const target = stage.place.openPath();
	const probe = await stage.open({
		behaviour: { challenge: () => redirectTo(target.url, 307) },
	});
	const challenge = probe.path.requests.find(isChallenge);
	if (!challenge) return noChallenge(probe.sub.answer);
	// The subscribe was answered: whoever follows has done so by now.
	const followed = await target.waitFor(() => true, waits.afterCancelMs);
	await probe.sub.release();
	return followed
		? broken("a challenge that was redirected went where it was sent", followed)
		: holds(
				`a challenge was answered 307, and nothing came to its target`,
				challenge,
				probe.sub.answer,
			);
}
