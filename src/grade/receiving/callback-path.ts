// One path of the receiver: what came to it, and how it answers. Each is new, so that nothing else can come there.
import type { Answer } from "../../receiver/index.ts";
import { answerAs, type Behaviour } from "./behaviour.ts";
import {
	type CallbackRequest,
	eventIdOf,
	isEvent,
	webhookIdOf,
} from "./callback-request.ts";

type Fits = (request: CallbackRequest) => boolean;

export interface PathClock {
	now(): number;
	setTimer(act: () => void, ms: number): () => void;
	/** Ends every wait, which then rejects. */
	signal: AbortSignal;
}

/** What comes beyond these is answered and forgotten. */
const MOST_REQUESTS = 5_000;
const MOST_BYTES = 64 * 1024 * 1024;

export class CallbackPath {
	/** What a subscribe names. */
	readonly url: string;
	/** May be changed at any time: the next request is answered by it. */
	behaviour: Behaviour;
	/** In the order in which they came. */
	readonly requests: CallbackRequest[] = [];
	readonly #clock: PathClock;
	readonly #waiting = new Set<() => void>();
	#events = 0;
	#bytes = 0;

	constructor(url: string, behaviour: Behaviour, clock: PathClock) {
		this.url = url;
		this.behaviour = behaviour;
		this.#clock = clock;
	}

	get events(): CallbackRequest[] {
		return this.requests.filter(isEvent);
	}

	/** The requests that are attempts at the same event as this one, itself too. */
	attemptsOf(request: CallbackRequest): CallbackRequest[] {
		return this.events.filter((other) => isSameEvent(other, request));
	}

	/** More came than is kept. */
	get isFull(): boolean {
		return this.requests.length >= MOST_REQUESTS || this.#bytes > MOST_BYTES;
	}

	/** Takes one request in and gives its answer. */
	take(request: CallbackRequest): Answer {
		if (isEvent(request)) this.#number(request);
		if (!this.isFull) {
			this.requests.push(request);
			this.#bytes += request.body.length;
		}
		const answer = answerAs(this.behaviour, request);
		request.status = answer.status;
		request.answeredAtMs = this.#clock.now();
		for (const look of [...this.#waiting]) look();
		return answer;
	}

	#number(request: CallbackRequest): void {
		const before = this.attemptsOf(request);
		request.attempt = before.length + 1;
		request.nth = before[0]?.nth ?? this.#events++ + 1;
	}

	/** The first request that fits, from the index `from` on; undefined where none came in time. */
	async waitFor(
		fits: Fits,
		ms: number,
		from = 0,
	): Promise<CallbackRequest | undefined> {
		const find = () => this.requests.slice(from).find(fits);
		await this.waitUntil(() => find() !== undefined, ms);
		return find();
	}

	/** Whether it came true in time; looked at with each request. */
	waitUntil(isSo: () => boolean, ms: number): Promise<boolean> {
		const { setTimer, signal } = this.#clock;
		return new Promise((resolve, reject) => {
			const end = (settle: () => void) => {
				stopTimer();
				signal.removeEventListener("abort", abort);
				this.#waiting.delete(look);
				settle();
			};
			const abort = () => end(() => reject(signal.reason));
			const look = () => {
				if (isSo()) end(() => resolve(true));
			};
			const stopTimer = setTimer(() => end(() => resolve(isSo())), ms);
			signal.addEventListener("abort", abort, { once: true });
			this.#waiting.add(look);
			if (signal.aborted) abort();
			else look();
		});
	}
}

/** By either of its ids: a server may get one of them wrong. */
function isSameEvent(one: CallbackRequest, other: CallbackRequest): boolean {
	const isSame = (of: (request: CallbackRequest) => string | undefined) =>
		of(one) !== undefined && of(one) === of(other);
	return one === other || isSame(webhookIdOf) || isSame(eventIdOf);
}
