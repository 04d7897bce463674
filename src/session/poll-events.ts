// events/poll: one question (events.md 4). The loop is the tail's.
import {
	METHODS,
	type Odd,
	type PollResult,
	readPollResult,
} from "../protocol/index.ts";
import type { RequestOptions, Session, SubscriptionParams } from "./session.ts";

export interface PollParams extends SubscriptionParams {
	maxEvents?: number | undefined;
}

/** Polls once. Throws what `request` throws, and `wrong-shape` for a result that cannot be read. */
export async function askPoll(
	session: Session,
	params: PollParams,
	{ signal, timeoutMs, odd }: RequestOptions & { odd: Odd },
): Promise<PollResult> {
	const message = await session.request(METHODS.poll, wireParams(params), {
		signal,
		timeoutMs,
	});
	return readPollResult(message, odd);
}

/** What is undefined stays away from the wire, where an absent cursor is null (events.md 1). */
export function wireParams(params: object): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(params).filter(([, value]) => value !== undefined),
	);
}
