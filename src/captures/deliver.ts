// One delivery, tried until it is taken or given up. How it travels is handed in.
import { Fault } from "../faults/index.ts";
import type { Outgoing } from "./outgoing.ts";

/** What the other side answered. */
export interface PostAnswer {
	status: number;
	latencyMs: number;
	bodyStart: string;
}

/** Rejects with a fault where no answer came. */
export type Post = (
	outgoing: Outgoing,
	signal: AbortSignal,
) => Promise<PostAnswer>;

/** How one attempt went. */
export interface Attempt {
	/** Counted from 1. */
	attempt: number;
	answer: PostAnswer | undefined;
	/** Why there is no answer. */
	fault: Fault | undefined;
}

export interface DeliverOptions {
	post: Post;
	/** Attempts after the first one. */
	retries: number;
	/** Told of every attempt; the next thing is done when it resolves. */
	tell: (attempt: Attempt) => Promise<void>;
	sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
	random: () => number;
	signal: AbortSignal;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** A receiver that says so wants it never again (events.md 6). */
const FINAL_STATUSES: ReadonlySet<number> = new Set([410, 413]);

export const isTaken = ({ answer }: Pick<Attempt, "answer">): boolean =>
	answer !== undefined && answer.status >= 200 && answer.status < 300;

/** Sends what `make` makes, anew for each attempt; resolves with the last one. */
export async function deliver(
	make: () => Outgoing,
	options: DeliverOptions,
): Promise<Attempt> {
	const { retries, tell, sleep, random, signal } = options;
	for (let attempt = 1; ; attempt++) {
		const done = { attempt, ...(await tryOnce(make, options)) };
		await tell(done);
		if (isTaken(done) || attempt > retries || isFinal(done)) return done;
		const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
		await sleep(wait * (0.8 + 0.4 * random()), signal);
	}
}

async function tryOnce(
	make: () => Outgoing,
	{ post, signal }: DeliverOptions,
): Promise<Omit<Attempt, "attempt">> {
	try {
		return { answer: await post(make(), signal), fault: undefined };
	} catch (error) {
		signal.throwIfAborted();
		if (!(error instanceof Fault)) throw error;
		return { answer: undefined, fault: error };
	}
}

function isFinal({ answer, fault }: Attempt): boolean {
	if (answer) return FINAL_STATUSES.has(answer.status);
	return fault?.isTransient !== true;
}
