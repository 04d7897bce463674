// How far a run has come: whether events can flow, how many came, and which exit status follows from it.
import { EXIT_STATUSES, Fault } from "../../faults/index.ts";
import type { Item } from "../../tail/index.ts";
import { durationText } from "../flags/duration.ts";
import { writeReadyFile } from "../flags/files.ts";
import { Stop, type World } from "./world.ts";

export interface ProgressOptions {
	count: number | undefined;
	forMs: number | undefined;
	readyFile: string | undefined;
	world: World;
}

/** What stands in the ready file, beside the process id. */
export interface ReadyFacts {
	url: string;
	subscriptions: { subscription: string }[];
}

/** What has been seen so far, as far as the ready file and the exit status need it. */
export class Progress {
	private events = 0;
	private readonly waiting: Set<string>;
	/** Those that ended before their events could flow. */
	private readonly broken = new Set<string>();
	private readonly faults: Fault[] = [];
	private readonly options: ProgressOptions;
	private readonly facts: () => ReadyFacts;

	/** `facts` are asked for once events of all subscriptions can flow. */
	constructor(options: ProgressOptions, facts: () => ReadyFacts) {
		this.options = options;
		this.facts = facts;
		const { subscriptions } = facts();
		this.waiting = new Set(subscriptions.map((one) => one.subscription));
	}

	async observe(batch: readonly Item[]): Promise<void> {
		for (const item of batch) {
			if (item.kind === "event") this.events++;
			else if (item.kind === "stopped" && item.fault) {
				this.faults.push(item.fault);
				// One that is broken does not keep the others from being ready.
				if (this.waiting.delete(item.subscription)) {
					this.broken.add(item.subscription);
					await this.announceReady();
				}
			} else if (
				item.kind === "ready" &&
				this.waiting.delete(item.subscription)
			)
				await this.announceReady();
		}
	}

	private async announceReady(): Promise<void> {
		const { readyFile, world } = this.options;
		if (this.waiting.size > 0 || readyFile === undefined) return;
		const { url, subscriptions: all } = this.facts();
		const subscriptions = all.filter(
			({ subscription }) => !this.broken.has(subscription),
		);
		if (subscriptions.length === 0) return;
		await writeReadyFile(readyFile, { url, pid: world.pid, subscriptions });
	}

	/** Throws `count-not-reached`; the faults of single subscriptions were shown when they came. */
	exitStatus(isTimeOver: boolean): number {
		const { count, forMs, world } = this.options;
		if (count !== undefined && this.events >= count)
			return EXIT_STATUSES.done.status;
		const { reason } = world.stop;
		if (reason instanceof Stop) return reason.status;
		const [fault] = this.faults;
		if (fault) return fault.exitStatus;
		if (count !== undefined && isTimeOver)
			throw new Fault("count-not-reached", {
				what: `${this.events} of ${count} events came within ${durationText(forMs ?? 0)}`,
				why: "--for was over before --count was reached",
				next: "give it longer, or leave --count out",
			});
		return EXIT_STATUSES.done.status;
	}
}

export interface TimeLimit {
	/** Aborted when --for is over; the reason is the fault of a server that was not even asked to the end by then. */
	over: AbortSignal;
	/** Takes the timer back. */
	end(): void;
}

/** Starts to count --for, where it was given. */
export function startTimeLimit(
	{ forMs, count }: Pick<ProgressOptions, "forMs" | "count">,
	world: Pick<World, "sleep">,
): TimeLimit {
	const over = new AbortController();
	const ended = new AbortController();
	if (forMs !== undefined)
		world.sleep(forMs, ended.signal).then(
			() => over.abort(neverReady(forMs, count)),
			() => {},
		);
	return { over: over.signal, end: () => ended.abort() };
}

function neverReady(forMs: number, count: number | undefined): Fault {
	return new Fault(count === undefined ? "timed-out" : "count-not-reached", {
		what: `events could not flow within ${durationText(forMs)}`,
		why: "--for was over while the server was still being asked",
		next: "give it longer, or see what takes so long: --verbose",
	});
}
