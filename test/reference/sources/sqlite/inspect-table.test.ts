import { describe, expect, it } from "vitest";
import {
	createDatabase,
	HAS_SQLITE3,
	openReader,
} from "../../sqlite-database.ts";

const open = (file: string) => openReader({ file, table: "t" });

describe.skipIf(!HAS_SQLITE3)("a table (skipped without sqlite3)", () => {
	it.each([
		[
			"a view",
			"CREATE TABLE o (id INTEGER PRIMARY KEY); CREATE VIEW t AS SELECT * FROM o",
			"it is a view",
		],
		[
			"WITHOUT ROWID",
			"CREATE TABLE t (id INTEGER PRIMARY KEY) WITHOUT ROWID",
			"WITHOUT ROWID",
		],
		[
			"a virtual table",
			"CREATE VIRTUAL TABLE t USING fts5(a)",
			"virtual table",
		],
		["no key", "CREATE TABLE t (a)", "no PRIMARY KEY"],
		[
			"a key of two columns",
			"CREATE TABLE t (a INTEGER, b INTEGER, PRIMARY KEY (a, b))",
			"of 2 columns",
		],
		["a key of text", "CREATE TABLE t (a TEXT PRIMARY KEY)", "a (TEXT)"],
		[
			"INT, which is not INTEGER",
			"CREATE TABLE t (a INT PRIMARY KEY)",
			"a (INT)",
		],
		[
			"DESC, which makes it no alias of the rowid",
			"CREATE TABLE t (a INTEGER PRIMARY KEY DESC)",
			"not declared INTEGER PRIMARY KEY",
		],
		["no such table", "CREATE TABLE tt (a INTEGER PRIMARY KEY)", "it has tt"],
		["an empty database", "PRAGMA user_version=1", "it has no tables"],
	])("is refused with the reason: %s", async (_what, schema, why) => {
		const { file } = createDatabase(schema);
		await expect(open(file)).rejects.toMatchObject({
			code: "wrong-use",
			why: expect.stringContaining(why),
		});
	});

	it("that is a part of a virtual table is refused", async () => {
		const { file } = createDatabase("CREATE VIRTUAL TABLE f USING fts5(a)");
		await expect(openReader({ file, table: "f_data" })).rejects.toMatchObject({
			why: expect.stringContaining("part of a virtual table"),
		});
	});

	it.each([
		["plain", "CREATE TABLE t (id INTEGER PRIMARY KEY)", 1],
		[
			"in lower case, named apart",
			"create table t (a, id integer, primary key (id))",
			1,
		],
		["STRICT", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT) STRICT", 1],
		[
			"with computed columns",
			"CREATE TABLE t (id INTEGER PRIMARY KEY, a AS (id * 2), b AS (id) STORED)",
			1,
		],
		[
			"AUTOINCREMENT",
			"CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT)",
			0,
		],
		[
			"AUTOINCREMENT in words only",
			"CREATE TABLE t (id INTEGER PRIMARY KEY, a DEFAULT 'AUTOINCREMENT') -- AUTOINCREMENT",
			1,
		],
	])("is followed: %s", async (_what, schema, warnings) => {
		const { file, sql } = createDatabase(schema);
		const reader = await open(file);
		expect(reader.notes).toHaveLength(warnings);
		sql("INSERT INTO t (id) VALUES (7)");
		expect((await reader.read()).rows).toMatchObject([{ id: 7 }]);
	});

	it("that is nearly the name is offered", async () => {
		const { file } = createDatabase(
			"CREATE TABLE Orders (id INTEGER PRIMARY KEY)",
		);
		await expect(openReader({ file, table: "order" })).rejects.toMatchObject({
			next: "--table Orders",
		});
	});

	it.each([
		[{ idColumn: "uid" }, "--id-column uid names no column"],
		[{ timestampColumn: "when" }, "--timestamp-column when names no column"],
		[{ table: undefined }, "needs one of --table, --query and --preset"],
		[{ query: "SELECT 1" }, "needs one of --table, --query and --preset"],
	])("with options that do not fit is refused: %j", async (more, what) => {
		const { file } = createDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY)");
		await expect(
			openReader({ file, table: "t", ...more }),
		).rejects.toMatchObject({
			code: "wrong-use",
			what: expect.stringContaining(what),
		});
	});
});
