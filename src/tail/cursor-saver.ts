// Saves the cursors that consumers have accepted: not each one, since a disk is slow, but the last one always.
import { setMaxListeners } from "node:events";
import type { Pieces } from "./follow.ts";
import type { Position } from "./position.ts";
import { pause } from "./wait.ts";

export interface Saving<F> {
	/** Resolves once it is kept, false where it could not be. Never throws. */
	save(follow: F, cursor: string | undefined): Promise<boolean>;
	/** From one save to the next. */
	pauseMs: number;
	/** From a save that failed to the next. */
	failedPauseMs: number;
}

/** Many that change all the time share the disk: all of them together are saved this often, one after the other. */
const SHARE_MS = 10;

export class CursorSaver<F extends { position: Position }> {
	readonly #pieces: Pick<Pieces, "sleep">;
	readonly #saving: Saving<F>;
	readonly #ending = new AbortController();
	readonly #saved = new Map<F, string | undefined>();
	readonly #running = new Map<F, Promise<void>>();

	constructor(saving: Saving<F>, pieces: Pick<Pieces, "sleep">) {
		this.#saving = saving;
		this.#pieces = pieces;
		// As many wait for it as there are subscriptions.
		setMaxListeners(0, this.#ending.signal);
	}

	/** To be called when a cursor may have changed. */
	touch(follow: F): void {
		if (this.#running.has(follow) || this.isSaved(follow)) return;
		this.#running.set(follow, this.#run(follow));
	}

	/** Saves a cursor that is not the position's own yet. */
	async saveNow(follow: F, cursor: string | undefined): Promise<void> {
		await this.#running.get(follow);
		if (await this.#saving.save(follow, cursor))
			this.#saved.set(follow, cursor);
	}

	/** Waits for what is being saved, and saves what is left. Never throws. */
	async close(follows: readonly F[]): Promise<void> {
		this.#ending.abort();
		await Promise.all(this.#running.values());
		await Promise.all(
			follows
				.filter((follow) => !this.isSaved(follow))
				.map((follow) => this.#save(follow)),
		);
	}

	async #run(follow: F): Promise<void> {
		const { sleep } = this.#pieces;
		const { pauseMs, failedPauseMs } = this.#saving;
		const { signal } = this.#ending;
		while (!this.isSaved(follow) && !signal.aborted) {
			const isKept = await this.#save(follow);
			const shareMs = this.#running.size * SHARE_MS;
			const waitMs = isKept ? Math.max(pauseMs, shareMs) : failedPauseMs;
			await pause(waitMs, { sleep, signal });
		}
		this.#running.delete(follow);
	}

	/** Whether the position is kept as it is. */
	isSaved(follow: F): boolean {
		return this.#saved.get(follow) === follow.position.cursor;
	}

	async #save(follow: F): Promise<boolean> {
		const { cursor } = follow.position;
		const isKept = await this.#saving.save(follow, cursor);
		if (isKept) this.#saved.set(follow, cursor);
		return isKept;
	}
}
