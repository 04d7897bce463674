// One request that is answered over time: what has come so far, and waiting for what comes next.
import type { Frame } from "./frame.ts";
import { WIRE_LIMITS } from "./limits.ts";
import type { WireMessage } from "./record.ts";
import type { WireClock } from "./wire.ts";

export interface StreamHead {
	status: number;
	headers: Readonly<Record<string, string>>;
	isEvents: boolean;
}

export interface StreamEnd {
	/** `overrun`: more came than a grader reads. `failed`: it never stood. */
	kind: "ended" | "cut" | "cancelled" | "overrun" | "failed";
	told: string;
	at: number;
}

export interface GradeStream extends AsyncDisposable {
	/** The id of its request. */
	readonly id: unknown;
	readonly method: string;
	readonly openedAtMs: number;
	/** HTTP: the head of the answer, once it has come. */
	readonly head: StreamHead | undefined;
	/** What has come so far, in order; bounded, `counts` has the rest. */
	readonly frames: readonly Frame[];
	readonly counts: Readonly<{
		frames: number;
		bytes: number;
		/** Comment lines of the event stream (HTTP). */
		comments: number;
	}>;
	/** Undefined while it is open. */
	readonly end: StreamEnd | undefined;
	/** The request, the head, and what came: as evidence. */
	readonly record: readonly WireMessage[];
	/**
	 * The first frame for which `test` is true, of those that came and of those that come within `waitMs`; undefined
	 * where there is none. `from` leaves out the frames before that index.
	 */
	waitFor(
		test: (frame: Frame) => boolean,
		waitMs: number,
		from?: number,
	): Promise<Frame | undefined>;
	/** How it ended, where it does within `waitMs`. */
	waitForEnd(waitMs: number): Promise<StreamEnd | undefined>;
	/** Resolves after `ms`, or as soon as it has ended. */
	watch(ms: number): Promise<void>;
	/** Aborts the request (HTTP), or sends notifications/cancelled (stdio; legacy HTTP too). */
	cancel(): Promise<void>;
}

/** Frames of the record that open it and close it: what lies between says the same again. */
const RECORD_MESSAGES = 40;

/** Where a transport puts what comes. */
export class FrameLog {
	head: StreamHead | undefined;
	readonly frames: Frame[] = [];
	readonly counts = { frames: 0, bytes: 0, comments: 0 };
	end: StreamEnd | undefined;
	readonly record: WireMessage[] = [];
	readonly #clock: WireClock;
	readonly #listeners = new Set<(frame: Frame | undefined) => void>();

	readonly openedAtMs: number;

	constructor(clock: WireClock) {
		this.#clock = clock;
		this.openedAtMs = clock.now();
	}

	/** False where no more should be read. */
	add(frame: Frame, bytes: number): boolean {
		const { counts } = this;
		counts.frames++;
		counts.bytes += bytes;
		const isKept =
			this.frames.length < WIRE_LIMITS.framesKept &&
			counts.bytes <= WIRE_LIMITS.keptBytes;
		if (isKept) this.frames.push(frame);
		if (this.record.length < RECORD_MESSAGES) this.record.push(...frame.record);
		for (const listener of [...this.#listeners]) listener(frame);
		return (
			counts.bytes <= WIRE_LIMITS.streamBytes &&
			counts.frames <= WIRE_LIMITS.streamFrames
		);
	}

	finish(kind: StreamEnd["kind"], told: string): void {
		if (this.end) return;
		this.end = { kind, told, at: this.#clock.now() };
		for (const listener of [...this.#listeners]) listener(undefined);
	}

	waitFor(
		test: (frame: Frame) => boolean,
		waitMs: number,
		from = 0,
	): Promise<Frame | undefined> {
		const found = this.frames.slice(from).find(test);
		if (found || this.end) return Promise.resolve(found);
		return this.#listen(waitMs, (frame) => {
			if (frame === undefined) return { value: undefined };
			return test(frame) ? { value: frame } : undefined;
		});
	}

	async waitForEnd(waitMs: number): Promise<StreamEnd | undefined> {
		if (!this.end)
			await this.#listen(waitMs, (frame) =>
				frame === undefined ? { value: undefined } : undefined,
			);
		return this.end;
	}

	async watch(ms: number): Promise<void> {
		await this.waitForEnd(ms);
	}

	/** Asks `judge` about each frame, and once, with undefined, about the end; its first word is the answer. */
	#listen<T>(
		waitMs: number,
		judge: (frame: Frame | undefined) => { value: T } | undefined,
	): Promise<T | undefined> {
		return new Promise((resolve) => {
			const settle = (value: T | undefined) => {
				stopTimer();
				this.#listeners.delete(listener);
				resolve(value);
			};
			const listener = (frame: Frame | undefined) => {
				const word = judge(frame);
				if (word) settle(word.value);
			};
			const stopTimer = this.#clock.setTimer(() => settle(undefined), waitMs);
			this.#listeners.add(listener);
		});
	}
}

/** The log as whoever opened the stream sees it. */
export function streamOf(
	log: FrameLog,
	facts: { id: unknown; method: string; cancel(): Promise<void> },
): GradeStream {
	const { id, method, cancel } = facts;
	return {
		id,
		method,
		openedAtMs: log.openedAtMs,
		get head() {
			return log.head;
		},
		frames: log.frames,
		counts: log.counts,
		get end() {
			return log.end;
		},
		record: log.record,
		waitFor: (test, waitMs, from) => log.waitFor(test, waitMs, from),
		waitForEnd: (waitMs) => log.waitForEnd(waitMs),
		watch: (ms) => log.watch(ms),
		cancel,
		[Symbol.asyncDispose]: cancel,
	};
}
