// The value that the text after `=` stands for, typed by the schema.
import { canonicalJson } from "../protocol/index.ts";
import { findChangedNumber, readNumber } from "./read-number.ts";
import { show } from "./schema-faults.ts";
import type { JsonType } from "./schema-keywords.ts";
import { fixedValues, type SchemaView, typesOf } from "./schema-view.ts";
import { typeWords } from "./type-words.ts";

/** A value, or in words what is wrong: what was given and what is allowed. */
export type Reading = { value: unknown } | { problem: string };

/**
 * Reads one text as `node` allows. The order, from the narrowest to the widest: a value that const or enum lists (what
 * is no string first), null, boolean, number, string, and an object or array written as JSON. So under
 * `["integer", "string"]` 5 is a number, and under `["string", "null"]` null is null; what only allows strings keeps
 * any text. Where the schema says nothing of types, text that is a JSON literal is that, and any other is a string.
 */
export function readText(
	view: SchemaView,
	node: unknown,
	text: string,
): Reading {
	const listed = (fixedValues(view, node) ?? []).filter((value) =>
		typeof value === "string" ? value === text : canonicalJson(value) === text,
	);
	if (listed.length > 0)
		return {
			value: listed.find((value) => typeof value !== "string") ?? listed[0],
		};
	const types = typesOf(view, node);
	if (types === undefined || types.size === 0)
		return { value: guessText(text) };
	return readTyped(types, text, () => typeWords(view, node));
}

/** Text that is a JSON literal as that, any other as a string. */
export function guessText(text: string): unknown {
	if (text === "true") return true;
	if (text === "false") return false;
	if (text === "null") return null;
	const number = readNumber(text);
	return "value" in number ? number.value : text;
}

function readTyped(
	types: ReadonlySet<JsonType>,
	text: string,
	allowed: () => string,
): Reading {
	if (types.has("null") && text === "null") return { value: null };
	if (types.has("boolean") && (text === "true" || text === "false"))
		return { value: text === "true" };
	const number = readNumeric(types, text);
	if ("value" in number) return number;
	if (types.has("string")) return { value: text };
	const json = readJsonText(types, text);
	if (json && "value" in json) return json;
	const reason = json?.reason ?? number.reason;
	return {
		problem: `${show(text)}, allowed: ${allowed()}${reason ? ` (${reason})` : ""}`,
	};
}

function readNumeric(
	types: ReadonlySet<JsonType>,
	text: string,
): { value: number } | { reason: string | undefined } {
	if (!types.has("integer") && !types.has("number"))
		return { reason: undefined };
	const number = readNumber(text);
	if ("reason" in number)
		return /\d/.test(text) ? number : { reason: undefined };
	// A fraction under "integer" is refused even where it is zero: 1.0 would be sent as 1.
	if (!types.has("number") && /[.]/.test(text))
		return { reason: "an integer is written without a fraction" };
	return number;
}

function readJsonText(
	types: ReadonlySet<JsonType>,
	text: string,
): { value: unknown } | { reason: string } | undefined {
	const wanted = text.startsWith("{") ? "object" : "array";
	if (!types.has(wanted) || !/^[[{]/.test(text)) return undefined;
	const changed = findChangedNumber(text);
	if (changed) return { reason: `${changed.text}: ${changed.reason}` };
	try {
		return { value: JSON.parse(text) };
	} catch {
		return { reason: "it is not valid JSON" };
	}
}
