// The event ids that came lately, so that a repetition is dropped: a ring of fixed size, and a table to find them in it.
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

/** No place: the end of a row. */
const NONE = -1;
const FIRST_PLACES = 64;

/**
 * Remembers the last `capacity` ids of one subscription; 0 remembers none, so that everything is new. A hash table of our
 * own over a ring: a Set that loses its oldest with each that comes was the dearest part of a stream. Ids that are made to
 * collide are compared one by one, which the window bounds.
 */
export class Seen {
	/** How many repetitions there were. */
	repeated = 0;
	readonly #capacity: number;
	/** Where the next id goes. Places are taken in turn, so that the oldest id stands there once all are taken. */
	#at = 0;
	/** By place: the id, its hash, and the place of the id before it in the row of its bucket. */
	readonly #ids: string[] = [];
	#hashes = new Int32Array(0);
	#earlier = new Int32Array(0);
	/** By bucket: the place of its latest id. Their number is a power of two. */
	#latest = new Int32Array([NONE]);

	constructor(capacity: number) {
		this.#capacity = capacity;
	}

	/** Whether an id is in the window; it is not remembered for being asked. */
	has(eventId: string): boolean {
		const id = keptForm(eventId);
		return this.#has(id, hashOf(id));
	}

	/** True for an id that is not in the window; it is remembered from now on. */
	isNew(eventId: string): boolean {
		if (this.#capacity === 0) return true;
		const id = keptForm(eventId);
		const hash = hashOf(id);
		if (this.#has(id, hash)) {
			this.repeated++;
			return false;
		}
		const place = this.#at;
		if (place < this.#ids.length) this.#forget(place);
		else if (place === this.#hashes.length) this.#grow();
		this.#ids[place] = id;
		this.#link(place, hash);
		this.#at = place + 1 === this.#capacity ? 0 : place + 1;
		return true;
	}

	#has(id: string, hash: number): boolean {
		let place = this.#latest[this.#bucketOf(hash)] ?? NONE;
		for (; place !== NONE; place = this.#earlier[place] ?? NONE)
			if (this.#hashes[place] === hash && this.#ids[place] === id) return true;
		return false;
	}

	#link(place: number, hash: number): void {
		const bucket = this.#bucketOf(hash);
		this.#hashes[place] = hash;
		this.#earlier[place] = this.#latest[bucket] ?? NONE;
		this.#latest[bucket] = place;
	}

	/** Takes the oldest id out of its row, where it stands at the end. */
	#forget(oldest: number): void {
		const bucket = this.#bucketOf(this.#hashes[oldest] ?? 0);
		let later = NONE;
		let place = this.#latest[bucket] ?? NONE;
		while (place !== oldest) {
			later = place;
			place = this.#earlier[place] ?? oldest;
		}
		if (later === NONE) this.#latest[bucket] = NONE;
		else this.#earlier[later] = NONE;
	}

	/** A window may be large and its stream short: room is made as it fills. */
	#grow(): void {
		const hashes = this.#hashes;
		const wanted = Math.max(FIRST_PLACES, hashes.length * 2);
		const places = Math.min(this.#capacity, wanted);
		this.#hashes = new Int32Array(places);
		this.#earlier = new Int32Array(places);
		this.#latest = new Int32Array(2 ** Math.ceil(Math.log2(places))).fill(NONE);
		for (const [place, hash] of hashes.entries()) this.#link(place, hash);
	}

	#bucketOf(hash: number): number {
		return hash & (this.#latest.length - 1);
	}
}

/** FNV-1a over the code units, its upper half mixed into the lower, which names the bucket. */
function hashOf(id: string): number {
	let hash = 0x811c9dc5 | 0;
	for (let at = 0; at < id.length; at++)
		hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
	return hash ^ (hash >>> 15);
}

const keptForm = (eventId: string) =>
	eventId.length > LONGEST_KEPT ? digest(eventId) : eventId;

// Longer than any id that is kept as it is, so that no id can pass itself off as a digest.
const digest = (text: string) =>
	createHash("sha512").update(text, "utf16le").digest("base64");
