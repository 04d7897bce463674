// Values that stand in many messages just as in the one before: compared by their bytes, and read only where those differ.
import { isAt, REFUSED } from "./json-scan.ts";
import { type Laid, scanValue } from "./scanner/lay-out.ts";

const NOTHING = Buffer.alloc(0);
const KEPT_BYTES = 1024;

/** Reads the value between two places; undefined where it is not one of those that are meant. */
export type ReadValue<T> = (
	bytes: Buffer,
	at: number,
	end: number,
) => T | undefined;

/** The value that was read last in one kind of place. */
export class Repeated<T> {
	last: T;
	#bytes: Buffer = NOTHING;
	readonly #read: ReadValue<T>;

	constructor(first: T, read: ReadValue<T>) {
		this.last = first;
		this.#read = read;
	}

	/** Has the value at a place in `last`, and returns the place behind it, or REFUSED. */
	scan(laid: Laid, at: number): number {
		const { bytes } = laid;
		const { length } = this.#bytes;
		if (length > 0 && isAt(bytes, at, this.#bytes)) return at + length;
		const end = scanValue(laid, at);
		if (end === REFUSED) return REFUSED;
		const value = this.#read(bytes, at, end);
		if (value === undefined) return REFUSED;
		this.last = value;
		// What is long is compared at the cost of reading it.
		const isKept = end - at <= KEPT_BYTES;
		this.#bytes = isKept ? Buffer.from(bytes.subarray(at, end)) : NOTHING;
		return end;
	}
}
