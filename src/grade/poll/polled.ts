// One poll: what was asked, and what of its answer can be read however wrong the rest is.
import { isRecord, METHODS } from "../../protocol/index.ts";
import type { Subject } from "../traffic/subject.ts";
import { type Answer, resultOf } from "../wire/answer.ts";
import type { Wire } from "../wire/wire.ts";

export type Json = Record<string, unknown>;

/** `cursor` undefined: the member is left out. */
export interface PollAsk {
	cursor: string | null | undefined;
	maxEvents?: number;
	maxAgeMs?: number;
}

export interface Polled extends PollAsk {
	subject: Subject;
	answer: Answer;
	/** Undefined where an error came, nothing that could be read, or a result with no member of a poll's. */
	result: Json | undefined;
	/** Those that are objects; the result may have none at all. */
	events: readonly Json[];
	/** The position that the result gives: a string, or there is none. */
	next: string | undefined;
	hasMore: boolean;
	isTruncated: boolean;
}

export async function pollOnce(
	wire: Wire,
	subject: Subject,
	ask: PollAsk,
): Promise<Polled> {
	const { name, arguments: args } = subject;
	const params = JSON.parse(JSON.stringify({ name, arguments: args, ...ask }));
	const answer = await wire.ask(METHODS.poll, params);
	const result = pollResultOf(answer);
	const events: unknown[] = Array.isArray(result?.events) ? result.events : [];
	return {
		...ask,
		subject,
		answer,
		result,
		events: events.filter(isRecord),
		next: typeof result?.cursor === "string" ? result.cursor : undefined,
		hasMore: result?.hasMore === true,
		isTruncated: isYes(result?.truncated),
	};
}

const MEMBERS = ["events", "cursor", "nextPollMs"];

function pollResultOf(answer: Answer): Json | undefined {
	const result = resultOf(answer);
	return result && MEMBERS.some((member) => member in result)
		? result
		: undefined;
}

/** Whoever writes it as a text or a number means it: that it is no boolean is a matter of its own. */
const isYes = (value: unknown) =>
	value === true || value === "true" || value === 1;

/** Nothing happened since the cursor that was sent along. */
export const isQuiet = ({ cursor, result, events, isTruncated }: Polled) =>
	typeof cursor === "string" &&
	result !== undefined &&
	events.length === 0 &&
	!isTruncated;
