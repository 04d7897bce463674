// SQLite by Node's own node:sqlite, from the release on that has all we use.
import type {
	QueryColumn,
	SqliteConnection,
	SqliteDriver,
	SqlParam,
	SqlRow,
} from "./driver.ts";
import { withFailures } from "./sqlite-failure.ts";

interface Statement {
	all(...params: SqlParam[]): SqlRow[];
	columns(): QueryColumn[];
	setReadBigInts(on: boolean): void;
	setReturnArrays(on: boolean): void;
}

interface Database {
	prepare(sql: string): Statement;
	exec(sql: string): void;
	close(): void;
}

interface NodeSqlite {
	DatabaseSync: new (path: string, options: { readOnly: boolean }) => Database;
	StatementSync: { prototype: object };
}

/** undefined where this Node has none, or one that lacks what came with 22.16. */
export function loadNodeSqlite(): SqliteDriver | undefined {
	const sqlite = loadQuietly();
	if (!sqlite || !("setReturnArrays" in sqlite.StatementSync.prototype))
		return undefined;
	return {
		name: "node:sqlite",
		open: (uri) => openConnection(sqlite, uri),
	};
}

/** Node 22 warns that it is experimental; whoever reads our stderr can do nothing about that. */
function loadQuietly(): NodeSqlite | undefined {
	const { emitWarning } = process;
	process.emitWarning = () => {};
	try {
		return process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
	} finally {
		process.emitWarning = emitWarning;
	}
}

function openConnection(sqlite: NodeSqlite, uri: string): SqliteConnection {
	const guarded = <Result>(call: () => Result) => withFailures("errcode", call);
	const database = guarded(
		() => new sqlite.DatabaseSync(uri, { readOnly: true }),
	);
	return {
		rows: (sql, params = []) =>
			guarded(() => {
				const statement = database.prepare(sql);
				statement.setReadBigInts(true);
				statement.setReturnArrays(true);
				return statement.all(...params);
			}),
		columns: (sql) => guarded(() => database.prepare(sql).columns()),
		run: (sql) => guarded(() => database.exec(sql)),
		close: () => database.close(),
	};
}
