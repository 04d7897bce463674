// Cuts chunks of bytes into lines, in linear time and bounded memory however the chunks fall.

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_CAPACITY = 256;

export interface LinesTold {
	onLine(line: Buffer): void;
	onTooLong(beginning: Buffer): void;
}

/**
 * Cuts at LF; a CR before it goes too. A line over the limit is told once to `onTooLong` with its beginning, and the
 * rest of it is skipped. A line is a view of its chunk wherever it stands in one, so it is read before it is kept.
 */
export class LineSplitter {
	readonly #limitBytes: number;
	readonly #told: LinesTold;
	/** The beginning of a line whose end has not come yet. */
	#carry = Buffer.alloc(0);
	#length = 0;
	#isSkipping = false;

	constructor(limitBytes: number, told: LinesTold) {
		this.#limitBytes = limitBytes;
		this.#told = told;
	}

	/** Hands every line that the chunk completes to `onLine`, without its line end. */
	push(chunk: Buffer): void {
		let start = 0;
		for (;;) {
			const at = chunk.indexOf(LINE_FEED, start);
			if (at === -1) break;
			this.#finish(chunk.subarray(start, at));
			start = at + 1;
		}
		if (start < chunk.length) this.#keep(chunk.subarray(start));
	}

	/** Hands over what follows the last line end, if anything does. */
	end(): void {
		if (this.#length > 0) this.#finish(Buffer.alloc(0));
	}

	#finish(part: Buffer): void {
		let line = part;
		if (
			this.#isSkipping ||
			this.#length > 0 ||
			part.length > this.#limitBytes
		) {
			this.#keep(part);
			line = this.#carry.subarray(0, this.#length);
			this.#drop();
		}
		if (this.#isSkipping) this.#isSkipping = false;
		else this.#told.onLine(withoutCarriageReturn(line));
	}

	#keep(part: Buffer): void {
		if (this.#isSkipping) return;
		const needed = this.#length + part.length;
		if (needed > this.#limitBytes) {
			const room = this.#limitBytes - this.#length;
			const begun = this.#carry.subarray(0, this.#length);
			this.#isSkipping = true;
			this.#drop();
			this.#told.onTooLong(Buffer.concat([begun, part.subarray(0, room)]));
			return;
		}
		// Doubling, not a list of parts: a line that comes byte by byte would cost an object for every byte.
		if (needed > this.#carry.length) {
			const capacity = Math.max(needed, this.#carry.length * 2, FIRST_CAPACITY);
			const grown = Buffer.allocUnsafe(capacity);
			this.#carry.copy(grown, 0, 0, this.#length);
			this.#carry = grown;
		}
		part.copy(this.#carry, this.#length);
		this.#length = needed;
	}

	#drop(): void {
		this.#carry = Buffer.alloc(0);
		this.#length = 0;
	}
}

function withoutCarriageReturn(line: Buffer): Buffer {
	return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}
