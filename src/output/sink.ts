// What is known of the stream at the far end: a terminal or not, how wide, how colourful.
import type { Writable } from "node:stream";
import { type ColorDepth, colorDepth } from "./colors.ts";

/** A stream as Node hands it out: a terminal says so, and how wide it is. */
export type TerminalStream = Writable & { isTTY?: boolean; columns?: number };

export interface Sink {
	stream: Writable;
	isTerminal: boolean;
	/** A terminal that cannot move its cursor. */
	isDumb: boolean;
	colorDepth: ColorDepth;
	/** Asked anew each time: a window may change its size. */
	readonly columns: number;
}

const USUAL_COLUMNS = 80;
const FEWEST_COLUMNS = 20;

export function describeSink(
	stream: TerminalStream,
	env: Record<string, string | undefined>,
): Sink {
	const isTerminal = stream.isTTY === true;
	return {
		stream,
		isTerminal,
		// One that has no width is no screen either: a spinner would take away lines without end.
		isDumb: env.TERM === "dumb" || stream.columns === 0,
		colorDepth: colorDepth(env, isTerminal),
		get columns() {
			return Math.max(FEWEST_COLUMNS, stream.columns || USUAL_COLUMNS);
		},
	};
}
