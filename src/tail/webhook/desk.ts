// Where parcels leave the tail: in batches, up to a number of events, and remembered as far as they went.
import type { CursorSaver } from "../cursor-saver.ts";
import type { Item } from "../item.ts";
import type { Parcel } from "./outbox.ts";
import type { WebhookFollow } from "./webhook-follow.ts";

/** How far the batch that was yielded last has gone. A crash afterwards knows it then to the moment. */
export interface BatchMarks {
	/** It is handed on next. */
	leaving(): void;
	/** It is held up half-way: for now it counts as not shown. */
	stuck(): void;
	/** It is out of our hands. */
	left(): void;
}

export class Desk implements BatchMarks {
	#wanted: number;
	readonly #saver: CursorSaver<WebhookFollow>;
	/** The last capture of each in the batch that is being shown. */
	#batch = new Map<WebhookFollow, string>();

	constructor(count: number | undefined, saver: CursorSaver<WebhookFollow>) {
		this.#wanted = count ?? Number.POSITIVE_INFINITY;
		this.#saver = saver;
	}

	get isDone(): boolean {
		return this.#wanted <= 0;
	}

	/** Yields the items of the parcels as one batch, as far as they are wanted. */
	*hand(parcels: Parcel<WebhookFollow>[]): Generator<Item[], void, void> {
		const taken: Parcel<WebhookFollow>[] = [];
		for (const parcel of parcels) {
			const isEvent = parcel.items.some(({ kind }) => kind === "event");
			// What is past the count stays captured, and unmarked: it is shown next time.
			if (isEvent && this.isDone) continue;
			if (isEvent) this.#wanted--;
			taken.push(parcel);
			const { follow, capture } = parcel;
			if (follow && capture !== undefined) this.#batch.set(follow, capture);
		}
		const items = taken.flatMap((parcel) => parcel.items);
		if (items.length > 0) yield items;
		this.left();
		for (const { follow, cursor } of taken) {
			if (!follow) continue;
			if (cursor !== undefined) follow.position.cursor = cursor;
			this.#saver.touch(follow);
		}
	}

	leaving(): void {
		for (const [follow, capture] of this.#batch)
			follow.memory.markLeaving(capture, follow.shown);
	}

	stuck(): void {
		for (const follow of this.#batch.keys())
			follow.memory.markShown(follow.shown);
	}

	left(): void {
		for (const [follow, capture] of this.#batch) {
			follow.shown = capture;
			follow.memory.markShown(capture);
		}
		this.#batch.clear();
	}
}
