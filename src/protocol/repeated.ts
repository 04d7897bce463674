// Values that stand in many messages just as in the one before: compared by their bytes, and read only where those differ.
import { isAt, REFUSED, scanValue } from "./json-scan.ts";

const NOTHING = Buffer.alloc(0);
const KEPT_BYTES = 1024;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

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
	scan(bytes: Buffer, at: number): number {
		const { length } = this.#bytes;
		if (length > 0 && isAt(bytes, at, this.#bytes)) return at + length;
		const end = scanValue(bytes, at);
		if (end === REFUSED) return REFUSED;
		const value = this.#read(bytes, at, end);
		if (value === undefined) return REFUSED;
		this.last = value;
		this.#bytes = kept(bytes.subarray(at, end));
		return end;
	}
}

/** What is long is not kept, nor what stands on several lines, which whoever compares only would not notice. */
function kept(bytes: Buffer): Buffer {
	const isOnOneLine = !bytes.includes(LINE_FEED) && !bytes.includes(RETURN);
	return bytes.length <= KEPT_BYTES && isOnOneLine
		? Buffer.from(bytes)
		: NOTHING;
}
