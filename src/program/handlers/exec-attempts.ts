// The runs of the command for some events: claimed before the first, tried again as often as is allowed, ended somehow.
import { type HourlyLimit, runCommand } from "../../handlers/index.ts";
import type { ExecEndings, Tried } from "./exec-endings.ts";
import type { ExecEvent, ExecOutcome } from "./exec-event.ts";
import type { ExecOptions } from "./exec-options.ts";
import type { ExecutorPieces } from "./executor.ts";
import { faultOf } from "./handler.ts";

export type Settle = (event: ExecEvent, outcome: ExecOutcome) => void;

interface Pieces extends ExecutorPieces {
	endings: ExecEndings;
	/** Aborted when no more time is left. */
	signal: AbortSignal;
	hour: HourlyLimit | undefined;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

export class Attempts {
	readonly #options: ExecOptions;
	readonly #pieces: Pieces;

	constructor(options: ExecOptions, pieces: Pieces) {
		this.#options = options;
		this.#pieces = pieces;
	}

	/** Hands several events to one run; each gets its outcome. */
	async handle(events: readonly ExecEvent[], settle: Settle): Promise<void> {
		const { endings, begun } = this.#pieces;
		const claimed = await this.#claimAll(events, settle);
		if (claimed.length === 0) return;
		if (!((await begun?.(claimed)) ?? true))
			return endings.leave(claimed, "it could not be shown", settle);
		const outcome = await this.#tryOften(claimed);
		for (const event of claimed) settle(event, outcome);
	}

	async #claimAll(
		events: readonly ExecEvent[],
		settle: Settle,
	): Promise<ExecEvent[]> {
		const { claims, endings } = this.#pieces;
		const claim = async (event: ExecEvent) => {
			try {
				return (await claims?.run(event)) ?? "ours";
			} catch (error) {
				return faultOf(error);
			}
		};
		const answers = await Promise.all(events.map(claim));
		const claimed: ExecEvent[] = [];
		for (const [at, event] of events.entries()) {
			const answer = answers[at];
			if (answer === "ours") claimed.push(event);
			else if (answer === "in-doubt")
				settle(event, await endings.doubtful(event, "running"));
			else if (typeof answer === "string") settle(event, endings.repeated());
			else if (answer) settle(event, await endings.unclaimed(event, answer));
		}
		return claimed;
	}

	async #tryOften(events: readonly ExecEvent[]): Promise<ExecOutcome> {
		const { signal, world, endings } = this.#pieces;
		for (let tries = 1; ; tries++) {
			const tried = await this.#try(events);
			const { run, ranAt } = tried;
			if (run?.status === 0) return endings.handled(events, tried);
			// It was cut off by our end: how it would have gone is not known.
			if (signal.aborted && run?.signal && !run.isTimedOut)
				return endings.cutOff(events, "ended while it ran", ranAt);
			if (tries > this.#options.retries)
				return endings.failed(events, { ...tried, tries });
			const retryInMs = delayMs(tries, world.random());
			await endings.tell(events, { ...tried, retryInMs });
			if (!(await this.#waitToRetry(events, retryInMs)))
				return endings.cutOff(events, "ended before it ran again", ranAt);
		}
	}

	async #try(events: readonly ExecEvent[]): Promise<Tried> {
		const { template, timeoutMs } = this.#options;
		const { world, signal, hour } = this.#pieces;
		const { now, env, cwd } = world;
		const { command } = template;
		const ranAt = now();
		hour?.begin(ranAt);
		try {
			const args = template.fill(events[0]?.line ?? Buffer.alloc(0));
			const line = joinLines(events.map((event) => event.line));
			const task = { command, args, line, timeoutMs, env, cwd, signal, now };
			return { run: await runCommand(task), ranAt };
		} catch (error) {
			return { fault: faultOf(error), ranAt };
		}
	}

	/** False where the end comes first, or where it cannot be claimed again. */
	async #waitToRetry(
		events: readonly ExecEvent[],
		ms: number,
	): Promise<boolean> {
		const { claims, world, signal, hour } = this.#pieces;
		try {
			for (const event of events) await claims?.failed(event);
			await world.sleep(ms, signal);
			const heldMs = hour?.waitMs(world.now()) ?? 0;
			if (heldMs > 0) await world.sleep(heldMs, signal);
			for (const event of events) await claims?.run(event);
			return !signal.aborted;
		} catch {
			return false;
		}
	}
}

/** `random` is from 0 up to 1: those that failed together need not come back together. */
function delayMs(tries: number, random: number): number {
	const grown = FIRST_DELAY_MS * 2 ** (tries - 1);
	return Math.round(Math.min(LONGEST_DELAY_MS, grown) * (1 + random / 4));
}

function joinLines(lines: readonly Buffer[]): Buffer {
	const feed = Buffer.from("\n");
	return Buffer.concat(
		lines.flatMap((line, at) => (at === 0 ? [line] : [feed, line])),
	);
}
