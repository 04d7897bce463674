// What is odd about a subscription is told once, however often it comes.
import type { Pieces } from "./follow.ts";

/** How many different oddities are told of one subscription. */
const ODDITIES = 50;

export function tellOnce(
	label: string,
	pieces: Pick<Pieces, "note">,
): (what: string) => void {
	const told = new Set<string>();
	return (what) => {
		if (told.has(what) || told.size >= ODDITIES) return;
		told.add(what);
		pieces.note(`${label}: ${what}`);
	};
}
