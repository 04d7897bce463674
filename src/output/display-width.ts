// How many columns a text takes on a terminal, and how to cut or fold it to fit. Texts here are visible already
// (visible-text.ts): an escape such as \u001b is never torn apart.
import { cutText } from "./visible-text.ts";

const ASCII = /^[\x20-\x7e]*$/;
// East Asian wide and full-width blocks, roughly as wcwidth has them; emoji come from their own property.
const WIDE =
	/[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18dff}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
const EMOJI_STYLE = /\p{Extended_Pictographic}.*\ufe0f|\p{RI}{2}/u;
const ESCAPES = /(\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4})/;

let segmenter: Intl.Segmenter | undefined;

/** Columns that a visible text takes. */
export function displayWidth(text: string): number {
	if (ASCII.test(text)) return text.length;
	let width = 0;
	for (const { segment } of segments(text)) width += graphemeWidth(segment);
	return width;
}

/** The text, cut to a number of columns with … at its end where it is longer. */
export function clip(text: string, width: number): string {
	if (displayWidth(text) <= width) return text;
	return `${head(text, width - 1)}…`;
}

/** The text on as many lines as it takes, folded at spaces where there are any. Never empty. */
export function wrap(text: string, width: number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(" ")) {
		const longer = line === "" ? word : `${line} ${word}`;
		if (displayWidth(longer) <= width) {
			line = longer;
			continue;
		}
		if (line !== "") lines.push(line);
		line = word;
		while (displayWidth(line) > width) {
			const start = head(line, width) || firstPiece(line);
			lines.push(start);
			line = line.slice(start.length);
		}
	}
	if (line !== "" || lines.length === 0) lines.push(line);
	return lines.map((each) => each.trimEnd());
}

/** `wrap`, with … at the end of the last line where more lines would follow. */
export function wrapAtMost(
	text: string,
	width: number,
	lineCount: number,
): string[] {
	// What cannot fit is not worth folding; an escape takes ten columns at most, a letter up to a few code units.
	const enough = cutText(text, width * lineCount * 4);
	const lines = wrap(enough, width);
	if (lines.length <= lineCount && enough === text) return lines;
	const kept = lines.slice(0, lineCount);
	const last = kept.pop() ?? "";
	return [...kept, `${head(last, width - 1)}…`];
}

/** The text with spaces up to the width. */
export function pad(text: string, width: number): string {
	return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** As much of the beginning as fits into the width. */
function head(text: string, width: number): string {
	let taken = "";
	let used = 0;
	for (const piece of pieces(text)) {
		used += displayWidth(piece);
		if (used > width) break;
		taken += piece;
	}
	return taken;
}

function firstPiece(text: string): string {
	for (const piece of pieces(text)) return piece;
	return text;
}

/** Escapes whole, everything else by what a reader takes for one letter. */
function* pieces(text: string): Generator<string> {
	for (const [at, part] of text.split(ESCAPES).entries()) {
		if (at % 2 === 1) yield part;
		else if (ASCII.test(part)) yield* part;
		else for (const { segment } of segments(part)) yield segment;
	}
}

function segments(text: string): Iterable<Intl.SegmentData> {
	segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
	return segmenter.segment(text);
}

function graphemeWidth(grapheme: string): number {
	if (EMOJI_STYLE.test(grapheme)) return 2;
	let width = 0;
	for (const char of grapheme) {
		// A joined emoji is one picture, as wide as its first.
		if (char === "\u200d" && width === 2) return 2;
		if (NO_WIDTH.test(char) || /\p{EMod}/u.test(char)) continue;
		width += WIDE.test(char) ? 2 : 1;
	}
	return width;
}
