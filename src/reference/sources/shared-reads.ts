// Remembers the last pieces of a file that were read: streams that stand close together, as live ones do, share one read
// of it and one making of its events.
import type { ServerEvent } from "../source.ts";
import { type FileLine, type Generation, readLines } from "./generation.ts";

export type SharedLine = FileLine & { readonly event: ServerEvent };

export interface Chunk {
	lines: SharedLine[];
	/** The lines reach to what the file has. */
	reachedEnd: boolean;
}

type MakeEvent = (file: Generation, line: FileLine) => ServerEvent;

/** Live streams need one; a few that replay from elsewhere must not push it out. */
const MAX_REMEMBERED = 8;

/** What is returned reads a chunk of a file from the start of a line on. */
export function shareReads(
	makeEvent: MakeEvent,
): (file: Generation, offset: number) => Promise<Chunk> {
	// The latest last. Of one state of one file each: what has grown, or was cut, is read anew.
	const remembered = new Map<
		Promise<Chunk>,
		{ state: string; places: Map<number, number> }
	>();

	async function read(file: Generation, offset: number): Promise<Chunk> {
		const { lines, reachedEnd } = await readLines(file, offset);
		return {
			lines: lines.map((line) => withEvent(makeEvent, file, line)),
			reachedEnd,
		};
	}

	async function remember(
		chunk: Promise<Chunk>,
		state: string,
		offset: number,
	) {
		const places = new Map([[offset, 0]]);
		remembered.set(chunk, { state, places });
		for (const oldest of remembered.keys())
			if (remembered.size > MAX_REMEMBERED) remembered.delete(oldest);
		try {
			const { lines } = await chunk;
			for (const [index, { start }] of lines.entries())
				places.set(start, index);
		} catch {
			remembered.delete(chunk);
		}
	}

	return async (file, offset) => {
		const state = `${file.identity}/${file.cut}/${file.size}/${file.sealedAt}`;
		for (const [chunk, { state: known, places }] of remembered) {
			const index = known === state ? places.get(offset) : undefined;
			if (index === undefined) continue;
			const { lines, reachedEnd } = await chunk;
			return { lines: index === 0 ? lines : lines.slice(index), reachedEnd };
		}
		const chunk = read(file, offset);
		void remember(chunk, state, offset);
		return await chunk;
	};
}

function withEvent(
	makeEvent: MakeEvent,
	file: Generation,
	line: FileLine,
): SharedLine {
	let event: ServerEvent | undefined;
	return {
		...line,
		get event() {
			event ??= makeEvent(file, line);
			return event;
		},
	};
}
