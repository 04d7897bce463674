// What is remembered of the positions of a tail: where it began, what the consumer has accepted, where it stopped.
import { Fault } from "../faults/index.ts";
import { Places } from "../state/index.ts";
import { CursorSaver } from "./cursor-saver.ts";
import type { Follow, FollowMemory, Pieces } from "./follow.ts";
import type { Item } from "./item.ts";

/** A disk syncs in some milliseconds; more often than this is of use to nobody. */
const PAUSE_MS = 250;
const FAILED_PAUSE_MS = 5_000;
/** Each of them is an open file; a disk does few of them at once. */
const MOST_AT_ONCE = 8;

export class PositionKeeper {
	readonly #pieces: Pick<Pieces, "warn" | "sleep">;
	readonly #saver: CursorSaver<Follow>;
	readonly #places = new Places(MOST_AT_ONCE);
	/** Those that were ready, and whose beginning is kept. */
	readonly #ready = new Set<Follow>();
	/** Those, and what has shown an event before: a delivery may be quicker than the grant of its subscription. */
	readonly #begun = new Set<Follow>();
	/** Those that could not be kept the last time. */
	readonly #failing = new Set<Follow>();
	/** Those whose shown ids could not be kept. */
	readonly #forgetful = new Set<Follow>();
	#closing: Promise<void> | undefined;

	constructor(pieces: Pick<Pieces, "warn" | "sleep">) {
		this.#pieces = pieces;
		const saving = {
			// What waits for its place in the end is saved in the end.
			save: (follow: Follow, cursor: string | undefined) =>
				this.#places.run(async () =>
					this.#closing ? false : await this.#save(follow, cursor),
				),
			pauseMs: PAUSE_MS,
			failedPauseMs: FAILED_PAUSE_MS,
		};
		this.#saver = new CursorSaver(saving, pieces);
	}

	/** Before anybody is told that events flow: a crash from then on must know where they began. */
	async begin(follow: Follow, items: readonly Item[]): Promise<void> {
		if (!follow.memory || this.#ready.has(follow)) return;
		const first = items.find((item) => item.kind === "ready");
		if (!first) return;
		this.#ready.add(follow);
		this.#begun.add(follow);
		// Where it goes on, the place before is the one that is kept already.
		if (follow.position.cursor === undefined)
			await this.#saver.saveNow(follow, first.cursor);
	}

	/** The consumer has taken these, and the position is behind them. */
	accepted(follow: Follow, items: readonly Item[]): void {
		const { memory } = follow;
		if (!memory) return;
		const ids: string[] = [];
		for (const item of items)
			if (item.kind === "event") ids.push(item.occurrence.eventId);
		if (ids.length > 0) {
			this.#addSeen(follow, memory, ids);
			this.#begun.add(follow);
		}
		if (this.#begun.has(follow)) this.#saver.touch(follow);
	}

	/** What ended a subscription from outside. */
	faultOf({ memory }: Follow): Fault | undefined {
		const { aborted, reason } = memory?.lost ?? {};
		return aborted && reason instanceof Fault ? reason : undefined;
	}

	/** Whether an end now leaves the position on disk, as far as can be told. */
	isKept(follow: Follow): boolean {
		const isLost = this.#failing.has(follow) || this.faultOf(follow);
		return this.#begun.has(follow) && !isLost;
	}

	/** Saves what is left, and when it was. Never throws. */
	close(): Promise<void> {
		this.#closing ??= this.#end();
		return this.#closing;
	}

	async #end(): Promise<void> {
		const ours = [...this.#begun].filter((follow) => !this.faultOf(follow));
		await this.#saver.close([]);
		// Those first whose position is not kept yet: there may be no time for more.
		const isKept = (follow: Follow) => Number(this.#saver.isSaved(follow));
		ours.sort((a, b) => isKept(a) - isKept(b));
		await Promise.all(
			ours.map((follow) =>
				this.#places.run(() => this.#save(follow, follow.position.cursor)),
			),
		);
		for (const follow of this.#failing)
			this.#pieces.warn(
				`${follow.subscription.label}: its position could not be saved in the end: --resume will repeat what came after the last one that was`,
			);
	}

	async #save(follow: Follow, cursor: string | undefined): Promise<boolean> {
		if (this.faultOf(follow)) return true;
		try {
			// What came after the last sign of life is not known to have reached us.
			await follow.memory?.save(cursor, follow.life.signAt);
		} catch (error) {
			this.#failed(follow, error);
			return false;
		}
		if (this.#failing.delete(follow))
			this.#pieces.warn(
				`${follow.subscription.label}: its position is saved again`,
			);
		return true;
	}

	#addSeen(follow: Follow, memory: FollowMemory, ids: string[]): void {
		try {
			memory.addSeen(ids);
		} catch (error) {
			if (!(error instanceof Fault)) throw error;
			if (this.#forgetful.has(follow)) return;
			this.#forgetful.add(follow);
			this.#pieces.warn(
				`${follow.subscription.label}: which events were shown cannot be kept: a restart may show some again (${error.why ?? error.what})`,
			);
		}
	}

	/** Told once: it goes on, since an older position repeats events and loses none. */
	#failed(follow: Follow, error: unknown): void {
		if (!(error instanceof Fault)) throw error;
		if (error.code === "taken-over" || this.#failing.has(follow)) return;
		this.#failing.add(follow);
		const why = [error.what, error.why].filter(Boolean).join(": ");
		this.#pieces.warn(
			`${follow.subscription.label}: ${why}; it goes on, and a restart with --resume repeats what comes from here on`,
		);
	}
}
