// Cuts chunks of bytes into lines, in linear time and bounded memory however the chunks fall.
import { GrowingBytes } from "./growing-bytes.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

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
	readonly #carry: GrowingBytes;
	#isSkipping = false;

	constructor(limitBytes: number, told: LinesTold) {
		this.#limitBytes = limitBytes;
		this.#told = told;
		this.#carry = new GrowingBytes(limitBytes, () => {
			throw new RangeError("a line is looked at before it is kept");
		});
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
		if (this.#carry.length > 0) this.#finish(Buffer.alloc(0));
	}

	#finish(part: Buffer): void {
		const isWhole = this.#carry.length === 0 && part.length <= this.#limitBytes;
		if (!isWhole) this.#keep(part);
		if (this.#isSkipping) this.#isSkipping = false;
		else
			this.#told.onLine(
				withoutCarriageReturn(isWhole ? part : this.#carry.take()),
			);
	}

	#keep(part: Buffer): void {
		if (this.#isSkipping) return;
		const room = this.#limitBytes - this.#carry.length;
		if (part.length <= room) {
			this.#carry.append(part);
			return;
		}
		this.#isSkipping = true;
		const begun = this.#carry.take();
		this.#told.onTooLong(Buffer.concat([begun, part.subarray(0, room)]));
	}
}

/** A line without the carriage return of CRLF. */
export function withoutCarriageReturn(line: Buffer): Buffer {
	return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}
