// The columns of a table or query: how a value of any type becomes JSON, bounded in size, and which arguments filter on it.
import type { SqlValue } from "./driver.ts";
import { asBytes, type DecodeText } from "./sql-text.ts";

export interface Column {
	name: string;
	/** The column in SQL. */
	expression: string;
	/** As declared; "" where nothing was. */
	type: string;
}

/** Of one text, or one BLOB. */
const VALUE_LIMIT_BYTES = 32 * 1024;
/** Of a row's texts and BLOBs together: a delivery by webhook has 256 KiB, and base64 and escapes make them longer. */
const ROW_LIMIT_BYTES = 96 * 1024;

/** What a value is, where its bytes do not say; libsql shows those of an empty one as NULL. */
const KIND = { text: 1n, blob: 2n } as const;

/** Two expressions for each column: its value, text as bytes, no longer than need be; and its kind. */
export const columnExpressions = (columns: readonly Column[]): string[] =>
	columns.flatMap(({ expression }) => [
		`CASE typeof(${expression})
		WHEN 'text' THEN substr(${asBytes(expression)}, 1, ${VALUE_LIMIT_BYTES + 1})
		WHEN 'blob' THEN substr(${expression}, 1, ${VALUE_LIMIT_BYTES + 1})
		ELSE ${expression} END`,
		`CASE typeof(${expression}) WHEN 'text' THEN ${KIND.text} WHEN 'blob' THEN ${KIND.blob} ELSE 0 END`,
	]);

/**
 * The row as JSON text: integers beyond 2^53 as strings of digits, infinities as "Infinity" and "-Infinity", BLOBs in
 * base64. A text over the limit is cut, a BLOB over it is null; their names stand under `$cut`.
 */
export function rowJson(
	columns: readonly Column[],
	values: readonly SqlValue[],
	decode: DecodeText,
): string {
	const members: string[] = [];
	const cut: string[] = [];
	let left = ROW_LIMIT_BYTES;
	for (const [index, { name }] of columns.entries()) {
		const kind = values[index * 2 + 1];
		const isText = kind === KIND.text;
		const isBytes = isText || kind === KIND.blob;
		const value = values[index * 2] ?? (isBytes ? new Uint8Array() : null);
		const limit = Math.min(VALUE_LIMIT_BYTES, left);
		const isCut = value instanceof Uint8Array && value.length > limit;
		if (isCut) cut.push(name);
		if (value instanceof Uint8Array) left -= Math.min(value.length, limit);
		const json = isCut
			? cutJson(value.subarray(0, limit), isText, decode)
			: valueJson(value, isText, decode);
		members.push(`${JSON.stringify(name)}:${json}`);
	}
	if (cut.length > 0)
		members.push(`${JSON.stringify(cutName(columns))}:${JSON.stringify(cut)}`);
	return `{${members.join(",")}}`;
}

/** The member that names what was cut; no column is called so. */
export function cutName(columns: readonly Column[]): string {
	let name = "$cut";
	while (columns.some((column) => column.name === name)) name = `$${name}`;
	return name;
}

function valueJson(value: SqlValue, isText: boolean, decode: DecodeText) {
	if (value === null) return "null";
	if (value instanceof Uint8Array)
		return JSON.stringify(
			isText ? decode(value) : Buffer.from(value).toString("base64"),
		);
	if (typeof value === "number")
		return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`;
	return Number.isSafeInteger(Number(value)) ? `${value}` : `"${value}"`;
}

/** The character that the limit fell into is left out whole. */
function cutJson(bytes: Uint8Array, isText: boolean, decode: DecodeText) {
	if (!isText) return "null";
	return JSON.stringify(decode(bytes).replace(/\uFFFD+$/, ""));
}

/** What SQLite makes of a declared type (its rules of affinity, and the names that people give to truth and time). */
export function argumentType(column: Column): string | string[] | undefined {
	const type = column.type.toUpperCase();
	if (type.includes("BOOL")) return "boolean";
	if (type.includes("INT")) return "integer";
	if (/CHAR|CLOB|TEXT|STRING|JSON|UUID/.test(type)) return "string";
	if (type.includes("BLOB")) return undefined;
	if (/REAL|FLOA|DOUB|DEC|NUM/.test(type)) return "number";
	return ["string", "number"];
}

/** Values have types of their own in SQLite, whatever was declared. */
export function payloadProperty({ name, type }: Column) {
	return [
		name,
		{
			type: ["string", "number", "null"],
			...(type !== "" && { description: `Declared ${type.slice(0, 80)}` }),
		},
	] as const;
}
