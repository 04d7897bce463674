// The same change on a webhook: a subscription of a type that is about to go away, and the terminated that should come.
import type { GradeContext } from "../context.ts";
import { type Finding, Gate, untestable } from "../finding.ts";
import type { CallbackPath } from "../receiving/callback-path.ts";
import type { CallbackRequest } from "../receiving/callback-request.ts";
import { refusedCallback } from "../receiving/receiving.ts";
import {
	openSubscriptions,
	type Subscribed,
} from "../receiving/subscriptions.ts";
import type { Subject } from "../traffic/subject.ts";
import { tellAnswer } from "../wire/answer.ts";
import type { Citable } from "../wire/record.ts";
import { openTrail } from "../wire/trail.ts";

/** What became of the webhook half of a change. */
export type Farewell =
	| { kind: "not-offered" }
	| { kind: "untried"; finding: Finding }
	| { kind: "came"; terminated: CallbackRequest }
	| { kind: "silent"; cites: readonly Citable[] };

export interface HeldWebhook {
	/** Waits for terminated; called once the type has changed. */
	judge(): Promise<Farewell>;
	/** Gives the subscription back, whatever became of it. Never rejects. */
	release(): Promise<void>;
}

/** Subscribes to the type where it offers webhooks. What is said of it stands in no trail: other rows judge that. */
export async function holdWebhook(
	context: GradeContext,
	subject: Subject,
): Promise<HeldWebhook> {
	if (!subject.type.modes.includes("webhook"))
		return settled({ kind: "not-offered" });
	try {
		const place = await context.receiving.open(context);
		const path = place.openPath();
		const wire = context.wire.withTrail(openTrail());
		const { subscribe, releaseAll } = openSubscriptions(wire);
		const sub = await subscribe({ subject, url: path.url });
		if (sub.result) return standing(context, { path, sub, releaseAll });
		await releaseAll();
		const why = `the subscribe is answered with ${tellAnswer(sub.answer)}`;
		const finding = refusedCallback(place, why, sub.answer);
		return settled({ kind: "untried", finding });
	} catch (error) {
		if (!(error instanceof Gate)) throw error;
		return settled({ kind: "untried", finding: error.finding });
	}
}

const settled = (farewell: Farewell): HeldWebhook => ({
	judge: async () => farewell,
	async release() {},
});

interface Held {
	path: CallbackPath;
	sub: Subscribed;
	releaseAll(): Promise<void>;
}

async function standing(
	{ waits }: GradeContext,
	{ path, sub, releaseAll }: Held,
): Promise<HeldWebhook> {
	// A callback that nothing ever reached proves nothing by its silence.
	const reached = await path.waitFor(() => true, waits.canaryMs);
	return {
		async judge() {
			const terminated = await path.waitFor(isTerminated, waits.envelopeMs);
			if (terminated) return { kind: "came", terminated };
			if (reached) return { kind: "silent", cites: [sub.answer, reached] };
			const finding = untestable(
				{
					kind: "traffic",
					name: "a request to the callback of a further type",
				},
				"neither a challenge nor an event came before the type was changed",
				sub.answer,
			);
			return { kind: "untried", finding };
		},
		release: releaseAll,
	};
}

const isTerminated = ({ kind }: CallbackRequest) => kind === "terminated";
