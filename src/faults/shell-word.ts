// A word as a POSIX shell reads it back, for commands that are there to be pasted.

/** The word itself where no shell would touch it, else in single quotes. Names come from strangers: none may run. */
export function shellWord(word: string): string {
	const isPlain = /^[\w@%+:,./][\w@%+=:,./-]*$/.test(word);
	return isPlain ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
