// A word of a stranger as it may be both shown and pasted.
import { shellWord } from "../faults/index.ts";
import { isVisible } from "./visible-text.ts";

/** As `shellWord`; what a terminal would obey or hide goes into `$'…'`, which bash, zsh and ksh read back. */
export function shellQuote(word: string): string {
	if (isVisible(word)) return shellWord(word);
	const escaped = Array.from(word, (char) => {
		if (char === "'" || char === "\\") return `\\${char}`;
		if (isVisible(char)) return char;
		const point = (char.codePointAt(0) ?? 0).toString(16);
		return point.length > 4
			? `\\U${point.padStart(8, "0")}`
			: `\\u${point.padStart(4, "0")}`;
	});
	return `$'${escaped.join("")}'`;
}
