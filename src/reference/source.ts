// What a source of events is: event types that can be read from a cursor on, and that say when reading is worth while.
// Poll, push and webhook all stand on `read`, so that they give the same events with the same ids. To write a source,
// see the note at `Source`, then the nearest of sources/*: stdin emits into a feed, file reads what lies somewhere.
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
	/** When it happened: epoch milliseconds, or an ISO 8601 instant with a zone that is passed on as it is. */
	at: number | string;
	/** The payload: its JSON text, on one line. */
	dataText: string;
	cursor: string;
}

export function makeEvent(parts: EventParts): ServerEvent {
	const { eventId, name, at, dataText, cursor } = parts;
	const timestamp = typeof at === "string" ? at : timestampOf(at);
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

export interface TypeLimits {
	/** Streams of one principal, address or pipe. */
	streamsPerCaller?: number;
	/** Subscriptions at once, of each mode, whoever's they are. */
	subscriptions?: number;
}

export interface SourceType {
	readonly descriptor: TypeDescriptor;
	/** False: no cursor of it is ever told, and every subscription begins now. */
	readonly hasReplay?: boolean;
	/** False: not by webhook, even where the server has webhooks. */
	readonly mayBeWebhook?: boolean;
	/** Beyond these: ResourceExhausted. */
	readonly limits?: TypeLimits | undefined;
	/** The position of now. */
	head(args: EventArguments): string | Promise<string>;
	/** What comes after a cursor, oldest first. Refuses (InvalidParams) a cursor that it cannot parse. */
	read(request: ReadRequest): Batch | Promise<Batch>;
	/** Calls `wake` whenever a read may bring more; returns the way to stop it. */
	watch(args: EventArguments, wake: () => void): () => void;
}

/**
 * Opened by whoever starts the server, closed by the server.
 *
 * How to write one: `openX(options)` in sources/x.ts returns `{types, close}`, and takes the clock, the epoch and `note`
 * from outside. There are two kinds.
 * - It only hears of things (a line on stdin, a request): make a `Feed` with the facts that filters look at, call
 *   `feed.emit` for each thing, and let the type be `{descriptor, head: () => feed.head(), read: (request) =>
 *   feed.read(request, (facts) => …request.arguments…), watch: (_args, wake) => feed.watch(wake)}`. What could not be
 *   heard for a while is told by `feed.tellGap()`. Cursors end with the process, and the feed says so.
 * - It can look things up again (a file, a table): `read` looks from the cursor on, and the cursor says where, of what.
 *   One that cannot be parsed is refused by `invalidParams`; one whose place is gone gives `truncated: true` and begins
 *   at what is left. Watching may be a timer.
 *
 * Either way: an event has the same eventId whenever it is read, its own where it brings one; filters are arguments
 * that `inputSchema` describes; everything that comes from outside is bounded; `delivery` is `["poll", "push"]`; an
 * option (`eventName`, or `prefix` for several types) renames the types, so that two of a kind fit into one server.
 */
export interface Source {
	readonly types: readonly SourceType[];
	close(): void | Promise<void>;
}
