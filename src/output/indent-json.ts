// JSON over several lines with every token as it was written: no number, key or escape is made anew.

const INDENT = "  ";
/** Deeper levels stand no further to the right: a stranger's brackets must not multiply blanks. */
const MOST_LEVELS = 20;

/** `text` is valid JSON. Strings keep their bytes, what is empty stays on one line. */
export function indentJson(text: string): string {
	const tokens =
		text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
	const parts: string[] = [];
	let depth = 0;
	const newLine = () => `\n${INDENT.repeat(Math.min(depth, MOST_LEVELS))}`;
	for (const [at, token] of tokens.entries()) {
		const next = tokens[at + 1] ?? "";
		if (token === "{" || token === "[") {
			depth++;
			parts.push(token);
			if (next !== "}" && next !== "]") parts.push(newLine());
		} else if (token === "}" || token === "]") {
			depth--;
			const before = tokens[at - 1] ?? "";
			parts.push(before === "{" || before === "[" ? token : newLine() + token);
		} else if (token === ",") parts.push(token + newLine());
		else if (token === ":") parts.push(": ");
		else parts.push(token);
	}
	return parts.join("");
}
