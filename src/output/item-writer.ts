// Which items are data under a form, and the bytes of each line (product.md, Output). What is no data goes to stderr.
import { appendRaw, type GrowingBytes } from "../protocol/index.ts";
import type { Item } from "../tail/index.ts";
import { cloudEvent, uriReference } from "./cloudevents.ts";
import { type Page, prettyEvent } from "./pretty.ts";
import { createRecordWriter } from "./records.ts";
import { visibleJson } from "./visible-text.ts";

export type Form = "events" | "records" | "pretty" | "cloudevents";

const LINE_FEED = 0x0a;

export interface ItemWriter {
	/** Adds the item's line to what is to be written; false where the item is no data under this form. */
	add(item: Item, lines: GrowingBytes): boolean;
}

export function createItemWriter(
	form: Form,
	place: {
		isTerminal: boolean;
		source: () => string;
		page: Page;
		/** Hides credentials of ours that a server repeats; an event is never touched. */
		mask: (text: string) => string;
	},
): ItemWriter {
	if (form === "events" && !place.isTerminal) return { add: addEvent };
	const write = chooseWriter(form, place);
	if (form === "pretty" || !place.isTerminal)
		return { add: (item, lines) => addAll(lines, write(item)) };
	// JSON may hold C1 controls, DEL and bidi marks as they are; a terminal would obey them.
	return {
		add(item, lines) {
			const line = write(item);
			return addAll(lines, line && [visibleJson(Buffer.concat(line))]);
		},
	};
}

function addAll(
	lines: GrowingBytes,
	line: readonly Buffer[] | undefined,
): boolean {
	if (!line) return false;
	for (const part of line) lines.append(part);
	if (line.at(-1)?.at(-1) !== LINE_FEED) lines.appendByte(LINE_FEED);
	return true;
}

/** The hot path: the bytes as they came, which are one line without its end. */
function addEvent(item: Item, lines: GrowingBytes): boolean {
	if (item.kind !== "event") return false;
	appendRaw(item.occurrence, lines);
	lines.appendByte(LINE_FEED);
	return true;
}

function chooseWriter(
	form: Form,
	{
		source,
		page,
		mask,
	}: { source: () => string; page: Page; mask: (text: string) => string },
): (item: Item) => Buffer[] | undefined {
	switch (form) {
		case "records":
			return createRecordWriter(mask);
		case "events":
			return (item) =>
				item.kind === "event" ? [item.occurrence.raw] : undefined;
		case "pretty":
			return (item) =>
				item.kind === "event"
					? [Buffer.from(prettyEvent(item, page))]
					: undefined;
		case "cloudevents": {
			// One server, many events: its reference is made again only when it changes.
			let known: { source: string; reference: string } | undefined;
			return (item) => {
				if (item.kind !== "event") return undefined;
				if (known?.source !== source())
					known = { source: source(), reference: uriReference(source()) };
				return cloudEvent(item.occurrence, {
					source: known.reference,
					subscription: item.subscription,
				});
			};
		}
	}
}
