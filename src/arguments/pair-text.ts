// How a value is written after the `=` of a pair.

/** A string as it is, all else as JSON. */
export function pairText(value: unknown): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}
