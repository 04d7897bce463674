// Words as a POSIX shell reads them back.

const SAFE = /^[A-Za-z0-9_\-+=:,./@%]+$/;

/** One word for a command line that is pasted: bare where it can be, else in single quotes. */
export function shellWord(text: string): string {
	return SAFE.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A value as it stands after the `=` of a pair: a string as it is, all else as JSON. */
export function pairText(value: unknown): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}
