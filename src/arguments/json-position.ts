// Where text stops being JSON: JSON.parse says so in some of its messages only, and in other words in each version.

const SPACE = /[ \t\r\n]*/y;
const SCALAR =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings may hold none of them
	/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Awaited =
	| "value"
	| "value-or-end"
	| "key"
	| "key-or-end"
	| "colon"
	| "comma";

/** The offset of the first token that JSON cannot have there; the length of the text where it only ends too early. */
export function findJsonError(text: string): number {
	const closers: string[] = [];
	let awaited: Awaited = "value";
	for (let at = skip(text, 0); at < text.length; at = skip(text, at)) {
		const next = step(text, at, { awaited, closers });
		if (next === undefined) return at;
		at = next.at;
		awaited = next.awaited;
	}
	return text.length;
}

function step(
	text: string,
	at: number,
	{ awaited, closers }: { awaited: Awaited; closers: string[] },
): { at: number; awaited: Awaited } | undefined {
	const char = text[at] ?? "";
	if (awaited === "colon")
		return char === ":" ? { at: at + 1, awaited: "value" } : undefined;
	if (char === closers.at(-1) && awaited !== "value" && awaited !== "key") {
		closers.pop();
		return { at: at + 1, awaited: "comma" };
	}
	if (awaited === "comma") {
		if (char !== "," || closers.length === 0) return undefined;
		return { at: at + 1, awaited: closers.at(-1) === "}" ? "key" : "value" };
	}
	const isKey = awaited === "key" || awaited === "key-or-end";
	if (!isKey && (char === "{" || char === "[")) {
		closers.push(char === "{" ? "}" : "]");
		return {
			at: at + 1,
			awaited: char === "{" ? "key-or-end" : "value-or-end",
		};
	}
	SCALAR.lastIndex = at;
	if ((isKey && char !== '"') || !SCALAR.test(text)) return undefined;
	return { at: SCALAR.lastIndex, awaited: isKey ? "colon" : "comma" };
}

function skip(text: string, at: number): number {
	SPACE.lastIndex = at;
	SPACE.test(text);
	return SPACE.lastIndex;
}
