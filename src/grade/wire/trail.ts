// What the server said in one scenario: for the rules that look at all of it, and not at one answer.
import type { Answer } from "./answer.ts";
import type { Frame } from "./frame.ts";
import { bytesOf, Kept } from "./kept.ts";

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
const MOST_BYTES = 16 * 1024 * 1024;

export function openTrail(): Trail {
	const inbound = new Kept<Inbound>({ items: MOST_FRAMES, bytes: MOST_BYTES });
	// They are made of the same frames, and take no further room.
	const answers = new Kept<Answer>({ items: MOST_ANSWERS, bytes: MOST_BYTES });
	return {
		inbound: inbound.items,
		answers: answers.items,
		get dropped() {
			return inbound.dropped;
		},
		addFrame(frame, method) {
			inbound.add({ frame, method }, bytesOf(frame.record));
		},
		addAnswer(answer) {
			answers.add(answer, bytesOf(answer.record));
		},
	};
}

/** What is added to a verdict about all that was said; "" where all of it was kept. */
export const tellDropped = (dropped: number): string =>
	dropped > 0 ? `; ${dropped} more were too many or too large to keep` : "";
