// Lines appended to a file. Replay is read from the file itself, so a cursor lasts as long as the file does.
import type { Clock } from "../clock.ts";
import { invalidParams } from "../refusal.ts";
import {
	type Batch,
	makeEvent,
	type ReadRequest,
	type ServerEvent,
	type Source,
	type TypeDescriptor,
} from "../source.ts";
import { type FollowedFile, followFile } from "./follow-file.ts";
import {
	type FileLine,
	type Generation,
	lineStart,
	seenAt,
	sizeBefore,
} from "./generation.ts";
import { type SharedLine, shareReads } from "./shared-reads.ts";

export interface FileOptions {
	/** As it stands in the events. */
	path: string;
	/** Of the event type, where two files are followed. */
	eventName?: string | undefined;
	clock: Clock;
	/** How often to look, whether or not the system tells of a change. */
	intervalMs?: number;
	/** For what the operator should know. */
	note?: (text: string) => void;
}

const INTERVAL_MS = 250;
const CURSOR = /^v1\.(\d{1,20}-\d{1,20}-\d{1,20})\.(\d{1,15})\.(\d{1,15})$/;
/** The place before the first file of all. */
const NOWHERE = "v1.0-0-0.0.0";

const DEFAULT_NAME = "file.line";

const describe = (name: string): TypeDescriptor => ({
	name,
	description:
		"A line was appended to the file that the server follows. A line over 64 KiB comes in pieces; all but the last have part: true.",
	delivery: ["poll", "push"],
	inputSchema: {
		type: "object",
		properties: {
			contains: {
				type: "string",
				minLength: 1,
				maxLength: 1_000,
				description: "Only lines with this text in them",
			},
		},
		additionalProperties: false,
		examples: [{}, { contains: "ERROR" }],
	},
	payloadSchema: {
		type: "object",
		properties: {
			path: { type: "string" },
			line: { type: "string" },
			offset: {
				type: "integer",
				minimum: 0,
				description: "Where the line begins, in bytes",
			},
			part: { type: "boolean" },
		},
		required: ["path", "line", "offset"],
	},
});

interface Place {
	file: Generation;
	offset: number;
}

/** Follows `path` until closed; it need not exist yet. */
export async function openFileSource(options: FileOptions): Promise<Source> {
	const { path, clock, intervalMs = INTERVAL_MS, note = () => {} } = options;
	const name = options.eventName ?? DEFAULT_NAME;
	const follower = await followFile({ path, clock, intervalMs, note });
	const readShared = shareReads((file, line) =>
		eventOf(line, { name, path, file }),
	);

	async function read(request: ReadRequest): Promise<Batch> {
		await follower.look();
		const { place, truncated } = await resolve(follower, request);
		if (!place) return nothingAt(request.cursor, truncated);
		let { file, offset } = place;
		let chunk = await readShared(file, offset);
		for (
			let next = nextOf(follower, file);
			chunk.lines.length === 0 && chunk.reachedEnd && next;
			next = nextOf(follower, file)
		) {
			file = next;
			offset = 0;
			chunk = await readShared(file, offset);
		}
		const { events, end, leftOver } = choose(chunk.lines, request);
		return {
			from: cursorOf(place.file, place.offset),
			events,
			cursor: cursorOf(file, end ?? offset),
			hasMore:
				leftOver || !chunk.reachedEnd || hasLinesIn(nextOf(follower, file)),
			truncated,
		};
	}

	const type = {
		descriptor: describe(name),
		async head() {
			await follower.look();
			const file = follower.generations.at(-1);
			return file ? cursorOf(file, await lineStart(file, file.size)) : NOWHERE;
		},
		read,
		watch: (_args: unknown, wake: () => void) => follower.watch(wake),
	};
	return { types: [type], close: () => follower.close() };
}

const cursorOf = (file: Generation, offset: number) =>
	`v1.${file.identity}.${file.cut}.${offset}`;

const hasLinesIn = (file: Generation | undefined) => (file?.size ?? 0) > 0;

function nothingAt(cursor: string, truncated: boolean): Batch {
	const from = truncated ? NOWHERE : cursor;
	return { from, events: [], cursor: from, hasMore: false, truncated };
}

/** The file to go on in, once this one has nothing more to come. */
function nextOf({ generations }: FollowedFile, file: Generation) {
	if (file.sealedAt === undefined) return undefined;
	return generations[generations.indexOf(file) + 1];
}

/** Where to begin, and whether lines may lie between the cursor and there. */
async function resolve(follower: FollowedFile, request: ReadRequest) {
	const found = findPlace(follower, request.cursor);
	let { place, truncated } = found;
	while (place && request.sinceMs !== undefined) {
		const { file, offset }: Place = place;
		const floor = sizeBefore(file, request.sinceMs);
		const begin = floor > offset ? await lineStart(file, floor) : offset;
		if (begin > offset) {
			truncated = true;
			place = { file, offset: begin };
		}
		const next: Generation | undefined = nextOf(follower, file);
		if (begin < file.size || !next) break;
		place = { file: next, offset: 0 };
	}
	return { place, truncated };
}

function findPlace(follower: FollowedFile, cursor: string) {
	const parts = CURSOR.exec(cursor);
	if (!parts) throw invalidParams("cursor is none of this server's");
	const [, identity, cutText, offsetText] = parts;
	const { generations, firstOfAll } = follower;
	const oldest = generations[0];
	if (!oldest) return { place: undefined, truncated: cursor !== NOWHERE };
	const start = { file: oldest, offset: 0 };
	if (cursor === NOWHERE)
		return { place: start, truncated: oldest !== firstOfAll || oldest.cut > 0 };
	const cut = Number(cutText);
	const offset = Number(offsetText);
	const file = generations.find((known) => known.identity === identity);
	if (!file || offset > file.size) return { place: start, truncated: true };
	if (file.cut === cut) return { place: { file, offset }, truncated: false };
	if (file.formerCuts.has(cut))
		return { place: { file, offset }, truncated: true };
	// Cut before this server looked: all that it knows is that the file is still there and long enough.
	if (file.cut === 0) return { place: { file, offset }, truncated: false };
	return { place: start, truncated: true };
}

function choose(lines: readonly SharedLine[], request: ReadRequest) {
	const { contains } = request.arguments;
	const events: ServerEvent[] = [];
	let end: number | undefined;
	for (const line of lines) {
		const fits = typeof contains !== "string" || line.text.includes(contains);
		if (fits && events.length === request.limit)
			return { events, end, leftOver: true };
		if (fits) events.push(line.event);
		end = line.end;
	}
	return { events, end, leftOver: false };
}

function eventOf(
	{ text, start, end, isWhole }: FileLine,
	{ name, path, file }: { name: string; path: string; file: Generation },
): ServerEvent {
	return makeEvent({
		eventId: `${file.identity}.${file.cut}.${start}`,
		name,
		at: seenAt(file, end),
		dataText: JSON.stringify({
			path,
			line: text,
			offset: start,
			part: isWhole ? undefined : true,
		}),
		cursor: cursorOf(file, end),
	});
}
