// Where parcels leave the tail: in batches, up to a number of events, and remembered once they were accepted.
import type { CursorSaver } from "./cursor-saver.ts";
import type { Item } from "./item.ts";
import type { Parcel } from "./outbox.ts";
import type { WebhookFollow } from "./webhook-follow.ts";

export class Desk {
	#left: number;
	readonly #saver: CursorSaver;

	constructor(count: number | undefined, saver: CursorSaver) {
		this.#left = count ?? Number.POSITIVE_INFINITY;
		this.#saver = saver;
	}

	get isDone(): boolean {
		return this.#left <= 0;
	}

	/** Yields the items of the parcels as one batch, as far as they are wanted. */
	*hand(parcels: Parcel<WebhookFollow>[]): Generator<Item[], void, void> {
		const taken: Parcel<WebhookFollow>[] = [];
		for (const parcel of parcels) {
			const isEvent = parcel.items.some(({ kind }) => kind === "event");
			// What is past the count stays captured, and unmarked: it is shown next time.
			if (isEvent && this.isDone) continue;
			if (isEvent) this.#left--;
			taken.push(parcel);
		}
		const items = taken.flatMap((parcel) => parcel.items);
		if (items.length > 0) yield items;
		this.#accept(taken);
	}

	#accept(parcels: Parcel<WebhookFollow>[]): void {
		const shown = new Map<WebhookFollow, string>();
		for (const { follow, cursor, capture } of parcels) {
			if (!follow) continue;
			if (capture !== undefined) shown.set(follow, capture);
			if (cursor !== undefined) follow.position.cursor = cursor;
			this.#saver.touch(follow);
		}
		for (const [follow, capture] of shown) follow.memory.markShown(capture);
	}
}
