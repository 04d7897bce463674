// Runs a command for events, in their order: claims each on disk first, so that none is acted on twice whatever happens,
// tries again what failed, and parks what is left. Nothing is left out without an item that tells of it.
import { HourlyLimit, hourBefore } from "../../handlers/index.ts";
import type { Claim, Claims } from "../../state/index.ts";
import type { Item } from "../../tail/index.ts";
import { roughDurationText } from "../flags/duration.ts";
import type { World } from "../process/world.ts";
import { Attempts, type Settle } from "./exec-attempts.ts";
import { ExecEndings } from "./exec-endings.ts";
import type { ExecEvent, ExecOutcome } from "./exec-event.ts";
import type { ExecOptions } from "./exec-options.ts";
import { ExecTally } from "./exec-tally.ts";
import { BEHIND } from "./handler.ts";
import type { Parking } from "./parking.ts";

export interface ExecutorPieces {
	world: Pick<World, "now" | "env" | "cwd" | "sleep" | "setTimer" | "random">;
	/** undefined: nothing is remembered between runs. */
	claims: Claims | undefined;
	parking: Parking;
	/** Takes what is to be told. */
	show(items: Item[]): Promise<void>;
	/** Called when the events are claimed, before their command is started; false: they cannot be shown, and stay. */
	begun?: ((events: readonly ExecEvent[]) => Promise<boolean>) | undefined;
	warn(text: string): void;
	/** What runs it: `the listener`. */
	noun: string;
	/**
	 * What becomes of an event that is not handled: parked, or let go of, where whoever sent it sends it again. `end`: the
	 * run ended before it; `failure`: its command has failed.
	 */
	isLeft(event: ExecEvent, why: "end" | "failure"): boolean;
}

const LONGEST_LIST = 500;

interface Entry {
	event: ExecEvent;
	addedAt: number;
	resolve(outcome: ExecOutcome): void;
}

export class Executor {
	readonly tally = new ExecTally();
	readonly #options: ExecOptions;
	readonly #pieces: ExecutorPieces;
	readonly #attempts: Attempts;
	readonly #endings: ExecEndings;
	readonly #hour: HourlyLimit | undefined;
	readonly #queue: Entry[] = [];
	/** By event id: all that have no outcome yet. */
	readonly #open = new Map<string, Promise<ExecOutcome>>();
	readonly #over = new AbortController();
	#running = 0;
	#bytes = 0;
	#callOff: (() => void) | undefined;
	#isHeldBack = false;
	#wake: (() => void)[] = [];

	constructor(options: ExecOptions, pieces: ExecutorPieces) {
		this.#options = options;
		this.#pieces = pieces;
		const { mostPerHour } = options;
		const { now } = pieces.world;
		const earlier = pieces.claims?.runsSince(hourBefore(now())) ?? [];
		this.#hour =
			mostPerHour === undefined
				? undefined
				: new HourlyLimit(mostPerHour, earlier);
		const { command } = options.template;
		this.#endings = new ExecEndings(pieces, command, this.tally);
		this.#attempts = new Attempts(options, {
			...pieces,
			endings: this.#endings,
			signal: this.#over.signal,
			hour: this.#hour,
		});
	}

	/** What an earlier run has left: parked where it may have been acted on, else handed on now. */
	async takeOver(): Promise<void> {
		const left = this.#pieces.claims?.left ?? [];
		const begun = left.filter(({ state }) => state !== "waiting");
		for (const claim of begun)
			await this.#endings.doubtful(asEvent(claim), claim.state);
		for (const claim of left)
			if (claim.state === "waiting") void this.add(asEvent(claim));
		if (begun.length > 0)
			this.#pieces.warn(
				`an earlier run was cut off while --exec handled ${begun
					.map(({ id }) => id)
					.join(", ")
					.slice(
						0,
						LONGEST_LIST,
					)}: not run again, but parked; see: mcp-events captures list`,
			);
	}

	/** How many have no outcome yet. */
	get open(): number {
		return this.#open.size;
	}

	/** Hands an event on in its turn; the same one twice is one. Resolves once it is settled, or left. Never rejects. */
	add(event: ExecEvent): Promise<ExecOutcome> {
		const known = this.#open.get(event.id);
		if (known) {
			this.tally.repeated++;
			return known;
		}
		const coming = new Promise<ExecOutcome>((resolve) => {
			const addedAt = this.#pieces.world.now();
			this.#queue.push({ event, addedAt, resolve });
		}).finally(() => {
			this.#open.delete(event.id);
			this.#bytes -= event.line.length;
			this.#tellRoom();
		});
		this.#open.set(event.id, coming);
		this.#bytes += event.line.length;
		// What was acknowledged comes no second time: a kill must not lose it.
		if (event.capture !== undefined) this.#keepWaiting(event);
		this.#pump();
		return coming;
	}

	/** Resolves once there is room for one more. */
	async room(): Promise<void> {
		while (this.#open.size >= BEHIND.most || this.#bytes > BEHIND.mostBytes)
			await new Promise<void>((resolve) => this.#wake.push(resolve));
	}

	/** Cuts off what is under way, and leaves what waits. */
	giveUp(): void {
		this.#over.abort();
		this.#pump();
	}

	/** Once all that was added has an outcome. */
	async settle(): Promise<void> {
		while (this.#open.size > 0) await Promise.all(this.#open.values());
	}

	#tellRoom(): void {
		const waiting = this.#wake;
		this.#wake = [];
		for (const wake of waiting) wake();
	}

	#keepWaiting(event: ExecEvent): void {
		try {
			this.#pieces.claims?.wait(event);
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			this.#pieces.warn(`${event.id}: a crash would lose it: ${why}`);
		}
	}

	/** Starts what may be started, and looks again when more may be. */
	#pump(): void {
		this.#callOff?.();
		this.#callOff = undefined;
		const { setTimer, now } = this.#pieces.world;
		const { batch, atOnce } = this.#options;
		while (this.#queue.length > 0) {
			if (this.#over.signal.aborted) {
				this.#leave();
				return;
			}
			if (this.#running >= atOnce) return;
			const waitMs = this.#waitMs(now());
			if (waitMs > 0) {
				this.#callOff = setTimer(() => this.#pump(), waitMs);
				return;
			}
			this.#do(this.#queue.splice(0, batch?.most ?? 1), (events, settle) =>
				this.#attempts.handle(events, settle),
			);
		}
	}

	#waitMs(nowMs: number): number {
		const { batch } = this.#options;
		const heldMs = this.#hour?.waitMs(nowMs) ?? 0;
		if (heldMs > 0 && !this.#isHeldBack)
			this.#pieces.warn(
				`--max-per-hour ${this.#options.mostPerHour} is reached: what comes now waits, the next run is in ${roughDurationText(heldMs)}`,
			);
		this.#isHeldBack = heldMs > 0;
		const first = this.#queue[0];
		if (!batch || !first || this.#queue.length >= batch.most) return heldMs;
		return Math.max(heldMs, first.addedAt + batch.withinMs - nowMs);
	}

	/** In their order: after those that are being cut off. */
	#leave(): void {
		if (this.#running > 0) return;
		const why = `${this.#pieces.noun} ended first`;
		this.#do(this.#queue.splice(0), (events, settle) =>
			this.#endings.leave(events, why, settle),
		);
	}

	#do(
		entries: Entry[],
		act: (events: ExecEvent[], settle: Settle) => Promise<void>,
	): void {
		this.#running++;
		const byEvent = new Map(entries.map((one) => [one.event, one]));
		const settle: Settle = (event, outcome) =>
			byEvent.get(event)?.resolve(outcome);
		void act([...byEvent.keys()], settle)
			.catch((error: unknown) => {
				this.#pieces.warn(`--exec: a defect of ours: ${String(error)}`);
				for (const { resolve } of entries)
					resolve({ isHandled: false, isSettled: false });
			})
			.finally(() => {
				this.#running--;
				this.#pump();
			});
	}
}

/** Those of a file: whoever changed it by hand gets what was there. */
function asEvent(claim: Claim): ExecEvent {
	const { id, subscription, via, name, line, capture, at } = claim;
	const isKnown = via === "poll" || via === "push";
	const known = isKnown ? via : "webhook";
	return { id, subscription, via: known, name, line, capture, at };
}
