// The plan for the rows of a table.
import type { SqliteConnection } from "./driver.ts";
import { inspectTable } from "./inspect-table.ts";
import { LEAST_KEY } from "./place.ts";
import type { PlannedType } from "./plan.ts";
import { describeRows, planRows, type RowOptions } from "./row-plan.ts";
import { quoteName, quoteText, textDecoder } from "./sql-text.ts";

export type TableOptions = Omit<RowOptions, "eventName"> & {
	table: string;
	eventName?: string | undefined;
};

/** Throws `wrong-use` where the table cannot be followed. */
export function planTable(
	connection: SqliteConnection,
	options: TableOptions,
): PlannedType {
	const table = inspectTable(connection, options.table);
	const { name, columns, key, hasAutoincrement } = table;
	const rows = { ...options, eventName: options.eventName ?? nameFor(name) };
	const from = quoteName(name);
	const greatest = `SELECT max(${key.expression}) FROM ${from}`;
	const given = `SELECT max(seq) FROM sqlite_sequence WHERE name = ${quoteText(name)}`;
	const plan = planRows(
		{
			from,
			key: key.expression,
			headSql: hasAutoincrement
				? `SELECT max(coalesce((${greatest}), ${LEAST_KEY}), coalesce((${given}), ${LEAST_KEY}))`
				: greatest,
		},
		columns,
		{ ...rows, decode: textDecoder(connection) },
	);
	return {
		plan,
		descriptor: describeRows(columns, rows, `the table ${name}`),
		warnings: hasAutoincrement
			? []
			: [
					`${name} has no AUTOINCREMENT: after its last rows were deleted their keys are given again, and a row that takes a key below the cursor cannot be seen`,
				],
	};
}

/** By the table, so that two tables in one server have two names. */
const nameFor = (table: string) =>
	/^[A-Za-z0-9_-]{1,64}$/.test(table) ? `${table}.added` : "row.added";
