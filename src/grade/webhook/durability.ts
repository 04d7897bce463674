// What outlives a restart: long leases, endless ones, and the ids of both; and how an endless one ends when its
// callback is dead (events.md 6). One restart for all of them, after everything else.
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { answerStatus, type Behaviour } from "../receiving/behaviour.ts";
import { isEnvelope } from "../receiving/callback-request.ts";
import type { Subscribed } from "../receiving/subscriptions.ts";
import type { Check } from "../scenario.ts";
import { SIZES } from "../waits.ts";
import {
	type Callback,
	noDeliveries,
	notTaken,
	type WebhookGround,
} from "./ground.ts";
import { isStable } from "./keys.ts";
import { leaseOf } from "./leases.ts";
import { restart, stateOf, waitForState } from "./states.ts";

const IDS = [
	"subscribe-id-derived",
	"ttl-long-grant-retained",
	"ttl-no-expiry-persisted",
	"ttl-no-expiry-gc-terminated",
] as const;
type Findings = Record<(typeof IDS)[number], Finding>;

export const durabilityChecks: Check<WebhookGround>[] = [
	{
		ids: IDS,
		phase: "last",
		async run(context, ground) {
			if (!ground.main.result) {
				const lacking = notTaken(ground, ground.main);
				return Object.fromEntries(IDS.map((id) => [id, lacking]));
			}
			return await outlive(context, ground);
		},
	},
];

/** Takes events no more, and still takes the envelopes. */
const DEAD: Behaviour = {
	delivery: ({ kind }) => answerStatus(kind === "event" ? 503 : 204),
};

async function outlive(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Findings> {
	const { controls } = context;
	const lacking = controls.missing("restart", "generation");
	if (lacking) return withoutRestart(ground, lacking);
	const ttlMs = SIZES.ttlDurabilityMs;
	const long = await ground.subscribe({
		url: ground.newCallback().url,
		params: { ttlMs },
	});
	const callback = ground.newCallback();
	const endless = await ground.subscribe({
		url: callback.url,
		params: { ttlMs: null },
	});
	const failed = await restart(context);
	if (failed) return withoutRestart(ground, failed);
	const retained = await judgeLong(context, ground, long);
	const persisted = await judgeEndless(context, ground, endless);
	return {
		"ttl-long-grant-retained": retained,
		"ttl-no-expiry-persisted": persisted,
		"ttl-no-expiry-gc-terminated":
			persisted.kind === "holds"
				? await judgeGivingUp(context, ground, { callback, endless })
				: lost(persisted),
		"subscribe-id-derived": await judgeId(context, ground, long),
	};
}

/** That there is an id at all needs no restart. */
function withoutRestart(
	{ main, isReachable, place }: WebhookGround,
	lacking: Finding,
): Findings {
	const rest = !isReachable && place.lacking ? place.lacking : lacking;
	return {
		"ttl-long-grant-retained": lacking,
		"ttl-no-expiry-persisted": lacking,
		"ttl-no-expiry-gc-terminated": rest,
		"subscribe-id-derived":
			idProblem(main) ??
			holds(
				`the id is ${main.id}; whether it outlives a restart was not tried`,
				main.answer,
			),
	};
}

function idProblem({ id, result, answer }: Subscribed): Finding | undefined {
	if (id !== undefined && id !== "") return undefined;
	return broken(
		`id is ${JSON.stringify(result?.id)}, no text that is not empty`,
		answer,
	);
}

async function judgeId(
	context: GradeContext,
	ground: WebhookGround,
	before: Subscribed,
): Promise<Finding> {
	const problem = idProblem(ground.main);
	if (problem) return problem;
	if (!before.result) return notTaken(ground, before);
	const after = await before.again();
	await before.release();
	const cites = [before.answer, after.answer];
	if (!after.result) return notTaken(ground, after);
	if (!isStable(context))
		return untestable(
			{ kind: "answer", name: "a refresh with the id of its key" },
			"already a refresh changes it; subscribe-idempotent-upsert tells of it",
			...cites,
		);
	return after.id === before.id
		? holds(`the id is ${before.id} before and after a restart`, ...cites)
		: broken(
				`the id was ${before.id}, and is ${after.id} after a restart`,
				...cites,
			);
}

async function judgeLong(
	context: GradeContext,
	ground: WebhookGround,
	long: Subscribed,
): Promise<Finding> {
	if (!long.result) return notTaken(ground, long);
	const leaseMs = leaseOf(long);
	const isEndless = long.result.refreshBefore === null;
	if (!isEndless && (leaseMs ?? 0) <= SIZES.ttlSuggestionMs + SIZES.ttlSlackMs)
		return untestable(
			{ kind: "feature", name: "a lease that is longer than an hour" },
			`a day was asked for, and ${JSON.stringify(long.result.refreshBefore)} granted`,
			long.answer,
		);
	return await judgeState(context, long);
}

async function judgeEndless(
	context: GradeContext,
	ground: WebhookGround,
	endless: Subscribed,
): Promise<Finding> {
	if (!endless.result) return notTaken(ground, endless);
	if (endless.result.refreshBefore !== null)
		return untestable(
			{ kind: "feature", name: "a subscription without expiry" },
			`it was asked for, and ${JSON.stringify(endless.result.refreshBefore)} granted, as a server may`,
			endless.answer,
		);
	return await judgeState(context, endless);
}

async function judgeState(
	context: GradeContext,
	{ id, answer }: Subscribed,
): Promise<Finding> {
	const lacking = context.controls.missing("subscriptionState");
	if (lacking) return lacking;
	const { word, answers } = await stateOf(context, id);
	const told = `after a restart its state is ${word}`;
	if (word === "active" || word === "suspended")
		return holds(told, answer, ...answers);
	return word === "absent"
		? broken(told, answer, ...answers)
		: untestable(
				{ kind: "answer", name: "the state of a subscription by its id" },
				told,
				answer,
				...answers,
			);
}

const lost = (persisted: Finding): Finding =>
	persisted.kind === "broken"
		? untestable(
				{ kind: "feature", name: "a subscription without expiry" },
				"it was lost in the restart already",
				...persisted.cites,
			)
		: persisted;

/** Events fail from now on; the last word would be taken. */
async function judgeGivingUp(
	context: GradeContext,
	ground: WebhookGround,
	{ callback, endless }: { callback: Callback; endless: Subscribed },
): Promise<Finding> {
	const { waits } = context;
	const { path } = callback;
	const from = path.requests.length;
	path.behaviour = DEAD;
	if (!(await ground.nextEvent(path, undefined, from))) {
		await endless.release();
		return noDeliveries(ground, "nothing came that could be failed");
	}
	const wanted = { word: "absent", ms: waits.gcMs };
	const { word, answers } = await waitForState(context, endless.id, wanted);
	const isLastWord = (request: Parameters<typeof isEnvelope>[0]) =>
		isEnvelope(request) && request.kind === "terminated";
	const last =
		word === "absent"
			? await path.waitFor(isLastWord, waits.envelopeMs, from)
			: undefined;
	await endless.release();
	if (word !== "absent")
		return untestable(
			{
				kind: "traffic",
				name: "a server that gives up on a failing callback within seconds",
			},
			`after ${waits.gcMs} ms of failures its state is ${word}; giving up is optional`,
			endless.answer,
			...answers,
		);
	return last
		? holds(
				"it was given up after failures, and a terminated envelope came",
				endless.answer,
				...answers,
				last,
			)
		: broken(
				`it was given up after failures, and no terminated envelope came in ${waits.envelopeMs} ms`,
				endless.answer,
				...answers,
			);
}
