// Names and text on their way into SQL and out of it. Text comes out as bytes in the database's own encoding: what is no
// valid text is then shown with replacement characters, whichever library reads it.
import type { SqliteConnection, SqlParam, SqlValue } from "./driver.ts";

export const quoteName = (name: string): string =>
	`"${name.replaceAll('"', '""')}"`;

export const quoteText = (text: string): string =>
	`'${text.replaceAll("'", "''")}'`;

/** An expression's text as a BLOB; what is NULL stays NULL. */
export const asBytes = (expression: string): string =>
	`CAST(${expression} AS BLOB)`;

export type DecodeText = (value: SqlValue | undefined) => string;

/** Reads what `asBytes` brings; of other values it makes text. */
export function textDecoder(connection: SqliteConnection): DecodeText {
	const [row] = connection.rows(
		`SELECT ${asBytes("encoding")} FROM pragma_encoding`,
	);
	// Its own answer is in the encoding that it names: two bytes for each letter where that is UTF-16.
	const name = Buffer.from(bytesOf(row?.[0])).toString("latin1");
	const encoding = name.replaceAll("\0", "").toLowerCase();
	const decoder = new TextDecoder(
		{ "utf-16le": "utf-16le", "utf-16be": "utf-16be" }[encoding] ?? "utf-8",
		{ ignoreBOM: true },
	);
	return (value) =>
		value instanceof Uint8Array
			? decoder.decode(value)
			: value === null || value === undefined
				? ""
				: String(value);
}

const bytesOf = (value: SqlValue | undefined) =>
	value instanceof Uint8Array ? value : new Uint8Array();

/** A JSON argument as SQLite should compare it: whole numbers as INTEGER, true and false as 1 and 0. */
export function paramOf(value: unknown): SqlParam {
	if (typeof value === "boolean") return value ? 1n : 0n;
	if (typeof value === "number")
		return Number.isSafeInteger(value) ? BigInt(value) : value;
	return typeof value === "string" ? value : null;
}
