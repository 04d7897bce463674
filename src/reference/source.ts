// What a source of events is: event types that can be read from a cursor on, and that say when reading is worth while.
// Poll and push both stand on `read`, so that they give the same events with the same ids.
import type { DeliveryMode } from "../protocol/index.ts";

export interface TypeDescriptor {
	name: string;
	description: string;
	delivery: DeliveryMode[];
	inputSchema: Record<string, unknown>;
	payloadSchema: Record<string, unknown>;
}

/** One event, its JSON made once, however many streams it goes to. */
export interface ServerEvent {
	/** The occurrence's JSON text without `cursor`, `_meta` and the closing brace. */
	readonly head: string;
	/** The position after this event. */
	readonly cursor: string;
}

export interface EventParts {
	eventId: string;
	name: string;
	/** When it happened, in epoch milliseconds. */
	at: number;
	/** The payload: its JSON text, on one line. */
	dataText: string;
	cursor: string;
}

export function makeEvent(parts: EventParts): ServerEvent {
	const { eventId, name, at, dataText, cursor } = parts;
	const timestamp = timestampOf(at);
	const head = `{"eventId":${JSON.stringify(eventId)},"name":${JSON.stringify(name)},"timestamp":"${timestamp}","data":${dataText}`;
	return { head, cursor };
}

/** Events come in bursts of one millisecond; writing a date is half the work of making one. */
let lastAt = 0;
let lastTimestamp = new Date(0).toISOString();

function timestampOf(at: number): string {
	if (at !== lastAt) {
		lastTimestamp = new Date(at).toISOString();
		lastAt = at;
	}
	return lastTimestamp;
}

export type EventArguments = Readonly<Record<string, unknown>>;

export interface ReadRequest {
	/** They fit the inputSchema. */
	arguments: EventArguments;
	cursor: string;
	/** At most so many events. */
	limit: number;
	/** Nothing from before this instant (maxAgeMs); skipping any for it is a truncation. */
	sinceMs?: number | undefined;
}

export interface Batch {
	/** Where the batch begins: the cursor asked for, or a fresh one where `truncated`. */
	from: string;
	events: ServerEvent[];
	/** How far the source has looked. */
	cursor: string;
	/** Another read at once may bring more. */
	hasMore: boolean;
	/** Events before `from` were, or may have been, skipped. */
	truncated: boolean;
}

export interface SourceType {
	readonly descriptor: TypeDescriptor;
	/** The position of now. */
	head(args: EventArguments): string | Promise<string>;
	/** What comes after a cursor, oldest first. Refuses (InvalidParams) a cursor that it cannot parse. */
	read(request: ReadRequest): Batch | Promise<Batch>;
	/** Calls `wake` whenever a read may bring more; returns the way to stop it. */
	watch(args: EventArguments, wake: () => void): () => void;
}

/** Opened by whoever starts the server, closed by the server. */
export interface Source {
	readonly types: readonly SourceType[];
	close(): void | Promise<void>;
}
