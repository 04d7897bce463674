// What a refresh does for deliveries: a new secret signs, and what was suspended goes on (events.md 6).
import { randomBytes } from "node:crypto";
import { isRecord } from "../../protocol/index.ts";
import { newSecret, type Secret, verifyDelivery } from "../../signing/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { ACCEPT, always } from "../receiving/behaviour.ts";
import type { CallbackPath } from "../receiving/callback-path.ts";
import {
	type CallbackRequest,
	isEvent,
} from "../receiving/callback-request.ts";
import type { Subscribed } from "../receiving/subscriptions.ts";
import type { Check } from "../scenario.ts";
import { tellAnswer } from "../wire/answer.ts";
import {
	noDeliveries,
	notTaken,
	subscribedRow,
	type WebhookGround,
} from "./ground.ts";
import { stateOf, waitForState } from "./states.ts";

export const refreshChecks: Check<WebhookGround>[] = [
	subscribedRow("subscribe-refresh-replaces-secret", replaceSecret, {
		lane: "deliveries",
	}),
	subscribedRow("subscribe-refresh-reactivates", reactivate, {
		lane: "deliveries",
	}),
];

async function replaceSecret(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Finding> {
	if (!(await ground.firstEvent())) return noDeliveries(ground);
	const { path, url } = ground.newCallback();
	const [former, next] = [newSecret(randomBytes), newSecret(randomBytes)];
	const own = await ground.subscribe({ url, secret: former });
	if (!own.result) return notTaken(ground, own);
	const before = await ground.nextEvent(path, isEvent, 0);
	const again = await own.again({ secret: next });
	const from = path.requests.length;
	const signed = await ground.nextEvent(
		path,
		(request) => isEvent(request) && isSignedWith(request, next),
		from,
	);
	await own.release();
	const cites = [own.answer, again.answer];
	if (!before) return noDeliveries(ground);
	if (!isSignedWith(before, former))
		return untestable(
			{ kind: "answer", name: "a delivery that its first secret signed" },
			"the signature before the refresh does not fit either; delivery-signature-formula tells of it",
			...cites,
			before,
		);
	if (!again.result)
		return untestable(
			{ kind: "answer", name: "a refresh with a new secret" },
			`it was answered with ${tellAnswer(again.answer)}; subscribe-idempotent-upsert tells of it`,
			...cites,
		);
	if (signed)
		return holds(
			"a delivery after the refresh bears a signature of the new secret",
			...cites,
			signed,
		);
	const later = path.requests.slice(from).filter(isEvent);
	const [first] = later;
	return first
		? broken(
				`none of ${later.length} deliveries in ${context.waits.occurrenceMs} ms after the refresh was signed with the new secret`,
				...cites,
				first,
			)
		: noDeliveries(ground, "nothing was delivered after the refresh");
}

async function reactivate(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Finding> {
	if (!(await ground.firstEvent())) return noDeliveries(ground);
	const { path, url } = ground.newCallback(always(503));
	const own = await ground.subscribe({ url });
	if (!own.result) return notTaken(ground, own);
	try {
		await ground.nextEvent(path, isEvent, 0);
		const stateBefore = await failUntilSuspended(context, own);
		path.behaviour = ACCEPT;
		const again = await own.again();
		const from = path.requests.length;
		const cites = [own.answer, again.answer];
		const status = again.result?.deliveryStatus;
		const wasSuspended =
			stateBefore === "suspended" ||
			(isRecord(status) && status.active === false);
		if (!wasSuspended)
			return untestable(
				{
					kind: "traffic",
					name: `failures that suspend a subscription within ${context.waits.suspendedMs} ms`,
				},
				`${path.events.length} attempts failed, and its state is ${stateBefore ?? "not told"}`,
				...cites,
			);
		if (!again.result)
			return broken(`the refresh: ${tellAnswer(again.answer)}`, ...cites);
		return await judgeReturn(context, ground, {
			path,
			id: own.id,
			from,
			cites,
		});
	} finally {
		await own.release();
	}
}

/** The last state that was told; without the control it is only waited for. */
async function failUntilSuspended(
	context: GradeContext,
	{ id }: Subscribed,
): Promise<string | undefined> {
	const ms = context.waits.suspendedMs;
	const { word } = await waitForState(context, id, { word: "suspended", ms });
	if (word === undefined) await context.sleep(ms);
	return word;
}

async function judgeReturn(
	context: GradeContext,
	ground: WebhookGround,
	{
		path,
		id,
		from,
		cites,
	}: {
		path: CallbackPath;
		id: string | undefined;
		from: number;
		cites: Subscribed["answer"][];
	},
): Promise<Finding> {
	const failed = path.requests.slice(0, 1);
	const state = await stateOf(context, id);
	const back = await ground.nextEvent(path, isEvent, from);
	const all = [...cites, ...state.answers, ...failed];
	if (state.word !== undefined && state.word !== "active")
		return broken(
			`after the refresh of a suspended subscription its state is ${state.word}`,
			...all,
		);
	if (!back)
		return broken(
			`nothing was delivered in ${context.waits.occurrenceMs} ms after the refresh of a suspended subscription`,
			...all,
		);
	const retried = path.requests.slice(from).some(({ attempt }) => attempt > 1);
	return holds(
		`deliveries came back with the refresh${retried ? ", and pending ones with them" : ""}`,
		...all,
		back,
	);
}

/** By one of its signatures; how old it is is no matter here. */
export function isSignedWith(
	{ headers, body, atMs }: CallbackRequest,
	secret: Secret,
): boolean {
	const { kind } = verifyDelivery({
		headers,
		body,
		secrets: [{ label: "ours", secret }],
		nowMs: atMs,
	});
	return kind === "valid" || kind === "too-old" || kind === "too-new";
}
