// A list of what came that is bounded in number and in bytes; what does not fit is counted.
import type { WireMessage } from "./record.ts";

export class Kept<Item> {
	readonly items: Item[] = [];
	/** How many did not fit. */
	dropped = 0;
	readonly #most: { items: number; bytes: number };
	#bytes = 0;

	constructor(most: { items: number; bytes: number }) {
		this.#most = most;
	}

	/** `bytes`: on the wire, as a measure of what it takes to keep. A small one may still fit after a large one did not. */
	add(item: Item, bytes: number): void {
		const fits =
			this.items.length < this.#most.items &&
			this.#bytes + bytes <= this.#most.bytes;
		if (!fits) {
			this.dropped++;
			return;
		}
		this.#bytes += bytes;
		this.items.push(item);
	}
}

/** The bytes of these messages as they stood on the wire. */
export const bytesOf = (record: readonly WireMessage[]): number =>
	record.reduce((sum, { text, cutBytes }) => sum + text.length + cutBytes, 0);
