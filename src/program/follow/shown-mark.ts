// How far the deliveries of one subscription were shown, as a line that is changed in place: to the moment, so that a
// restart after a kill shows nothing twice, and knows what it cannot know.
import { type Mark, openMark } from "../../state/index.ts";

export interface ShownMark {
	/** What an earlier run said; undefined where there was none. */
	readonly first: FirstMark | undefined;
	markShown(capture: string | undefined): void;
	markLeaving(capture: string, previous: string | undefined): void;
	close(): void;
}

export interface FirstMark {
	/** The last capture that was shown, or was being shown when the run was cut off; undefined: none. */
	shown: string | undefined;
	/** Those after this one (undefined: from the beginning) were being shown. */
	doubtful: { after: string | undefined } | undefined;
}

const NONE = "-";

/** Opens the mark; `failed` is told, once, where it can be written no more. Throws `file-failed`. */
export function openShownMark(
	path: string,
	failed: (why: string) => void,
): ShownMark {
	const mark = openMark(path);
	const set = (text: string) => setOrTell(mark, text, failed);
	return {
		first: mark.first === undefined ? undefined : parse(mark.first),
		markShown: (capture) => set(capture ?? NONE),
		markLeaving: (capture, previous) =>
			set(`${capture} leaving ${previous ?? NONE}`),
		close: () => mark.close(),
	};
}

/** A full disk costs a restart its knowledge, not this run its events. */
function setOrTell(mark: Mark, text: string, failed: (why: string) => void) {
	try {
		mark.set(text);
	} catch (error) {
		failed(error instanceof Error ? error.message : String(error));
	}
}

function parse(text: string): FirstMark {
	const [shown = NONE, word, after = NONE] = text.split(" ");
	const captureOf = (id: string) => (id === NONE ? undefined : id);
	return {
		shown: captureOf(shown),
		doubtful: word === "leaving" ? { after: captureOf(after) } : undefined,
	};
}
