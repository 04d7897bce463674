// Whether a table's rows can be followed by their key, and what it consists of. Only an INTEGER PRIMARY KEY stays what it
// is: VACUUM gives every other rowid a new number.
import { Fault, nearestNames } from "../../../faults/index.ts";
import type { Column } from "./columns.ts";
import type { SqliteConnection } from "./driver.ts";
import { asBytes, quoteName, textDecoder } from "./sql-text.ts";

export interface TableFacts {
	/** As the database spells it. */
	name: string;
	columns: Column[];
	/** The INTEGER PRIMARY KEY. */
	key: Column;
	/** The highest key that was ever given is kept, and none is given twice. */
	hasAutoincrement: boolean;
}

/** Throws `wrong-use` with the reason where there is no such table, or none that can be followed. */
export function inspectTable(
	connection: SqliteConnection,
	wanted: string,
): TableFacts {
	const found = findTable(connection, wanted);
	const { name } = found;
	const reason = KINDS_REFUSED[found.kind];
	if (reason) throw refuse(name, reason);
	if (found.isWithoutRowid) throw refuse(name, "it is a WITHOUT ROWID table");
	const decode = textDecoder(connection);
	const rows = connection.rows(
		`SELECT ${asBytes("name")}, ${asBytes("type")}, pk FROM pragma_table_xinfo(?1)`,
		[name],
	);
	const columns = rows.map((row) => ({
		name: decode(row[0]),
		expression: quoteName(decode(row[0])),
		type: decode(row[1]),
		isKey: row[2] !== 0n,
	}));
	const keys = columns.filter(({ isKey }) => isKey);
	const [key] = keys;
	if (!key) throw refuse(name, "it has no PRIMARY KEY");
	if (keys.length > 1)
		throw refuse(name, `its PRIMARY KEY is of ${keys.length} columns`);
	if (key.type.toUpperCase() !== "INTEGER" || hasKeyIndex(connection, name))
		throw refuse(
			name,
			`its PRIMARY KEY ${key.name} (${key.type || "no type"}) is not declared INTEGER PRIMARY KEY`,
		);
	const hasAutoincrement = AUTOINCREMENT.test(withoutQuotes(found.sql));
	return { name, columns, key, hasAutoincrement };
}

const KINDS_REFUSED: Record<string, string | undefined> = {
	view: "it is a view, which has no keys of its own; a --query over its table can say the same",
	virtual: "it is a virtual table, whose keys mean what its module likes",
	shadow: "it is a part of a virtual table",
};

const AUTOINCREMENT = /\bAUTOINCREMENT\b/i;

function findTable(connection: SqliteConnection, wanted: string) {
	const decode = textDecoder(connection);
	const rows = connection.rows(
		`SELECT ${asBytes("name")}, ${asBytes("type")}, wr,
			(SELECT ${asBytes("sql")} FROM sqlite_schema AS s WHERE s.name = l.name AND s.type = 'table')
		FROM pragma_table_list AS l
		WHERE schema = 'main' AND name = ?1 COLLATE NOCASE`,
		[wanted],
	);
	const [row] = rows;
	if (row)
		return {
			name: decode(row[0]),
			kind: decode(row[1]),
			isWithoutRowid: row[2] === 1n,
			sql: decode(row[3]),
		};
	const names = tableNames(connection);
	const near = nearestNames(wanted, names)[0];
	throw new Fault("wrong-use", {
		what: `the database has no table ${JSON.stringify(wanted)}`,
		why:
			names.length > 0
				? `it has ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}`
				: "it has no tables",
		next: `--table ${near ?? names[0] ?? "NAME"}`,
	});
}

function tableNames(connection: SqliteConnection): string[] {
	const decode = textDecoder(connection);
	return connection
		.rows(
			`SELECT ${asBytes("name")} FROM pragma_table_list
			WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
		)
		.map((row) => decode(row[0]));
}

/** A key with an index of its own is no alias of the rowid (INTEGER PRIMARY KEY DESC, for one). */
function hasKeyIndex(connection: SqliteConnection, table: string): boolean {
	const sql = "SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk'";
	return connection.rows(sql, [table]).length > 0;
}

/** SQL without comments and whatever stands in quotes: what is left are its own words. */
const withoutQuotes = (sql: string) =>
	sql.replace(
		/'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g,
		" ",
	);

function refuse(name: string, reason: string): Fault {
	return new Fault("wrong-use", {
		what: `the rows of ${name} cannot be followed`,
		why: reason,
		next: "--table with a table that has an INTEGER PRIMARY KEY",
	});
}
