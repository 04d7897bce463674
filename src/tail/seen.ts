// The event ids that came lately, so that a repetition is dropped: a ring of fixed size beside a set.
import { createHash } from "node:crypto";

/** A longer id is kept by its digest: a server chooses the length, we choose the memory. */
const LONGEST_KEPT = 64;

const WINDOW = 10_000;
/** Of all subscriptions together: about 50 MB. A repetition comes soon or never, so that even the smallest will do. */
const ALL_WINDOWS = 500_000;
const SMALLEST_WINDOW = 100;

/** How many ids each of so many subscriptions remembers where it is not said. */
export function defaultWindow(subscriptions: number): number {
	const share = Math.floor(ALL_WINDOWS / Math.max(1, subscriptions));
	return Math.max(SMALLEST_WINDOW, Math.min(WINDOW, share));
}

/** Remembers the last `capacity` ids of one subscription; 0 remembers none, so that everything is new. */
export class Seen {
	/** How many repetitions there were. */
	repeated = 0;
	readonly #capacity: number;
	readonly #ids = new Set<string>();
	readonly #ring: string[] = [];
	#at = 0;

	constructor(capacity: number) {
		this.#capacity = capacity;
	}

	/** Whether an id is in the window; it is not remembered for being asked. */
	has(eventId: string): boolean {
		return this.#ids.has(keptForm(eventId));
	}

	/** True for an id that is not in the window; it is remembered from now on. */
	isNew(eventId: string): boolean {
		if (this.#capacity === 0) return true;
		const id = keptForm(eventId);
		if (this.#ids.has(id)) {
			this.repeated++;
			return false;
		}
		const oldest = this.#ring[this.#at];
		if (oldest !== undefined) this.#ids.delete(oldest);
		this.#ring[this.#at] = id;
		this.#ids.add(id);
		this.#at = (this.#at + 1) % this.#capacity;
		return true;
	}
}

const keptForm = (eventId: string) =>
	eventId.length > LONGEST_KEPT ? digest(eventId) : eventId;

// Longer than any id that is kept as it is, so that no id can pass itself off as a digest.
const digest = (text: string) =>
	createHash("sha512").update(text, "utf16le").digest("base64");
