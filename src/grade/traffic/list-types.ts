// Every page of events/list as the server wrote it, and the event types in it as far as they can be read.
import {
	DELIVERY_MODES,
	type DeliveryMode,
	isRecord,
	METHODS,
} from "../../protocol/index.ts";
import { SIZES } from "../waits.ts";
import { type Answer, resultOf } from "../wire/answer.ts";
import type { Wire } from "../wire/wire.ts";

/** One entry of a page. `name` is "" where there is none. */
export interface EventType {
	name: string;
	/** Those that we know, each once. */
	modes: readonly DeliveryMode[];
	inputSchema: unknown;
	payloadSchema: unknown;
	/** The entry as it was sent. */
	value: unknown;
	/** The page that it stood on. */
	page: Answer;
}

export interface Listing {
	pages: readonly [Answer, ...Answer[]];
	types: readonly EventType[];
	/** Why not all pages were read; undefined where they were. */
	stopped: string | undefined;
}

/** Reads page after page, within bounds. Never a fault: what is wrong stands in the answers. */
export async function listTypes(wire: Wire): Promise<Listing> {
	const first = await wire.ask(METHODS.list, {});
	const pages: [Answer, ...Answer[]] = [first];
	const types = typesOf(first);
	const seen = new Set<string>();
	let cursor = nextCursorOf(first);
	while (cursor !== undefined) {
		const stopped = whyStop(cursor, { seen, pages, types });
		if (stopped !== undefined) return { pages, types, stopped };
		seen.add(cursor);
		const page = await wire.ask(METHODS.list, { cursor });
		pages.push(page);
		if (!resultOf(page))
			return { pages, types, stopped: "a cursor of the server was refused" };
		types.push(...typesOf(page));
		cursor = nextCursorOf(page);
	}
	return { pages, types, stopped: undefined };
}

function whyStop(
	cursor: string,
	read: { seen: Set<string>; pages: Answer[]; types: EventType[] },
): string | undefined {
	if (read.seen.has(cursor)) return "a cursor came a second time";
	if (read.pages.length >= SIZES.listPages)
		return `there are more than ${SIZES.listPages} pages`;
	if (read.types.length >= SIZES.listTypes)
		return `there are more than ${SIZES.listTypes} event types`;
	return undefined;
}

/** Any string is a cursor, the empty one too; whatever else stands there is none. */
export function nextCursorOf(page: Answer): string | undefined {
	const cursor = resultOf(page)?.nextCursor;
	return typeof cursor === "string" ? cursor : undefined;
}

function typesOf(page: Answer): EventType[] {
	const events = resultOf(page)?.events;
	if (!Array.isArray(events)) return [];
	return events.slice(0, SIZES.listTypes).map((value) => readType(value, page));
}

function readType(value: unknown, page: Answer): EventType {
	const entry = isRecord(value) ? value : {};
	const listed: unknown[] = Array.isArray(entry.delivery) ? entry.delivery : [];
	return {
		name: typeof entry.name === "string" ? entry.name : "",
		modes: DELIVERY_MODES.filter((mode) => listed.includes(mode)),
		inputSchema: entry.inputSchema,
		payloadSchema: entry.payloadSchema,
		value,
		page,
	};
}
