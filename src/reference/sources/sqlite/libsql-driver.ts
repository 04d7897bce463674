// SQLite by the optional peer libsql, for Node releases without one of their own.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type {
	QueryColumn,
	SqliteConnection,
	SqliteDriver,
	SqlParam,
	SqlRow,
} from "./driver.ts";
import { withFailures } from "./sqlite-failure.ts";

interface Statement {
	safeIntegers(on: boolean): Statement;
	raw(on: boolean): Statement;
	all(params: readonly SqlParam[]): SqlRow[];
	columns(): QueryColumn[];
}

interface Database {
	prepare(sql: string): Statement;
	exec(sql: string): unknown;
	close(): void;
}

type Libsql = new (uri: string) => Database;
type Collect = (options: { type: "minor" }) => void;

/** undefined where it is not installed, or has no binary for this machine. */
export async function loadLibsql(): Promise<SqliteDriver | undefined> {
	try {
		const loaded: unknown = await import("libsql");
		const { default: Database } = loaded as { default: Libsql };
		const collect = findCollector();
		return {
			name: "libsql",
			open: (uri) => openConnection(Database, uri, collect),
		};
	} catch {
		return undefined;
	}
}

/** Its statements hold the file open until they are collected, whatever `close` was told: so they must be collected. */
function findCollector(): Collect {
	setFlagsFromString("--expose-gc");
	return runInNewContext("gc");
}

function openConnection(
	Database: Libsql,
	uri: string,
	collect: Collect,
): SqliteConnection {
	const guarded = <Result>(call: () => Result) => withFailures("rawCode", call);
	// Its option `readonly` does nothing; the address says mode=ro.
	const database = guarded(() => new Database(uri));
	return {
		rows: (sql, params = []) =>
			guarded(() =>
				database.prepare(sql).safeIntegers(true).raw(true).all(params),
			),
		columns: (sql) => guarded(() => database.prepare(sql).columns()),
		run: (sql) =>
			guarded(() => {
				database.exec(sql);
			}),
		close: () => {
			database.close();
			collect({ type: "minor" });
		},
	};
}
