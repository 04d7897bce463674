// The plan for the rows of a query. It must show the INTEGER PRIMARY KEY of some table, by which it is then scanned.
import { Fault } from "../../../faults/index.ts";
import type { Column } from "./columns.ts";
import type { QueryColumn, SqliteConnection } from "./driver.ts";
import { inspectTable } from "./inspect-table.ts";
import type { PlannedType } from "./plan.ts";
import { describeRows, planRows, type RowOptions } from "./row-plan.ts";
import { quoteName, textDecoder } from "./sql-text.ts";
import { SqliteFailure } from "./sqlite-failure.ts";

export type QueryOptions = Omit<RowOptions, "eventName"> & {
	query: string;
	keyColumn?: string | undefined;
	eventName?: string | undefined;
};

/** Throws `wrong-use` where the text is anything but one SELECT with a key in it. */
export function planQuery(
	connection: SqliteConnection,
	options: QueryOptions,
): PlannedType {
	const query = options.query.replace(/[\s;]+$/, "");
	// A line end in front of the bracket: the query may end in a comment.
	const from = `(${query}\n)`;
	const found = readColumns(connection, query, from);
	const columns = found.map(
		({ name, type }): Column => ({
			name,
			expression: quoteName(name),
			type: type ?? "",
		}),
	);
	const key = chooseKey(connection, found, options.keyColumn);
	const rows = { ...options, eventName: options.eventName ?? "row.added" };
	const where = `typeof(${quoteName(key)}) = 'integer'`;
	const plan = planRows(
		{
			from,
			where,
			key: quoteName(key),
			headSql: `SELECT max(${quoteName(key)}) FROM ${from} WHERE ${where}`,
		},
		columns,
		{ ...rows, decode: textDecoder(connection) },
	);
	return {
		plan,
		descriptor: describeRows(columns, rows, "the result of a query"),
		warnings: [
			`the query is scanned by ${key}: of a row that comes into its result later than one with a greater key nothing is seen`,
		],
	};
}

/**
 * Inside brackets only a SELECT is one statement (a ";" would end it in the middle), and by itself it must be one too,
 * or brackets of its own could close ours.
 */
function readColumns(
	connection: SqliteConnection,
	query: string,
	from: string,
): QueryColumn[] {
	let columns: QueryColumn[];
	try {
		connection.columns(query);
		columns = connection.columns(`SELECT * FROM ${from}`);
	} catch (error) {
		if (!(error instanceof SqliteFailure) || error.isBusy) throw error;
		throw new Fault("wrong-use", {
			what: "--query is not one SELECT that this database can answer",
			why: error.message,
			next: 'try it first: sqlite3 -readonly FILE "SELECT …"',
			cause: error,
		});
	}
	const names = columns.map(({ name }) => name.toLowerCase());
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice !== undefined)
		throw new Fault("wrong-use", {
			what: `--query has two columns of the name ${twice}`,
			next: "give each a name of its own: SELECT a.id AS a_id, …",
		});
	return columns;
}

function chooseKey(
	connection: SqliteConnection,
	columns: readonly QueryColumn[],
	wanted: string | undefined,
): string {
	const keys = columns.filter((column) => isKey(connection, column));
	const chosen = wanted
		? keys.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
		: keys[0];
	if (chosen && (wanted || keys.length === 1)) return chosen.name;
	const names = keys.map(({ name }) => name);
	throw new Fault("wrong-use", {
		what: wanted
			? `--key-column ${wanted} is no INTEGER PRIMARY KEY of a table`
			: names.length > 0
				? "--query has several columns that could be its key"
				: "--query shows no INTEGER PRIMARY KEY of a table",
		why:
			names.length > 0
				? `these are: ${names.join(", ")}`
				: `its columns are ${columns.map(({ name }) => name).join(", ")}`,
		next:
			names[0] !== undefined
				? `--key-column ${names[0]}`
				: "--query 'SELECT id, … FROM …' with the key among its columns",
	});
}

/** Shown unchanged, from a table that could be followed by it. */
function isKey(
	connection: SqliteConnection,
	{ table, column }: QueryColumn,
): boolean {
	if (table === null || column === null) return false;
	try {
		const { key } = inspectTable(connection, table);
		return key.name.toLowerCase() === column.toLowerCase();
	} catch (error) {
		if (error instanceof Fault) return false;
		throw error;
	}
}
