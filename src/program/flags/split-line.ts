// One line of a file as words, in the way of a shell: quotes and backslashes keep spaces, nothing is expanded.

/** The words of a line; undefined where a quote is not closed, or a backslash ends it. */
export function splitLine(line: string): string[] | undefined {
	const words: string[] = [];
	let word: string | undefined;
	let quote: string | undefined;
	for (let at = 0; at < line.length; at++) {
		const letter = line[at] ?? "";
		if (letter === "\\" && quote !== "'") {
			const next = line[++at];
			if (next === undefined) return undefined;
			// Inside double quotes a backslash stands for itself, except before what it is needed for.
			const isPlain = quote === '"' && next !== '"' && next !== "\\";
			word = (word ?? "") + (isPlain ? `\\${next}` : next);
		} else if (quote !== undefined) {
			if (letter === quote) quote = undefined;
			else word += letter;
		} else if (letter === "'" || letter === '"') {
			quote = letter;
			word ??= "";
		} else if (/\s/.test(letter)) {
			if (word !== undefined) words.push(word);
			word = undefined;
		} else word = (word ?? "") + letter;
	}
	if (quote !== undefined) return undefined;
	if (word !== undefined) words.push(word);
	return words;
}
