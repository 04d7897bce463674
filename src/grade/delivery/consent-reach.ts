// How far one consent reaches: further subscriptions, other principals, other handshakes (events.md 6, Consent).
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { echoOf } from "../receiving/behaviour.ts";
import {
	type CallbackRequest,
	isChallenge,
} from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import type { Subject } from "../traffic/subject.ts";
import { noChallenge } from "./consent.ts";
import { deliveryRow, type Probe, refusedProbe, type Stage } from "./stage.ts";

export const consentReachChecks: Check<Stage>[] = [
	deliveryRow("verification-cached-per-principal-url", tryReach, {
		needsNoEvent: true,
		lane: "consent",
	}),

	deliveryRow("verification-nonce-single-use", tryNonces, {
		needsNoEvent: true,
		lane: "consent",
	}),
];

const challengesOf = ({ path }: Probe) => path.requests.filter(isChallenge);

async function tryReach(context: GradeContext, stage: Stage): Promise<Finding> {
	const probe = await stage.open({ isShared: true });
	if (!probe.sub.result) return refusedProbe(probe);
	const [first] = challengesOf(probe);
	if (!first) return noChallenge(probe.sub.answer);
	const other = await otherSubject(context, stage);
	if (!other)
		return untestable(
			{ kind: "feature", name: "a second event type that offers webhook" },
			"there is only one, so that nothing else can be subscribed at the same URL",
		);
	const second = await probe.sub.again({ subject: other });
	if (!second.result) return refusedProbe({ ...probe, sub: second });
	const [, again] = challengesOf(probe);
	await second.release();
	if (again)
		return broken(
			`the URL was asked again for ${other.name}, after its consent for ${stage.subject.name}`,
			first,
			again,
		);
	const finding = await tryOtherPrincipal(context, { stage, probe });
	await probe.sub.release();
	return finding;
}

/** Another event type that can be subscribed by webhook. */
export async function otherSubject(
	{ subjects }: GradeContext,
	{ subject }: Stage,
): Promise<Subject | undefined> {
	const all = await subjects.withMode("webhook");
	return all.find(({ name }) => name !== subject.name);
}

/** With the second credential, or else by the control that subscribes somebody else. */
async function tryOtherPrincipal(
	context: GradeContext,
	{ stage, probe }: { stage: Stage; probe: Probe },
): Promise<Finding> {
	const before = challengesOf(probe).length;
	const failure = await subscribeAnother(context, { stage, probe });
	if (failure) return failure;
	const fresh = challengesOf(probe)[before];
	return fresh
		? holds(
				"no further challenge for another event type, and a new one for another principal",
				...challengesOf(probe),
			)
		: broken(
				"the consent given to one principal was taken for that of another",
				probe.sub.answer,
			);
}

async function subscribeAnother(
	context: GradeContext,
	{ stage, probe }: { stage: Stage; probe: Probe },
): Promise<Finding | undefined> {
	const { options, controls, unique } = context;
	const { subject } = stage;
	if (options.secondHeaders.length > 0) {
		const second = await probe.sub.again({ caller: "second" });
		await second.release();
		return second.result ? undefined : refusedProbe({ ...probe, sub: second });
	}
	if (controls.missing("subscribeAs"))
		return untestable(
			{ kind: "credential", name: "--second-principal-header 'K: V'" },
			"one consent covers another event type of the same principal; that it covers no other principal was not tried",
			...challengesOf(probe),
		);
	const called = await controls.call("subscribeAs", {
		principal: `grader-${unique()}`,
		name: subject.name,
		url: probe.path.url,
	});
	return called.kind === "failed" ? called.finding : undefined;
}

/** Shorter ones could be guessed. */
const LEAST_CHARACTERS = 16;

async function tryNonces(
	{ found }: GradeContext,
	stage: Stage,
): Promise<Finding> {
	const [old] = challengesOf(stage.main);
	if (!old) return noChallenge(stage.main.sub.answer);
	const stale = await stage.open({
		behaviour: { challenge: () => echoOf(old.json?.challenge) },
	});
	await stale.sub.release();
	const challenges = stage.probes.flatMap(challengesOf);
	const words = challenges.map(({ json }) => String(json?.challenge));
	const repeated = challenges.find((_, at) =>
		words.slice(0, at).includes(words[at] ?? ""),
	);
	if (repeated)
		return broken("a challenge was used for a second handshake", repeated);
	const short = challenges.find(isShort);
	if (short)
		return broken(
			`a challenge has ${String(short.json?.challenge).length} characters`,
			short,
		);
	// Whoever takes any echo takes this one: another row tells of it.
	const takesAny = found().get("verification-failure-error")?.kind === "broken";
	if (stale.sub.result && !takesAny)
		return broken(
			"the challenge of an earlier handshake was taken for an echo",
			old,
			stale.sub.answer,
		);
	return holds(
		`${challenges.length} challenges, all different${takesAny ? "" : "; an earlier one is no echo"}`,
		...challenges.slice(0, 3),
		stale.sub.answer,
	);
}

/** One that is no text is for another row. */
const isShort = ({ json }: CallbackRequest) =>
	typeof json?.challenge === "string" &&
	json.challenge.length < LEAST_CHARACTERS;
