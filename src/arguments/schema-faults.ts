// How a stranger's schema is refused: one code, the place in the schema, and the way round it.
import { Fault } from "../faults/index.ts";

/** A schema that cannot be used safely. `cause` stays out of the text. */
export function unusable(what: string, why: string, cause?: unknown): Fault {
	return new Fault("schema-unusable", {
		what: `the schema cannot be used: ${what}`,
		why,
		next: "add --no-validate to send the arguments unchecked",
		cause,
	});
}

/** A value as JSON text for a message, cut to a bearable length. */
export function show(value: unknown, limit = 80): string {
	const text = JSON.stringify(value) ?? String(value);
	return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** Text of a server for a message, cut to a bearable length. */
export function cut(text: string, limit = 80): string {
	return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** One token of a JSON Pointer, escaped. */
export function pointerToken(token: string): string {
	return token.replaceAll("~", "~0").replaceAll("/", "~1");
}
