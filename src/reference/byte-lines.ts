// Cuts bytes that arrive in chunks into lines, and never holds more of one than it may.

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface LineTaker {
	/** A whole line without its end. */
	line(bytes: Buffer): void;
	/** A line over the limit was thrown away, up to its end. */
	tooLong(): void;
}

export interface LineCutter {
	push(chunk: Buffer): void;
	/** There will be no more: a last line without an end is a line. */
	end(): void;
}

export function createLineCutter(
	limitBytes: number,
	taker: LineTaker,
): LineCutter {
	let parts: Buffer[] = [];
	let held = 0;
	let isSkipping = false;

	function hold(part: Buffer) {
		if (isSkipping || part.length === 0) return;
		held += part.length;
		if (held <= limitBytes) {
			parts.push(part);
			return;
		}
		isSkipping = true;
		parts = [];
	}

	function finish() {
		const line = Buffer.concat(parts);
		const wasTooLong = isSkipping;
		parts = [];
		held = 0;
		isSkipping = false;
		if (wasTooLong) taker.tooLong();
		else taker.line(trimReturn(line));
	}

	return {
		push(chunk) {
			let start = 0;
			for (;;) {
				const end = chunk.indexOf(LINE_FEED, start);
				if (end < 0) break;
				hold(chunk.subarray(start, end));
				finish();
				start = end + 1;
			}
			hold(chunk.subarray(start));
		},
		end() {
			if (held > 0) finish();
		},
	};
}

/** A line without the carriage return of CRLF. */
export function trimReturn(line: Buffer): Buffer {
	return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}
