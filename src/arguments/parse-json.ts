// `--args JSON`; who calls reads a file or stdin.
import { Fault } from "../faults/index.ts";
import { isRecord } from "../protocol/index.ts";
import { findJsonError } from "./json-position.ts";
import { findChangedNumber } from "./read-number.ts";
import { cut, show } from "./schema-faults.ts";

/**
 * Reads arguments written as one JSON object; `where` says in messages where the text came from. Throws `wrong-use`
 * with the position where it is no JSON, no object, or holds a number that would not be sent as it stands.
 */
export function parseArgumentsJson(
	text: string,
	where: string,
): Record<string, unknown> {
	const value = parseJson(text, where);
	if (!isRecord(value))
		throw wrongJson(
			`${where} holds no JSON object`,
			`it is ${show(value)}; arguments are an object, one member for each`,
		);
	const changed = findChangedNumber(text);
	if (changed)
		throw wrongJson(
			`${where} holds the number ${cut(changed.text)} at ${position(text, changed.position - 1)}, which cannot be sent unchanged`,
			changed.reason,
		);
	return value;
}

function parseJson(text: string, where: string): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		if (text.trim() === "")
			throw wrongJson(`${where} is empty, not a JSON object`, undefined);
		const offset = findJsonError(text);
		const found = text.slice(offset, offset + 20);
		const message = cause instanceof Error ? cut(cause.message, 120) : "";
		throw wrongJson(
			`${where} is not JSON at ${position(text, offset)}`,
			found === ""
				? "it ends too early"
				: `there stands ${show(found)}: ${message}`,
		);
	}
}

function position(text: string, offset: number): string {
	const before = text.slice(0, offset).split("\n");
	const column = (before.at(-1)?.length ?? 0) + 1;
	return `line ${before.length}, column ${column}`;
}

function wrongJson(what: string, why: string | undefined): Fault {
	return new Fault("wrong-use", {
		what,
		...(why === undefined ? {} : { why }),
		next: `--args '{"key": "value"}'`,
	});
}
