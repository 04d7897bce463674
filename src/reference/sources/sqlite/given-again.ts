// Keys that a table without AUTOINCREMENT gives again once its last rows were deleted. The new rows must not have the
// ids of the old ones, or whoever has seen those would take them for the same.
import type { Place } from "./place.ts";

export interface GivenAgain {
	/** Notes where the head is now. */
	see(head: Place): void;
	/** The eventId of a row that has none of its own. */
	idOf(row: Place): string;
}

interface Fall {
	file: string;
	/** The head fell from here… */
	from: bigint;
	/** …to here. */
	to: bigint;
}

const MAX_FALLS = 100;

/** Knows of the falls that this process has seen; rows that come after another start have plain ids again. */
export function createGivenAgain(): GivenAgain {
	const falls: Fall[] = [];
	let last: Place | undefined;
	return {
		see(head) {
			if (last && last.file === head.file && head.key < last.key)
				falls.push({ file: head.file, from: last.key, to: head.key });
			if (falls.length > MAX_FALLS) falls.shift();
			last = head;
		},
		idOf({ file, key }) {
			const times = falls.filter(
				(fall) => fall.file === file && key > fall.to && key <= fall.from,
			).length;
			return times === 0 ? `${file}.${key}` : `${file}.${key}.${times}`;
		},
	};
}
