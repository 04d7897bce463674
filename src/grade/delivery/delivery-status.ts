// What a refresh says of the deliveries (events.md 6, deliveryStatus): optional, and of fixed words where it is there.
import { CALLBACK_REASONS, excerpt, isRecord } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import {
	broken,
	type Finding,
	holds,
	skipped,
	untestable,
} from "../finding.ts";
import { isEvent } from "../receiving/callback-request.ts";
import type { Subscribed } from "../receiving/subscriptions.ts";
import type { Check } from "../scenario.ts";
import { tellAnswer } from "../wire/answer.ts";
import { deliveryRow, type Stage } from "./stage.ts";

export const deliveryStatusChecks: Check<Stage>[] = [
	deliveryRow("delivery-status-throttled", tryThrottled, { lane: "refresh" }),
];

const ABSENT = "the server sends no deliveryStatus, which is optional";

const refusedRefresh = ({ answer }: Subscribed): Finding =>
	untestable(
		{ kind: "answer", name: "events/subscribe that refreshes" },
		`it is answered with ${tellAnswer(answer)}`,
		answer,
	);

/** `words`: what the endpoint said that failed. */
export function judgeStatus(refreshed: Subscribed, words: string): Finding {
	const { result, answer } = refreshed;
	if (!result) return refusedRefresh(refreshed);
	const { deliveryStatus: status } = result;
	if (status === undefined || status === null) return skipped(ABSENT);
	if (!isRecord(status))
		return broken(`deliveryStatus is ${excerpt(status, 80)}`, answer);
	if (JSON.stringify(status).includes(words))
		return broken("deliveryStatus repeats what the endpoint said", answer);
	const { lastError } = status;
	if (lastError === null || lastError === undefined)
		return untestable(
			{ kind: "answer", name: "events/subscribe with a lastError" },
			"deliveryStatus tells of no failure, though every delivery was answered 503",
			answer,
		);
	return CALLBACK_REASONS.some((known) => known === lastError)
		? holds(`lastError is ${lastError}`, answer)
		: broken(
				`lastError is ${excerpt(lastError, 80)}, none of ${CALLBACK_REASONS.join(", ")}`,
				answer,
			);
}

/** The main subscription takes everything at once: nothing of it is delayed. */
async function tryThrottled(
	_context: GradeContext,
	{ main }: Stage,
): Promise<Finding> {
	const refreshed = await main.sub.again();
	const { result, answer } = refreshed;
	if (!result) return refusedRefresh(refreshed);
	const { deliveryStatus: status } = result;
	if (!isRecord(status)) return skipped(ABSENT);
	const { throttled, retryAfterMs } = status;
	const taken = main.path.requests.filter(isEvent);
	if (throttled === true || (throttled !== false && throttled !== undefined))
		return broken(
			`throttled is ${excerpt(throttled, 40)}, and ${taken.length} events came at once`,
			answer,
		);
	return retryAfterMs === undefined || retryAfterMs === null
		? holds("neither throttled nor retryAfterMs", answer)
		: broken(
				`retryAfterMs is ${excerpt(retryAfterMs, 40)}, and nothing is throttled`,
				answer,
			);
}
