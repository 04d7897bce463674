// Words as a POSIX shell reads them: written for commands that are there to be pasted, and read where no shell runs.

/** The word itself where no shell would touch it, else in single quotes. Names come from strangers: none may run. */
export function shellWord(word: string): string {
	const isPlain = /^[\w@%+:,./][\w@%+=:,./-]*$/.test(word);
	return isPlain ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** As a shell would cut it, quotes and backslashes included, and nothing else of a shell; undefined where one is open. */
export function splitShellWords(text: string): string[] | undefined {
	const words: string[] = [];
	const parts =
		/\s*((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)(?=\s|$)|\s*$/sy;
	while (parts.lastIndex < text.length) {
		const match = parts.exec(text);
		if (!match) return undefined;
		if (match[1] !== undefined) words.push(unquote(match[1]));
	}
	return words;
}

const unquote = (word: string) =>
	word.replace(
		/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
		(_all, single?: string, double?: string, escaped?: string) =>
			single ?? double?.replace(/\\(["\\])/g, "$1") ?? escaped ?? "",
	);
