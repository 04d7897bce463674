// How the way of an event to its command ends: handled, failed, cut off, or never begun. What was not handled is parked
// or left, told of, and only then settled: a kill in between tells it once more, and never less.

import type { Fault } from "../../faults/index.ts";
import type { CommandRun } from "../../handlers/index.ts";
import type { ClaimState, SettledHow } from "../../state/index.ts";
import {
	byHand,
	doubtFault,
	type ExecEvent,
	type ExecOutcome,
	failedFault,
	handledItem,
	type ItemFacts,
} from "./exec-event.ts";
import type { ExecTally } from "./exec-tally.ts";
import type { ExecutorPieces } from "./executor.ts";
import { faultOf, notHandedOn } from "./handler.ts";

/** One run of the command, and when it began. */
export interface Tried {
	run?: CommandRun | undefined;
	fault?: Fault | undefined;
	ranAt: number;
}

const HANDLED: ExecOutcome = { isHandled: true, isSettled: true };
const PARKED: ExecOutcome = { isHandled: false, isSettled: true };
const FAILED: ExecOutcome = { isHandled: false, isSettled: false };
const LEFT: ExecOutcome = { ...FAILED, isRefused: true };
const SETTLED_BEFORE: ExecOutcome = { isHandled: undefined, isSettled: true };

export class ExecEndings {
	readonly #pieces: ExecutorPieces;
	readonly #command: string;
	readonly #tally: ExecTally;

	constructor(pieces: ExecutorPieces, command: string, tally: ExecTally) {
		this.#pieces = pieces;
		this.#command = command;
		this.#tally = tally;
	}

	async handled(events: readonly ExecEvent[], { run, ranAt }: Tried) {
		await this.#settle(events, "done", ranAt);
		this.#tally.handled += events.length;
		await this.tell(events, { run });
		return HANDLED;
	}

	/** It was settled before, or is with another run that lives. */
	repeated(): ExecOutcome {
		this.#tally.repeated++;
		return SETTLED_BEFORE;
	}

	/** Without a claim it might be acted on twice: it stays for the next run. */
	async unclaimed(event: ExecEvent, fault: Fault): Promise<ExecOutcome> {
		this.#tally.left++;
		await this.tell([event], { fault });
		return LEFT;
	}

	/** No command was started for these. All at once: at the end there is little time. */
	async leave(
		events: readonly ExecEvent[],
		why: string,
		settle: (event: ExecEvent, outcome: ExecOutcome) => void,
	): Promise<void> {
		const { claims, isLeft, show } = this.#pieces;
		const left = events.filter((event) => isLeft(event, "end"));
		const others = events.filter((event) => !left.includes(event));
		for (const event of left) claims?.release(event);
		this.#tally.left += left.length;
		const parked = await this.#park(others, why);
		const again = "it comes again: run the same command again";
		const items = events.map((event) => {
			const at = others.indexOf(event);
			const kept = parked[at] ?? event;
			const next = at < 0 ? again : byHand(kept);
			return this.#item(kept, { fault: notHandedOn(why, next) });
		});
		if (items.length > 0) await show(items);
		if (others.length > 0) await this.#settle(others, "parked");
		for (const event of events)
			settle(event, left.includes(event) ? LEFT : PARKED);
	}

	/** An earlier run was cut off with it. */
	async doubtful(event: ExecEvent, state: ClaimState): Promise<ExecOutcome> {
		const [parked = event] = await this.#park([event], "in doubt");
		const fault = doubtFault(parked, state === "failed");
		await this.tell([parked], { fault });
		await this.#settle([event], "parked");
		return PARKED;
	}

	/** The command has failed for the last time. */
	async failed(
		events: readonly ExecEvent[],
		{ tries, ...tried }: Tried & { tries: number },
	): Promise<ExecOutcome> {
		const { run, ranAt } = tried;
		const [first] = events;
		if (first && this.#pieces.isLeft(first, "failure")) {
			for (const event of events) this.#pieces.claims?.release(event);
			await this.tell(events, tried);
			return FAILED;
		}
		const parked = await this.#park(events, "its command failed");
		for (const [at, event] of parked.entries()) {
			const fault = failedFault(event, { ...tried, tries });
			await this.tell([event], { run, isFirst: at === 0, fault });
		}
		await this.#settle(events, "parked", ranAt);
		return PARKED;
	}

	/** Our own end came while it was tried. */
	async cutOff(
		events: readonly ExecEvent[],
		how: string,
		ranAt: number,
	): Promise<ExecOutcome> {
		const why = `${this.#pieces.noun} ${how}`;
		const parked = await this.#park(events, why);
		for (const event of parked)
			await this.tell([event], { fault: notHandedOn(why, byHand(event)) });
		await this.#settle(events, "parked", ranAt);
		return PARKED;
	}

	/** One `handled` item for each. */
	tell(
		events: readonly ExecEvent[],
		facts: Omit<ItemFacts, "command" | "nowMs">,
	): Promise<void> {
		return this.#pieces.show(
			events.map((event, at) =>
				this.#item(event, { isFirst: at === 0, ...facts }),
			),
		);
	}

	#item(event: ExecEvent, facts: Omit<ItemFacts, "command" | "nowMs">) {
		const nowMs = this.#pieces.world.now();
		return handledItem(event, { ...facts, command: this.#command, nowMs });
	}

	/** The same events, each with the id that it is parked under. */
	#park(events: readonly ExecEvent[], why: string): Promise<ExecEvent[]> {
		const { parking } = this.#pieces;
		this.#tally.parked += events.length;
		return Promise.all(
			events.map(async (event) => ({
				...event,
				capture: await parking.park(event, why),
			})),
		);
	}

	/** What cannot be written down is in doubt for the next run, which tells of it. */
	async #settle(
		events: readonly ExecEvent[],
		how: SettledHow,
		ranAt?: number,
	): Promise<void> {
		try {
			await this.#pieces.claims?.settle(events, how, ranAt);
		} catch (error) {
			const { what, why } = faultOf(error);
			this.#pieces.warn([what, why].filter(Boolean).join(": "));
		}
	}
}
