// Captured deliveries, served again: with their own ids, times and data, in their order and their pace.
import type { OddLine } from "../../../captures/index.ts";
import { Fault } from "../../../faults/index.ts";
import type { Clock } from "../../clock.ts";
import { invalidParams } from "../../refusal.ts";
import {
	type Batch,
	makeEvent,
	type ReadRequest,
	type ServerEvent,
	type Source,
	type SourceType,
	type TypeDescriptor,
} from "../../source.ts";
import { checkPrefix } from "../prefix.ts";
import {
	type Captured,
	type CapturedEvent,
	closeAll,
	findCaptured,
} from "./find-captured.ts";
import { createEventReader } from "./read-event.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

export interface CaptureOptions {
	/** Files, and folders whose `.ndjson` files are meant; as they are now. */
	paths: readonly string[];
	clock: Clock;
	/** 1 keeps the gaps between arrivals, 10 makes them a tenth; undefined: none. */
	speed: number | undefined;
	/** Stands before each event name, with a dot, where the names are taken. */
	prefix?: string | undefined;
	/** Events that are served at most. */
	maxEvents?: number | undefined;
	/** For what the operator should know. */
	note?: ((text: string) => void) | undefined;
}

const MAX_EVENTS = 500_000;
const MAX_NAMES = 1_000;
const MAX_ODD_NOTES = 10;
/** The place before the first event, for those who want all of them: a cursor that anybody can write. */
const BEGIN = "begin";
const CURSOR = /^v1\.(\d{1,9})\.([0-9a-f]{12})$/;
const NO_MARK = "0".repeat(12);

/** Looks through the files once. Throws `file-failed`, and `wrong-use` where no event is in them. */
export async function openCaptureSource(
	options: CaptureOptions,
): Promise<Source> {
	const { paths, maxEvents = MAX_EVENTS, note = () => {} } = options;
	if (options.prefix !== undefined) checkPrefix(options.prefix);
	let odd = 0;
	const captured = await findCaptured({
		paths,
		maxEvents,
		maxNames: MAX_NAMES,
		odd: (line) => {
			if (++odd <= MAX_ODD_NOTES) note(tellOdd(line));
		},
	});
	const { files, events } = captured;
	if (events.size === 0) {
		await closeAll(files);
		throw nothingIn(paths, captured);
	}
	note(tellFound(captured));
	const served = [...events].map(([name, list]) =>
		serveType(name, list, options),
	);
	return {
		types: served.map(({ type }) => type),
		async close() {
			for (const { timeline } of served) timeline.close();
			await closeAll(files);
		},
	};
}

function serveType(
	captured: string,
	events: CapturedEvent[],
	{ speed, clock, prefix, note = () => {} }: CaptureOptions,
): { type: SourceType; timeline: Timeline } {
	const name = prefix === undefined ? captured : `${prefix}.${captured}`;
	const offsetsMs = events.map(({ offsetMs }) => offsetMs);
	const timeline = createTimeline(offsetsMs, speed, clock);
	const readCaptured = createEventReader();
	const cursorAt = (place: number) =>
		`v1.${place}.${events[place - 1]?.mark ?? NO_MARK}`;

	async function read(request: ReadRequest): Promise<Batch> {
		const found = resolve(request.cursor, events);
		timeline.reach(found.place);
		const end = timeline.count();
		let { place, truncated } = found;
		const { sinceMs = 0, limit } = request;
		while (place < end && timeline.happenedAt(place) < sinceMs) {
			truncated = true;
			place++;
		}
		let from = place;
		const read: ServerEvent[] = [];
		for (; place < end && read.length < limit; place++) {
			const parts = await readAt(place);
			if (parts)
				read.push(makeEvent({ ...parts, name, cursor: cursorAt(place + 1) }));
			else if (read.length > 0) break;
			else {
				truncated = true;
				from = place + 1;
			}
		}
		return {
			from: cursorAt(from),
			events: read,
			cursor: cursorAt(place),
			hasMore: place < end,
			truncated,
		};
	}

	let isTold = false;
	async function readAt(place: number) {
		const event = events[place];
		const parts = event && (await readCaptured(event));
		if (parts || isTold) return parts;
		isTold = true;
		note(
			`captures of ${JSON.stringify(captured)} were changed while they are served; what cannot be read is left out`,
		);
		return undefined;
	}

	const type = {
		descriptor: describe(name, captured),
		head: () => cursorAt(timeline.count()),
		read,
		watch: (_args: unknown, wake: () => void) => timeline.watch(wake),
	};
	return { type, timeline };
}

/** A cursor counts what came before it, and names the last of that: in other files it is of no place. */
function resolve(cursor: string, events: readonly CapturedEvent[]) {
	if (cursor === BEGIN) return { place: 0, truncated: false };
	const parts = CURSOR.exec(cursor);
	if (!parts) throw invalidParams("cursor is none of this server's");
	const place = Number(parts[1]);
	const mark = place === 0 ? NO_MARK : events[place - 1]?.mark;
	if (mark === parts[2]) return { place, truncated: false };
	return { place: 0, truncated: true };
}

function describe(name: string, captured: string): TypeDescriptor {
	return {
		name,
		description: `Captured deliveries of ${captured}, served again with their own ids and times, as far apart as they arrived or faster, from the moment that the first subscriber asks. The cursor "${BEGIN}" stands before the first of them. maxAgeMs counts from when they are served.`,
		delivery: ["poll", "push"],
		inputSchema: { type: "object", additionalProperties: false },
		payloadSchema: { type: "object" },
	};
}

function tellFound({ events, rejected, others, tooMany }: Captured): string {
	const count = [...events.values()].reduce(
		(sum, { length }) => sum + length,
		0,
	);
	const left = [
		[rejected, "rejected"],
		[others, "no events"],
		[tooMany, "too many"],
	]
		.filter(([number]) => number !== 0)
		.map(([number, what]) => `${number} ${what}`);
	const leftOut = left.length > 0 ? `; left out: ${left.join(", ")}` : "";
	return `${count} captured events of ${events.size} types${leftOut}; from the first one on: --cursor ${BEGIN}`;
}

const tellOdd = ({ kind, path, line, why }: OddLine) =>
	`${path} line ${line} is left out: ${kind === "torn" ? "it is not whole" : why}`;

function nothingIn(
	paths: readonly string[],
	{ rejected, others }: Captured,
): Fault {
	return new Fault("wrong-use", {
		what: `there is no captured event in ${paths.join(", ")}`,
		why: `${rejected} deliveries in it were rejected when they came, and ${others} hold no event`,
		next: "see what is there: mcp-events captures list",
	});
}
