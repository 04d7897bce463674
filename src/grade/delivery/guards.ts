// What a server refuses to call while its guards are whole, and where its deliveries go (events.md 6, Server-side safety).
import type { GradeContext } from "../context.ts";
import { isErrorOf } from "../error-names.ts";
import {
	broken,
	type Finding,
	harmful,
	holds,
	odd,
	untestable,
} from "../finding.ts";
import {
	headerOf,
	isChallenge,
	isEvent,
} from "../receiving/callback-request.ts";
import type { GuardTrial } from "../receiving/guard-trials.ts";
import { type Check, checkRow } from "../scenario.ts";
import { errorOf, tellAnswer } from "../wire/answer.ts";
import { deliveryRow, type Probe, refusedProbe, type Stage } from "./stage.ts";

export const guardChecks: Check<Stage>[] = [
	checkRow("ssrf-validate-callback-url", async (context, stage) =>
		judgeUrls(trialsOf(stage, "url"), context),
	),

	checkRow("ssrf-reject-non-routable", async (context, stage) =>
		judgeAddresses(trialsOf(stage, "address"), context, stage),
	),

	checkRow("ssrf-validate-at-delivery-time", async () =>
		untestable(
			{
				kind: "feature",
				name: "a name whose address can be changed while the run lasts",
			},
			"the name server that the server asks is not ours to change",
		),
	),

	deliveryRow("ssrf-connects-checked-address", judgeName, { lane: "name" }),
];

const trialsOf = ({ place }: Stage, kind: GuardTrial["kind"]) =>
	(place.guards ?? []).filter((trial) => trial.kind === kind);

function judgeUrls(
	trials: readonly GuardTrial[],
	context: GradeContext,
): Finding {
	const called = trials.find(({ dials }) => dials);
	if (called)
		return broken(`${tell(called)} was called`, called.subscribed.answer);
	const taken = trials.find(({ subscribed }) => subscribed.result);
	if (taken)
		return odd(
			`${tell(taken)} was taken, and not called in ${context.waits.canaryMs} ms`,
			taken.subscribed.answer,
		);
	return (
		refusedForAnotherReason(trials, context) ??
		holds(
			`refused: ${trials.map(tell).join(", ")}`,
			...trials.map(({ subscribed }) => subscribed.answer),
		)
	);
}

function judgeAddresses(
	trials: readonly GuardTrial[],
	context: GradeContext,
	{ place }: Stage,
): Finding {
	const cite = ({ subscribed }: GuardTrial) => subscribed.answer;
	const called = trials.filter(({ dials }) => dials);
	if (called[0])
		return harmful(
			`called, and that before anybody allowed it: ${called.map(tell).join(", ")}`,
			...called.map(cite),
		);
	const taken = trials.filter(({ subscribed }) => subscribed.result);
	if (taken[0])
		return broken(
			`taken, and not called in ${context.waits.canaryMs} ms: ${taken.map(tell).join(", ")}`,
			...taken.map(cite),
		);
	const other = refusedForAnotherReason(trials, context);
	if (other) return other;
	// A listener of ours counts nothing where the server runs elsewhere, and nobody counts for an address that is not ours.
	const unsure = trials.filter(
		(trial) =>
			(place.isPublic || trial.dials === undefined) && !isInvalid(trial),
	);
	if (unsure[0])
		return broken(
			`refused, but as if it had been called: ${unsure.map((trial) => `${tell(trial)} with ${tellAnswer(cite(trial))}`).join(", ")}`,
			...unsure.map(cite),
		);
	const counted = trials.filter(({ dials }) => dials === 0).length;
	return holds(
		`all ${trials.length} refused; none of the ${counted} that lead to a listener of ours was called`,
		...trials.map(cite),
	);
}

/** Whoever may not subscribe at all is refused every URL, and that says nothing of the URL. */
function refusedForAnotherReason(
	trials: readonly GuardTrial[],
	{ profile }: GradeContext,
): Finding | undefined {
	const other = trials.find((trial) => {
		const error = errorOf(trial.subscribed.answer);
		const isOfUrl =
			error !== undefined &&
			(isInvalid(trial) || isErrorOf(error, "CallbackEndpointError", profile));
		return !isOfUrl;
	});
	return (
		other &&
		untestable(
			{ kind: "answer", name: "events/subscribe that is about the URL" },
			`${tell(other)} is answered with ${tellAnswer(other.subscribed.answer)}`,
			other.subscribed.answer,
		)
	);
}

const isInvalid = ({ subscribed }: GuardTrial) =>
	errorOf(subscribed.answer)?.name === "InvalidParams";

const tell = ({ url, about }: GuardTrial) => `${url} (${about})`;

/** Deliveries to a name: whom they ask for when they arrive. */
async function judgeName(
	_context: GradeContext,
	stage: Stage,
): Promise<Finding> {
	const { place } = stage;
	const { port, origin } = place.receiver;
	if (place.isPublic)
		return untestable(
			{ kind: "feature", name: "a callback of this machine" },
			"what stands before a public address may have changed the name",
		);
	const scheme = origin.slice(0, origin.indexOf(":"));
	const base = `${scheme}://localhost:${port}`;
	const lacking = await place.allow(base);
	if (lacking) return lacking;
	const probe = await stage.open({ base });
	if (!probe.sub.result) return refusedProbe(probe);
	await stage.nextEvent(probe.path);
	await probe.sub.release();
	return judgeNamed(probe, `localhost:${port}`);
}

function judgeNamed({ path, sub }: Probe, host: string): Finding {
	const came = path.requests.filter(
		(request) => isEvent(request) || isChallenge(request),
	);
	if (!came.some(isEvent))
		return untestable(
			{ kind: "traffic", name: "an event at a callback with a name" },
			`nothing was delivered to ${path.url}`,
			sub.answer,
		);
	const wrong = came.find((request) => headerOf(request, "host") !== host);
	if (wrong)
		return broken(
			`a request for ${host} arrived with the Host ${JSON.stringify(headerOf(wrong, "host"))}`,
			wrong,
		);
	const unnamed = came.find(
		({ servername }) => servername !== undefined && servername !== "localhost",
	);
	if (unnamed)
		return broken(
			`over TLS ${JSON.stringify(unnamed.servername)} was asked for in place of localhost`,
			unnamed,
		);
	return holds(`all ${came.length} requests name ${host}`, ...came.slice(0, 3));
}
