// What was odd but readable is told once a session, however often it is seen.
import type { Odd } from "../protocol/index.ts";

/** More different oddities than this are not told one by one: a server could make up as many as it likes. */
const DIFFERENT_ODDITIES = 100;

/** Wraps `note` so that each text is told once, and all together are bounded. */
export function tellOnce(note: (text: string) => void): Odd {
	const told = new Set<string>();
	return (what) => {
		if (told.has(what) || told.size > DIFFERENT_ODDITIES) return;
		told.add(what);
		note(
			told.size > DIFFERENT_ODDITIES
				? "more was odd; the rest is not told"
				: what,
		);
	};
}
