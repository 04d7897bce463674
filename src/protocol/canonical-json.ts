// One text for one JSON value, whatever the order of its keys: for keys and labels, not for signing.

/**
 * JSON with keys sorted by UTF-16 code unit and no white space, close to RFC 8785. Its limits: numbers are doubles (-0
 * is 0), a lone surrogate is written as an escape where the RFC refuses it, and what JSON cannot hold is left out or
 * null, as JSON.stringify has it.
 */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null)
		return JSON.stringify(value) ?? "null";
	const members = Object.entries(value)
		.filter(([, part]) => part !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`);
	return `{${members.join(",")}}`;
}
