// What the server said in one scenario: for the rules that look at all of it, and not at one answer.
import type { Answer } from "./answer.ts";
import type { Frame } from "./frame.ts";

export interface Inbound {
	frame: Frame;
	/** The request that it answers or came in answer to; "" where it came unasked. */
	method: string;
}

export interface Trail {
	/** Every message of the server, in order; bounded. */
	readonly inbound: readonly Inbound[];
	/** Every answer to `ask`, in order; bounded. */
	readonly answers: readonly Answer[];
	/** How many messages are not kept. */
	readonly dropped: number;
	addFrame(frame: Frame, method: string): void;
	addAnswer(answer: Answer): void;
}

const MOST_FRAMES = 3_000;
const MOST_ANSWERS = 1_000;

export function openTrail(): Trail {
	const inbound: Inbound[] = [];
	const answers: Answer[] = [];
	let dropped = 0;
	return {
		inbound,
		answers,
		get dropped() {
			return dropped;
		},
		addFrame(frame, method) {
			if (inbound.length < MOST_FRAMES) inbound.push({ frame, method });
			else dropped++;
		},
		addAnswer(answer) {
			if (answers.length < MOST_ANSWERS) answers.push(answer);
		},
	};
}
