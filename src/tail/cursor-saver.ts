// Saves the cursors that consumers have accepted: not each one, since a disk is slow, but the last one always.
import type { Pieces } from "./follow.ts";
import { pause } from "./wait.ts";
import { remember, type WebhookFollow } from "./webhook-follow.ts";

const PAUSE_MS = 1_000;

export class CursorSaver {
	readonly #pieces: Pick<Pieces, "sleep">;
	readonly #ending = new AbortController();
	readonly #saved = new Map<WebhookFollow, string | undefined>();
	readonly #running = new Map<WebhookFollow, Promise<void>>();

	constructor(pieces: Pick<Pieces, "sleep">) {
		this.#pieces = pieces;
	}

	/** To be called when a cursor may have changed. */
	touch(follow: WebhookFollow): void {
		if (this.#running.has(follow) || this.#isSaved(follow)) return;
		this.#running.set(follow, this.#run(follow));
	}

	/** Waits for what is being saved, and saves what is left. Never throws. */
	async close(follows: readonly WebhookFollow[]): Promise<void> {
		this.#ending.abort();
		await Promise.all(this.#running.values());
		for (const follow of follows)
			if (!this.#isSaved(follow)) await this.#save(follow);
	}

	async #run(follow: WebhookFollow): Promise<void> {
		const { sleep } = this.#pieces;
		const { signal } = this.#ending;
		while (!this.#isSaved(follow) && !signal.aborted) {
			await this.#save(follow);
			await pause(PAUSE_MS, { sleep, signal });
		}
		this.#running.delete(follow);
	}

	#isSaved(follow: WebhookFollow): boolean {
		return this.#saved.get(follow) === follow.position.cursor;
	}

	async #save(follow: WebhookFollow): Promise<void> {
		const { cursor } = follow.position;
		this.#saved.set(follow, cursor);
		await remember(follow.memory.saveCursor(cursor), follow);
	}
}
