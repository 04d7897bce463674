// A JSON value as indented `key: value` lines, bounded in lines, width and depth whatever a stranger sends.
import { elementSpans, memberSpans, type Span } from "../protocol/index.ts";
import { clip, displayWidth, wrapAtMost } from "./display-width.ts";
import type { Page } from "./pretty.ts";
import { cutText, isVisible, visibleJsonText } from "./visible-text.ts";

const MOST_LINES = 20;
const MOST_LEVELS = 4;
const LINES_OF_ONE_VALUE = 3;
const FEWEST_COLUMNS = 16;
const INDENT = "  ";

/** Looks like something else than a string where it stands without quotes. */
const NEEDS_QUOTES = /^$|^\s|\s$|^[[{"]|^(?:true|false|null|-?\d.*)$|: |^- /;
const PLAIN_KEY = /^[\p{L}\p{N}_.$@/-]+$/u;

interface Member {
	/** "- " in an array. */
	label: string;
	span: Span;
}

/** The lines of a value, indented by one level. `bytes` are valid JSON. */
export function renderValue(bytes: Buffer, span: Span, page: Page): string[] {
	const lines: string[] = [];
	renderInto(lines, { bytes, span, page, level: 1, label: "" });
	if (lines.length <= MOST_LINES) return lines;
	return [...lines.slice(0, MOST_LINES - 1), `${INDENT}…`];
}

interface Place {
	bytes: Buffer;
	span: Span;
	page: Page;
	level: number;
	label: string;
}

function renderInto(lines: string[], place: Place): void {
	const { level, label, page } = place;
	const members = level <= MOST_LEVELS ? membersToShow(place) : [];
	if (members.length === 0) {
		lines.push(...leafLines(place));
		return;
	}
	if (label !== "")
		lines.push(INDENT.repeat(level) + page.palette.key(label.trimEnd()));
	for (const member of members) {
		// One line too many is enough to tell that there are more.
		if (lines.length > MOST_LINES) return;
		const inner = label === "" ? level : level + 1;
		renderInto(lines, { ...place, ...member, level: inner });
	}
}

/** The members of an object or array that takes lines of its own; none where it fits on one line. */
function membersToShow(place: Place): Member[] {
	const { bytes, span, page, label } = place;
	const first = bytes[span.start];
	const isObject = first === 0x7b;
	if (!isObject && first !== 0x5b) return [];
	const isTopObject = label === "" && isObject;
	if (!isTopObject && fitsOnOneLine(place)) return [];
	if (!isObject)
		return elementSpans(bytes, span.start, MOST_LINES + 1).map((each) => ({
			label: "- ",
			span: each,
		}));
	return [...memberSpans(bytes, span.start, MOST_LINES + 1)].map(
		([key, each]) => ({ label: `${showKey(key, page.width)}: `, span: each }),
	);
}

function fitsOnOneLine({ bytes, span, page, level, label }: Place): boolean {
	const room = page.width - displayWidth(label) - level * INDENT.length;
	// A letter of one column has four bytes at most, but for marks upon it.
	if (span.end - span.start > room * 4) return false;
	const text = bytes.toString("utf8", span.start, span.end);
	return displayWidth(visibleJsonText(text)) <= room;
}

function leafLines({ bytes, span, page, level, label }: Place): string[] {
	const { palette, width } = page;
	const indent = INDENT.repeat(level);
	const room = Math.max(
		FEWEST_COLUMNS,
		width - indent.length - displayWidth(label),
	);
	const isLiteral = /[^"[{]/.test(String.fromCharCode(bytes[span.start] ?? 0));
	const text = leafText(bytes, span, room * LINES_OF_ONE_VALUE * 4);
	const folded = wrapAtMost(text, room, LINES_OF_ONE_VALUE);
	return folded.map((line, at) => {
		const painted = isLiteral ? palette.literal(line) : line;
		if (at === 0) return indent + palette.key(label) + painted;
		return indent + " ".repeat(displayWidth(label)) + painted;
	});
}

/** A string without quotes where nothing else could be meant; all other values as they were written. */
function leafText(bytes: Buffer, span: Span, limit: number): string {
	const isWhole = span.end - span.start <= limit;
	const end = isWhole ? span.end : span.start + limit;
	const json = bytes.toString("utf8", span.start, end);
	// Cut between the bytes of a letter, the last one is broken.
	const whole = isWhole ? json : json.replace(/\ufffd$/, "");
	if (!json.startsWith('"') || json.includes("\\"))
		return visibleJsonText(whole);
	const text = isWhole ? whole.slice(1, -1) : whole.slice(1);
	const isPlain = !NEEDS_QUOTES.test(text) && isVisible(text);
	return isPlain ? text : visibleJsonText(whole);
}

function showKey(key: string, width: number): string {
	const room = Math.floor(width / 2);
	if (PLAIN_KEY.test(key) && isVisible(key) && displayWidth(key) <= room)
		return key;
	return clip(visibleJsonText(JSON.stringify(cutText(key, width))), room);
}
