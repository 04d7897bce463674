// Whose turn it is to ask the server: of a thousand subscriptions some ask at once, the others in the order in which
// they came, and all of them wait where the server wants to be left alone.
import type { Fault } from "../faults/index.ts";
import type { Pieces } from "./follow.ts";
import { pause } from "./wait.ts";

/** Polls, and streams that are being opened, at once. Over HTTP/1.1 each of them is a connection. */
const MOST_AT_ONCE = 50;
/** Whoever waits this long for an answer no longer keeps others waiting. */
const GIVE_WAY_MS = 5_000;
/** For a server that is busy and does not say for how long. */
const BUSY_MS = 1_000;
/** One that asks for more gets it from whoever it told so; the others may be served. */
const LONGEST_HOLD_MS = 60_000;
/** Where somebody was served this lately, a server that is busy is no reason to give up. */
const SERVED_LATELY_MS = 60_000;

export interface Turn {
	/** Lets the next one ask. To be called once the answer has begun; more often does no harm. */
	end(): void;
}

interface Taken extends Turn {
	since: number;
}

type Waiter = (turn: Turn | undefined) => void;

export class Turns {
	readonly #pieces: Pick<Pieces, "now" | "sleep">;
	/** Oldest first, as those that wait. */
	readonly #taken = new Set<Taken>();
	readonly #waiting = new Set<Waiter>();
	#heldUntil = Number.NEGATIVE_INFINITY;
	#servedAt = Number.NEGATIVE_INFINITY;
	#timer: AbortController | undefined;

	constructor(pieces: Pick<Pieces, "now" | "sleep">) {
		this.#pieces = pieces;
	}

	/** Waits for a turn; undefined where the signal aborts before. */
	async take(signal: AbortSignal): Promise<Turn | undefined> {
		if (signal.aborted) return undefined;
		if (this.#waiting.size === 0 && this.#isFree) return this.#grant();
		let leave = () => {};
		const turn = await new Promise<Turn | undefined>((resolve) => {
			leave = () => {
				this.#waiting.delete(resolve);
				if (this.#waiting.size === 0) this.#timer?.abort();
				resolve(undefined);
			};
			this.#waiting.add(resolve);
			signal.addEventListener("abort", leave, { once: true });
			this.#serve();
		});
		signal.removeEventListener("abort", leave);
		return turn;
	}

	/** Somebody was answered. */
	served(): void {
		this.#servedAt = this.#pieces.now();
	}

	/** Nobody asks for a while where the server is busy, whoever it told so. */
	heed({ httpStatus, retryAfterMs }: Fault): void {
		const isBusy = httpStatus === 429 || httpStatus === 503;
		if (!isBusy || (httpStatus === 503 && retryAfterMs === undefined)) return;
		const holdMs = Math.min(retryAfterMs ?? BUSY_MS, LONGEST_HOLD_MS);
		const until = this.#pieces.now() + holdMs;
		this.#heldUntil = Math.max(this.#heldUntil, until);
	}

	/** Whether the server is only busy, with others of us too: then it is tried for ever. */
	isCrowded({ code }: Fault): boolean {
		const sinceMs = this.#pieces.now() - this.#servedAt;
		return code === "rate-limited" && sinceMs < SERVED_LATELY_MS;
	}

	get #isHeld(): boolean {
		return this.#pieces.now() < this.#heldUntil;
	}

	get #isFree(): boolean {
		return !this.#isHeld && this.#taken.size < MOST_AT_ONCE;
	}

	#grant(): Turn {
		const taken: Taken = {
			since: this.#pieces.now(),
			end: () => {
				if (this.#taken.delete(taken)) this.#serve();
			},
		};
		this.#taken.add(taken);
		return taken;
	}

	#serve(): void {
		for (const waiter of this.#waiting) {
			if (!this.#isFree) break;
			this.#waiting.delete(waiter);
			waiter(this.#grant());
		}
		if (this.#waiting.size === 0) this.#timer?.abort();
		else void this.#watchTime();
	}

	/** For the end of the hold, or of a turn that lasts too long. Nobody else tells of those. */
	async #watchTime(): Promise<void> {
		if (this.#timer) return;
		const { now, sleep } = this.#pieces;
		const [oldest] = this.#taken;
		const freeAt = this.#isHeld
			? this.#heldUntil
			: (oldest?.since ?? now()) + GIVE_WAY_MS;
		const timer = new AbortController();
		this.#timer = timer;
		await pause(freeAt - now(), { sleep, signal: timer.signal });
		this.#timer = undefined;
		for (const taken of this.#taken)
			if (now() >= taken.since + GIVE_WAY_MS) this.#taken.delete(taken);
		this.#serve();
	}
}
