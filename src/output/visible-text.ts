// Makes the text of strangers visible instead of obeyed: no code point that a terminal acts on, hides or reorders by
// leaves here as itself. Unassigned and private-use characters count too: what they look like is anybody's guess.

/** Marks stacked on one letter beyond this many are shown as escapes; no living script needs more. */
const MARKS_ON_ONE_LETTER = 4;

// C: controls, format characters (bidi, zero width, tags), lone surrogates, private use, unassigned. Zl, Zp: U+2028/9.
// DI: default ignorable (fillers, variation selectors). U+2800 is a braille cell without dots.
const RISKY_CLASS = String.raw`[\p{C}\p{Zl}\p{Zp}\p{DI}\u2800]`;
const RISKY = new RegExp(RISKY_CLASS, "u");
// The look-behind lets a run of backslashes be tried from its start alone: a long one costs no square of its length.
const CANDIDATES = new RegExp(
	String.raw`(?<!\\)(?:(\\*)(?:(\p{M}+)|(${RISKY_CLASS}))|\\+(?=u(?:[0-9a-fA-F]{4}|\{)))`,
	"gu",
);
const HARMLESS = /^[\x20-\x5b\x5d-\x7e]*$/;

// ZWJ makes one emoji of several, and steers the shape of letters in these scripts; elsewhere it only hides.
const JOINING_SCRIPTS =
	"Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr"
		.split(" ")
		.map((script) => String.raw`\p{scx=${script}}`)
		.join("");
const ENDS_JOINING = new RegExp(`[${JOINING_SCRIPTS}]$`, "u");
const STARTS_JOINING = new RegExp(`^[${JOINING_SCRIPTS}]`, "u");
const ENDS_EMOJI = /\p{Extended_Pictographic}(?:\ufe0f|\p{EMod})?$/u;
const ENDS_PICTOGRAPH = /\p{Extended_Pictographic}$/u;
const STARTS_PICTOGRAPH = /^\p{Extended_Pictographic}/u;
const STARTS_KEYCAP = /^\ufe0f\u20e3/;

interface Rules {
	escape(char: string): string;
	/** Characters left as they are, or what stands in their place. */
	instead: Record<string, string>;
	/** Whether a backslash before an escape must be doubled to tell the two apart. */
	isDoubling: boolean;
}

const ONE_LINE: Rules = {
	escape: escapeChar,
	instead: {},
	isDoubling: true,
};
const MANY_LINES: Rules = {
	...ONE_LINE,
	instead: { "\n": "\n", "\t": "    " },
};
const INSIDE_JSON: Rules = {
	escape: escapeUnits,
	// Outside strings a tab is white space, and an escape would break the text; inside it cannot stand.
	instead: { "\t": "\t" },
	isDoubling: false,
};

/**
 * The text with everything that a terminal would obey, hide or reorder by written as `\u001b` or `\u{e0041}`.
 * Reading back is unambiguous: a backslash of the text itself is doubled wherever it stands before such an escape,
 * or would look like the start of one. `multiline` keeps line feeds, and writes a tab as four spaces.
 */
export function visibleText(
	text: string,
	options: { multiline?: boolean } = {},
): string {
	if (HARMLESS.test(text)) return text;
	if (!options.multiline) return replaceRisky(text, ONE_LINE);
	return replaceRisky(text.replaceAll("\r\n", "\n"), MANY_LINES);
}

/** The same for JSON text: the escapes are JSON's own, so it stays valid and keeps its value. */
export function visibleJson(json: Buffer): Buffer {
	const text = json.toString("utf8");
	const visible = visibleJsonText(text);
	return visible === text ? json : Buffer.from(visible);
}

/** `visibleJson` for a text, which may be cut off anywhere. */
export function visibleJsonText(json: string): string {
	return replaceRisky(json, INSIDE_JSON);
}

/** `visibleText` on one line of bounded length: how much was left out is told. */
export function visibleLine(text: string, mostCharacters = 4_000): string {
	const start = cutText(text, mostCharacters);
	const rest = text.length - start.length;
	if (rest === 0) return visibleText(text);
	return `${visibleText(start)}… (${rest} more characters)`;
}

/** The beginning of a text, not cut inside a pair of surrogates. */
export function cutText(text: string, mostCharacters: number): string {
	if (text.length <= mostCharacters) return text;
	return text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, "");
}

/** Whether the text would be shown as it is. */
export function isVisible(text: string): boolean {
	return visibleText(text) === text;
}

function replaceRisky(text: string, rules: Rules): string {
	return text.replace(
		CANDIDATES,
		(
			match: string,
			slashes: string | undefined,
			marks: string | undefined,
			char: string | undefined,
			offset: number,
		) => {
			if (slashes === undefined)
				return rules.isDoubling ? match + match : match;
			const at = offset + slashes.length;
			const shown =
				marks !== undefined
					? showMarks(marks, text, at, rules)
					: showChar(char ?? "", text, at, rules);
			const isEscaped = shown.startsWith("\\");
			return (
				(isEscaped && rules.isDoubling ? slashes + slashes : slashes) + shown
			);
		},
	);
}

function showChar(char: string, text: string, at: number, rules: Rules) {
	const instead = rules.instead[char];
	if (instead !== undefined) return instead;
	const isJoiner = char === "\u200d" || char === "\u200c";
	return isJoiner && isNeededJoiner(char, text, at) ? char : rules.escape(char);
}

function isNeededJoiner(char: string, text: string, at: number): boolean {
	const before = text.slice(Math.max(0, at - 5), at);
	const after = text.slice(at + 1, at + 3);
	if (ENDS_JOINING.test(before) && STARTS_JOINING.test(after)) return true;
	return (
		char === "\u200d" &&
		ENDS_EMOJI.test(before) &&
		STARTS_PICTOGRAPH.test(after)
	);
}

function showMarks(marks: string, text: string, at: number, rules: Rules) {
	let room = hasBase(text, at) ? MARKS_ON_ONE_LETTER : 0;
	let shown = "";
	for (const mark of marks) {
		const isFirst = shown === "";
		if (RISKY.test(mark)) {
			const isStyle = isFirst && room > 0 && isEmojiStyle(text, at);
			shown += isStyle ? mark : rules.escape(mark);
		} else shown += room-- > 0 ? mark : rules.escape(mark);
	}
	return shown;
}

/** A mark without a letter of its own would land on what we printed before it. */
function hasBase(text: string, at: number): boolean {
	if (at === 0) return false;
	const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? "";
	return !RISKY.test(before) || before === "\u200d";
}

/** U+FE0E and U+FE0F choose between text and emoji style after a pictograph, and inside a keycap. */
function isEmojiStyle(text: string, at: number): boolean {
	const selector = text[at];
	if (selector !== "\ufe0f" && selector !== "\ufe0e") return false;
	return (
		ENDS_PICTOGRAPH.test(text.slice(Math.max(0, at - 2), at)) ||
		STARTS_KEYCAP.test(text.slice(at, at + 2))
	);
}

function escapeChar(char: string): string {
	const point = char.codePointAt(0) ?? 0;
	return point > 0xffff ? `\\u{${point.toString(16)}}` : escapeUnits(char);
}

function escapeUnits(char: string): string {
	let escaped = "";
	for (let at = 0; at < char.length; at++)
		escaped += `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`;
	return escaped;
}
