// A consent that must outlive a restart, because the subscription that it was given for does (events.md 6, Consent).
import type { GradeContext } from "../context.ts";
import {
	broken,
	type Finding,
	holds,
	skipped,
	untestable,
} from "../finding.ts";
import { isChallenge } from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { restartServer } from "../traffic/restart.ts";
import { tellAnswer } from "../wire/answer.ts";
import { otherSubject } from "./consent-reach.ts";
import {
	deliveryRow,
	noEvent,
	type Probe,
	refusedProbe,
	type Stage,
} from "./stage.ts";

export const persistenceChecks: Check<Stage>[] = [
	deliveryRow("verification-persisted-for-no-expiry", tryRestart, {
		phase: "last",
	}),
];

/** A further subscription at the same URL: the consent covers it, where it is remembered. */
async function subscribeBeside(
	context: GradeContext,
	stage: Stage,
	{ sub }: Probe,
): Promise<void> {
	const subject = await otherSubject(context, stage);
	if (!subject) return;
	const beside = await sub.again({ subject });
	await beside.release();
}

async function tryRestart(
	context: GradeContext,
	stage: Stage,
): Promise<Finding> {
	const lacking = context.controls.missing("restart");
	if (lacking) return lacking;
	const probe = await stage.open({ params: { ttlMs: null }, isShared: true });
	const { path, sub } = probe;
	if (!sub.result) return refusedProbe(probe);
	if (sub.result.refreshBefore !== null) {
		await sub.release();
		return skipped("the server grants no subscription without expiry");
	}
	if (!(await stage.nextEvent(path))) return noEvent(sub.answer);
	await subscribeBeside(context, stage, probe);
	if (path.requests.filter(isChallenge).length > 1)
		return untestable(
			{ kind: "feature", name: "a server that remembers a consent" },
			"each subscribe asks for it anew, without any restart",
			...path.requests.filter(isChallenge),
		);
	const before = path.requests.length;
	const failure = await restartServer(context);
	if (failure) return failure;
	const event = await stage.nextEvent(path, path.requests.length);
	const refreshed = await sub.again();
	await subscribeBeside(context, stage, probe);
	await sub.release();
	const challenge = path.requests.slice(before).find(isChallenge);
	if (challenge)
		return broken(
			"after the restart the endpoint was asked for its consent again",
			sub.answer,
			challenge,
		);
	if (!refreshed.result)
		return untestable(
			{ kind: "answer", name: "events/subscribe after a restart" },
			`it is answered with ${tellAnswer(refreshed.answer)}`,
			refreshed.answer,
		);
	return event
		? holds(
				"after the restart events came without a further challenge",
				sub.answer,
				event,
			)
		: noEvent(sub.answer);
}
