// What the presets share: whether the database is the one they know, filters that are lists of texts, and values as JSON.
import { Fault } from "../../../faults/index.ts";
import type { SqliteConnection, SqlValue } from "./driver.ts";
import { inspectTable } from "./inspect-table.ts";
import {
	asBytes,
	type DecodeText,
	quoteText,
	textDecoder,
} from "./sql-text.ts";

/** Throws `wrong-use` where a table or column that the preset reads is not there, or the table cannot be followed. */
export function requireColumns(
	connection: SqliteConnection,
	what: string,
	needed: Record<string, readonly string[]>,
): void {
	const missing = Object.entries(needed).flatMap(([table, names]) => {
		const known = columnNames(connection, table);
		return names
			.filter((name) => !known.has(name.toLowerCase()))
			.map((name) => `${table}.${name}`);
	});
	if (missing.length > 0)
		throw new Fault("wrong-use", {
			what: `the database is not ${what}, or one of a release that is not known`,
			why: `it has no ${missing.slice(0, 10).join(", ")}`,
			next: "follow any table of it: --table NAME",
		});
	const [main] = Object.keys(needed);
	if (main !== undefined) inspectTable(connection, main);
}

/** In lower case; empty where there is no such table. */
export function columnNames(
	connection: SqliteConnection,
	table: string,
): Set<string> {
	const decode = textDecoder(connection);
	const sql = `SELECT ${asBytes("name")} FROM pragma_table_xinfo(?1)`;
	return new Set(
		connection.rows(sql, [table]).map((row) => decode(row[0]).toLowerCase()),
	);
}

/** The greatest rowid that the table ever gave, or 0. */
export const sequenceHead = (table: string): string =>
	`SELECT max(coalesce((SELECT max(ROWID) FROM ${table}), 0),
		coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = ${quoteText(table)}), 0))`;

/** The part of a text that an event carries. */
export const shortText = (expression: string): string =>
	`substr(${asBytes(expression)}, 1, 4096)`;

/** Text or null. */
export const textOrNull = (
	value: SqlValue | undefined,
	decode: DecodeText,
): string | null =>
	value === null || value === undefined ? null : decode(value);

export const wholeOrNull = (value: SqlValue | undefined): number | null =>
	typeof value === "bigint" ? Number(value) : null;

export const isoOrNull = (at: number | undefined): string | null =>
	at === undefined ? null : new Date(at).toISOString();

/** A filter that is a list of texts, any of which will do. */
export const listFilter = (description: string) => ({
	type: "array",
	items: { type: "string", minLength: 1, maxLength: 500 },
	minItems: 1,
	maxItems: 100,
	description,
});

/** The texts of such an argument in lower case; undefined where it is not given. */
export function readList(value: unknown): Set<string> | undefined {
	if (!Array.isArray(value)) return undefined;
	return new Set(value.map((text) => String(text).toLowerCase()));
}
