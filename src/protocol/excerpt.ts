// What somebody sent, as evidence in a message.

/** The beginning of a value as JSON, `most` characters at most; of any value that JSON.parse can give. */
export function excerpt(value: unknown, most: number): string {
	if (value === undefined) return "nothing";
	try {
		return JSON.stringify(value).slice(0, most);
	} catch {
		// JSON.parse reads deeper nesting than JSON.stringify can write.
		return "something nested too deeply to be shown";
	}
}
