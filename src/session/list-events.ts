// events/list: every page of a server's catalogue, and the types that are wanted out of it (events.md 2).
import { createHash } from "node:crypto";
import { Fault, nearestNames } from "../faults/index.ts";
import {
	type Descriptor,
	elementSpans,
	excerpt,
	METHODS,
	type Message,
	memberSpans,
	type Odd,
	payloadSpan,
	readDescriptor,
} from "../protocol/index.ts";
import { serverWords } from "./server-facts.ts";
import type { Session } from "./session.ts";

export interface ListOptions {
	signal?: AbortSignal | undefined;
	odd: Odd;
}

const PAGES = 1_000;
/** Longer texts are remembered by their digest: a server may make a cursor or a name as long as a message. */
const REMEMBERED_CHARACTERS = 64;

/**
 * Yields the catalogue page by page. Throws `paging-loop` where a cursor comes a second time or the pages do not end,
 * `wrong-shape`, and what `request` throws.
 */
export async function* listEventTypes(
	session: Session,
	{ signal, odd }: ListOptions,
): AsyncGenerator<Descriptor[]> {
	const cursors = new Set<string>();
	const names = new Set<string>();
	let cursor: string | undefined;
	for (let pages = 1; ; pages++) {
		const params = cursor === undefined ? {} : { cursor };
		const message = await session.request(METHODS.list, params, {
			signal,
			isPatient: true,
		});
		const page = readPage(message, odd);
		noteDoubles(page, names, odd);
		yield page;
		cursor = readNextCursor(message.result.nextCursor);
		if (cursor === undefined) return;
		const seen = fingerprint(cursor);
		if (cursors.has(seen))
			throw pagingLoop(
				`the paging cursor ${JSON.stringify(cursor.slice(0, 80))} came twice, the second time on page ${pages}`,
			);
		if (pages === PAGES)
			throw pagingLoop(`page ${PAGES} has a nextCursor still`);
		cursors.add(seen);
	}
}

/** Some types of a catalogue. */
export interface FoundTypes {
	get(name: string): Descriptor | undefined;
	/** Why a name is not among them, with the nearest that are there: `event-unknown`. */
	unknown(name: string): Fault;
}

/** Looks for the types of these names. Reads no more pages than it must. */
export async function lookForEventTypes(
	session: Session,
	wanted: readonly string[],
	options: ListOptions,
): Promise<FoundTypes> {
	const found = new Map<string, Descriptor>();
	const missing = new Set(wanted);
	const names: string[] = [];
	for await (const page of listEventTypes(session, options)) {
		for (const descriptor of page) {
			const { name } = descriptor;
			names.push(name);
			if (missing.delete(name)) found.set(name, descriptor);
		}
		if (missing.size === 0) break;
	}
	return {
		get: (name) => found.get(name),
		unknown: (name) => unknownEvent(name, names, session),
	};
}

/** The descriptors of these names, in their order. Throws `event-unknown` where one is missing. */
export async function findEventTypes(
	session: Session,
	wanted: readonly string[],
	options: ListOptions,
): Promise<Descriptor[]> {
	const types = await lookForEventTypes(session, wanted, options);
	return wanted.map((name) => {
		const descriptor = types.get(name);
		if (!descriptor) throw types.unknown(name);
		return descriptor;
	});
}

function unknownEvent(
	name: string,
	names: readonly string[],
	{ server }: Session,
): Fault {
	const near = nearestNames(name, names);
	const count = names.length;
	return new Fault("event-unknown", {
		what: `the server has no event type named ${JSON.stringify(name)}`,
		why: `it lists ${count} ${count === 1 ? "type" : "types"}${near.length > 0 ? "" : ", none with a name like that"}`,
		next:
			near.length > 0
				? `did you mean ${near.map((other) => other.slice(0, 100)).join(", or ")}?`
				: `mcp-events list ${serverWords(server)}`,
	});
}

function readPage(
	message: Message & { kind: "result" },
	odd: Odd,
): Descriptor[] {
	const { events } = message.result;
	if (!Array.isArray(events))
		throw new Fault("wrong-shape", {
			what: "the server broke the contract: events in the answer to events/list is no array",
			why: `it sent ${excerpt(events, 200)}`,
		});
	const result = payloadSpan(message, "result");
	const span = result && memberSpans(message.bytes, result.start).get("events");
	return elementSpans(message.bytes, span?.start).map((entry, at) =>
		readDescriptor(message.bytes, entry, events[at], odd),
	);
}

/** Only a missing or null cursor ends the walk: the empty string is a cursor (events.md 2). */
function readNextCursor(value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === "string") return value;
	throw new Fault("wrong-shape", {
		what: "the server broke the contract: nextCursor of events/list is no string",
		why: `it sent ${excerpt(value, 120)}`,
	});
}

function noteDoubles(page: Descriptor[], names: Set<string>, odd: Odd): void {
	for (const { name } of page) {
		const seen = fingerprint(name);
		if (names.has(seen))
			odd(
				`events/list has ${JSON.stringify(name.slice(0, 80))} more than once`,
			);
		names.add(seen);
	}
}

function fingerprint(text: string): string {
	if (text.length <= REMEMBERED_CHARACTERS) return text;
	return `digest ${createHash("sha256").update(text).digest("base64")}`.padEnd(
		REMEMBERED_CHARACTERS + 1,
	);
}

function pagingLoop(why: string): Fault {
	return new Fault("paging-loop", {
		what: "the server's events/list never ends",
		why,
		next: "tell whoever runs the server: a walk through the pages must end without a nextCursor",
	});
}
