// Which characters a terminal, or an eye, would obey: an oracle of our own for the tests, written from the Unicode and
// ECMA-48 tables and not from the code under test.

interface Range {
	from: number;
	to: number;
	name: string;
}

const RANGES: readonly Range[] = [
	{ from: 0x00, to: 0x08, name: "a C0 control" },
	{ from: 0x0b, to: 0x1f, name: "a C0 control" },
	{ from: 0x7f, to: 0x7f, name: "DEL" },
	{ from: 0x80, to: 0x9f, name: "a C1 control" },
	{ from: 0x61c, to: 0x61c, name: "a bidirectional mark" },
	{ from: 0x200e, to: 0x200f, name: "a bidirectional mark" },
	{ from: 0x2028, to: 0x2029, name: "a line or paragraph separator" },
	{ from: 0x202a, to: 0x202e, name: "a bidirectional embedding" },
	{ from: 0x2066, to: 0x2069, name: "a bidirectional isolate" },
	{ from: 0xfeff, to: 0xfeff, name: "a byte order mark" },
	{ from: 0xe0000, to: 0xe007f, name: "a tag character" },
];

/** Names the first dangerous character in a text (tab and line feed are none); undefined where all is harmless. */
export function dangerousIn(text: string): string | undefined {
	for (const character of text) {
		const code = character.codePointAt(0) ?? 0;
		const range = RANGES.find(({ from, to }) => code >= from && code <= to);
		if (range)
			return `${range.name} (U+${code.toString(16).toUpperCase().padStart(4, "0")})`;
	}
	return undefined;
}
