// Cuts chunks of bytes into lines, in linear time and bounded memory however the chunks fall.

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_CAPACITY = 256;

export interface LineSplitter {
	/** Hands every line that the chunk completes to `onLine`, without its line end. */
	push(chunk: Buffer): void;
	/** Hands over what follows the last line end, if anything does. */
	end(): void;
}

/**
 * Cuts at LF; a CR before it goes too. A line over `limitBytes` is told once to `onTooLong` with its beginning, and
 * the rest of it is skipped. A line is a view of its chunk wherever it stands in one, so it is read before it is kept.
 */
export function createLineSplitter(
	limitBytes: number,
	told: { onLine(line: Buffer): void; onTooLong(beginning: Buffer): void },
): LineSplitter {
	let carry: Buffer = Buffer.alloc(0);
	let length = 0;
	let isSkipping = false;

	const keep = (part: Buffer) => {
		if (isSkipping) return;
		const needed = length + part.length;
		if (needed > limitBytes) {
			const beginning = Buffer.concat([carry.subarray(0, length), part]);
			isSkipping = true;
			carry = Buffer.alloc(0);
			length = 0;
			told.onTooLong(beginning.subarray(0, limitBytes));
			return;
		}
		// Doubling, not a list of parts: a line that comes byte by byte would cost an object for every byte.
		if (needed > carry.length) {
			const grown = Buffer.allocUnsafe(
				Math.max(needed, carry.length * 2, FIRST_CAPACITY),
			);
			carry.copy(grown, 0, 0, length);
			carry = grown;
		}
		part.copy(carry, length);
		length = needed;
	};

	const finish = (part: Buffer) => {
		if (isSkipping) {
			isSkipping = false;
			return;
		}
		if (length === 0 && part.length <= limitBytes) {
			told.onLine(withoutCarriageReturn(part));
			return;
		}
		keep(part);
		if (isSkipping) {
			isSkipping = false;
			return;
		}
		const line = carry.subarray(0, length);
		carry = Buffer.alloc(0);
		length = 0;
		told.onLine(withoutCarriageReturn(line));
	};

	return {
		push(chunk) {
			let start = 0;
			for (;;) {
				const at = chunk.indexOf(LINE_FEED, start);
				if (at === -1) break;
				finish(chunk.subarray(start, at));
				start = at + 1;
			}
			if (start < chunk.length) keep(chunk.subarray(start));
		},
		end() {
			if (length > 0) finish(Buffer.alloc(0));
		},
	};
}

function withoutCarriageReturn(line: Buffer): Buffer {
	return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}
