// --output pretty: one compact block per event. The occurrence is shown from the bytes that came, so that a number
// looks as it was written, and nothing is parsed that could be too deep or too long.
import { isInstant, memberSpans } from "../protocol/index.ts";
import type { Item } from "../tail/index.ts";
import type { Palette } from "./colors.ts";
import { clip, displayWidth } from "./display-width.ts";
import { renderValue } from "./pretty-value.ts";
import { cutText, visibleText } from "./visible-text.ts";

/** Where text for people is laid out: how wide, and in which colours. */
export interface Page {
	width: number;
	palette: Palette;
}

const ID_COLUMNS = 36;
const NAME_COLUMNS = 80;

/** The block of an event, with its last line end. */
export function prettyEvent(
	item: Item & { kind: "event" },
	page: Page,
): string {
	const { palette, width } = page;
	const { name, eventId, raw } = item.occurrence;
	const { faint } = palette;
	const parts: Part[] = [
		[localTime(item.occurrence.timestamp, item.receivedAt), faint],
		[shown(name, NAME_COLUMNS), palette.name],
		[shown(eventId, ID_COLUMNS), faint],
	];
	if (item.subscription !== name)
		parts.push([`(${shown(item.subscription, NAME_COLUMNS)})`, faint]);
	const lines = headLines(parts, width);
	const data = memberSpans(raw).get("data");
	if (data) lines.push(...renderValue(raw, data, { palette, width }));
	return `${lines.join("\n")}\n`;
}

type Part = [text: string, paint: (text: string) => string];

/** The parts side by side; one that does not fit any more begins a line, and is cut where it is too long for that. */
function headLines(parts: readonly Part[], width: number): string[] {
	const lines: string[] = [];
	let used = width;
	for (const [text, paint] of parts) {
		const columns = displayWidth(text);
		const isNew = used + 1 + columns > width;
		const whole = isNew ? clip(text, width) : text;
		if (isNew) lines.push(paint(whole));
		else lines.push(`${lines.pop()} ${paint(whole)}`);
		used = isNew ? displayWidth(whole) : used + 1 + columns;
	}
	return lines;
}

/** A stranger's text of any length on one line. */
function shown(text: string, columns: number): string {
	return clip(visibleText(cutText(text, columns * 8)), columns);
}

/** The time of day, with the date where it is not the day on which the event came. */
function localTime(timestamp: string, receivedAt: number): string {
	const came = new Date(receivedAt);
	const when = isInstant(timestamp) ? new Date(timestamp) : came;
	const time = [when.getHours(), when.getMinutes(), when.getSeconds()]
		.map(twoDigits)
		.join(":");
	if (when.toDateString() === came.toDateString()) return time;
	const day = [when.getMonth() + 1, when.getDate()].map(twoDigits).join("-");
	return `${when.getFullYear()}-${day} ${time}`;
}

function twoDigits(number: number): string {
	return String(number).padStart(2, "0");
}
