// What this source needs of a library that reads SQLite, and which one it is: Node's own where it has one, or else the
// optional peer libsql.
import { Fault } from "../../../faults/index.ts";
import { loadLibsql } from "./libsql-driver.ts";
import { loadNodeSqlite } from "./node-driver.ts";

export type SqlParam = bigint | number | string | null;
/** Never text: a query casts it to a BLOB, because libsql ends the process over text that is no UTF-8. */
export type SqlValue = bigint | number | Uint8Array | null;
export type SqlRow = readonly SqlValue[];

/** A column of a query, and the column of a table that it shows unchanged. */
export interface QueryColumn {
	name: string;
	table: string | null;
	column: string | null;
	/** As declared. */
	type: string | null;
}

/** One open handle that can only read. Whatever SQLite answers in place of a result is a SqliteFailure. */
export interface SqliteConnection {
	/** Runs a statement to its end; nothing of it stays open. Only its first statement counts. */
	rows(sql: string, params?: readonly SqlParam[]): SqlRow[];
	columns(sql: string): QueryColumn[];
	/** For BEGIN and COMMIT. */
	run(sql: string): void;
	close(): void;
}

export interface SqliteDriver {
	readonly name: string;
	/** `uri` is a file: URL that says mode=ro. */
	open(uri: string): SqliteConnection;
}

/** Throws `file-failed` where this Node has no SQLite and libsql is not installed. */
export async function loadDriver(): Promise<SqliteDriver> {
	const driver = loadNodeSqlite() ?? (await loadLibsql());
	if (driver) return driver;
	throw new Fault("file-failed", {
		what: "no SQLite database can be read here",
		why: "this Node.js has no node:sqlite of 22.16 or later, and the package libsql is not installed",
		next: "npm install -g libsql (or use Node.js 22.16 or later)",
	});
}
