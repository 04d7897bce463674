// Bytes that come in pieces of any size and are wanted as one: linear in time, and never over a limit.

/** What `append` calls when the limit would be passed; it must throw. */
export type OverLimit = () => never;

const FIRST_CAPACITY = 1024;
/** What is expected is only a stranger's promise: memory for more is made as it comes. */
const MOST_EXPECTED_BYTES = 1024 * 1024;

export class GrowingBytes {
	#bytes = Buffer.alloc(0);
	#length = 0;
	readonly #firstCapacity: number;
	readonly #limitBytes: number;
	readonly #overLimit: OverLimit;

	/** Where so many bytes are expected, memory is made once: to move them from one piece to the next is dear. */
	constructor(
		limitBytes: number,
		overLimit: OverLimit,
		expectedBytes = FIRST_CAPACITY,
	) {
		this.#firstCapacity = Math.min(expectedBytes, MOST_EXPECTED_BYTES);
		this.#limitBytes = limitBytes;
		this.#overLimit = overLimit;
	}

	get length(): number {
		return this.#length;
	}

	/** Appends `source[start..end)`; throws what `overLimit` throws before it would hold too much. */
	append(source: Buffer, start = 0, end = source.length): void {
		const needed = this.#length + end - start;
		if (needed > this.#limitBytes) this.#overLimit();
		if (needed > this.#bytes.length) this.#grow(needed);
		source.copy(this.#bytes, this.#length, start, end);
		this.#length = needed;
	}

	appendByte(byte: number): void {
		const at = this.#length;
		if (at + 1 > this.#limitBytes) this.#overLimit();
		if (at + 1 > this.#bytes.length) this.#grow(at + 1);
		this.#bytes[at] = byte;
		this.#length = at + 1;
	}

	/** All bytes, in place: they change when others are appended after `clear`. */
	get view(): Buffer {
		return this.#bytes.subarray(0, this.#length);
	}

	/** Begins anew in the same memory, which is dear to get: to be called once nobody looks at the view any more. */
	clear(): void {
		this.#length = 0;
	}

	/** Gives all bytes away and begins anew. */
	take(): Buffer {
		const taken = this.#bytes.subarray(0, this.#length);
		this.#bytes = Buffer.alloc(0);
		this.#length = 0;
		return taken;
	}

	// Doubling keeps the copies linear: a byte at a time must not cost a copy of all for each.
	#grow(needed: number): void {
		const capacity = Math.max(
			needed,
			this.#bytes.length * 2,
			this.#firstCapacity,
		);
		const grown = Buffer.allocUnsafeSlow(capacity);
		this.#bytes.copy(grown, 0, 0, this.#length);
		this.#bytes = grown;
	}
}
