import { describe, expect, it } from "vitest";
import { findProblems } from "../../../../src/arguments/index.ts";
import {
	createDatabase,
	HAS_SQLITE3,
	openReader,
} from "../../sqlite-database.ts";

const ANY = "CREATE TABLE t (id INTEGER PRIMARY KEY, v)";

describe.skipIf(!HAS_SQLITE3)(
	"a value as JSON (skipped without sqlite3)",
	() => {
		it("is what SQLite holds, whatever its type", async () => {
			const values: [string, unknown][] = [
				["NULL", null],
				["42", 42],
				["9007199254740991", 9_007_199_254_740_991],
				["9007199254740993", "9007199254740993"],
				["-9223372036854775808", "-9223372036854775808"],
				["1.5", 1.5],
				["1e300", 1e300],
				["9e999", "Infinity"],
				["-9e999", "-Infinity"],
				["0.0 / 0.0", null],
				["'text'", "text"],
				["''", ""],
				["'quote\" line' || char(10) || 'end'", 'quote" line\nend'],
				["'nul' || char(0) || 'inside'", "nul\0inside"],
				["CAST(x'61ff62' AS TEXT)", "a\uFFFDb"],
				["char(128512)", "😀"],
				["x'00ff10'", "AP8Q"],
				["x''", ""],
			];
			const { file, sql } = createDatabase(ANY);
			const reader = await openReader({ file, table: "t" });
			const made = values.map(([text]) => `(${text})`).join(", ");
			sql(`INSERT INTO t (v) VALUES ${made}`);
			const { rows } = await reader.read();
			expect(rows.map(({ v }, index) => [values[index]?.[0], v])).toEqual(
				values,
			);
			const schema = reader.type.descriptor.payloadSchema;
			for (const row of rows)
				expect(await findProblems(row, schema)).toEqual([]);
		});

		it.each(["UTF-16le", "UTF-16be"])(
			"text of a database in %s",
			async (encoding) => {
				const { file, sql } = createDatabase(
					`PRAGMA encoding='${encoding}'; CREATE TABLE t (id INTEGER PRIMARY KEY, "Größe" TEXT)`,
				);
				const reader = await openReader({ file, table: "t" });
				sql("INSERT INTO t VALUES (1, 'łódź 😀')");
				expect((await reader.read({ Größe: "łódź 😀" })).rows).toEqual([
					{ id: 1, Größe: "łódź 😀" },
				]);
			},
		);

		it("is bounded: a long text is cut between characters, a long BLOB left out, and both are named", async () => {
			const { file, sql } = createDatabase(
				'CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, "$cut", c)',
			);
			const reader = await openReader({ file, table: "t" });
			sql(
				"INSERT INTO t VALUES (1, replace(hex(zeroblob(20000)), '0', 'ä'), zeroblob(10000000), 'mine', 'short')",
			);
			const [row] = (await reader.read()).rows;
			expect(row).toMatchObject({
				b: null,
				$cut: "mine",
				c: "short",
				$$cut: ["a", "b"],
			});
			expect(row?.a).toBe("ä".repeat(16 * 1024));
		});

		it("is bounded in the sum of a row, far below what a webhook may carry", async () => {
			const names = Array.from({ length: 20 }, (_, index) => `c${index}`);
			const { file, sql } = createDatabase(
				`CREATE TABLE t (id INTEGER PRIMARY KEY, ${names.join(", ")})`,
			);
			const reader = await openReader({ file, table: "t" });
			sql(
				`INSERT INTO t VALUES (1, ${names.map(() => "hex(zeroblob(15000))").join(", ")})`,
			);
			const batch = await reader.look();
			expect(batch.events[0]?.head.length).toBeLessThan(128 * 1024);
		});
	},
);

describe.skipIf(!HAS_SQLITE3)("names that are no plain words", () => {
	it.each([
		"select",
		'a "quoted" name',
		"it's",
		"x; DROP TABLE t",
		"ünï",
		"__proto__",
		"a]b`c",
	])("%s, as a table and as a column", async (name) => {
		const quoted = `"${name.replaceAll('"', '""')}"`;
		const { file, sql } = createDatabase(
			`CREATE TABLE ${quoted} (id INTEGER PRIMARY KEY AUTOINCREMENT, ${quoted} TEXT)`,
		);
		const reader = await openReader({ file, table: name });
		sql(`INSERT INTO ${quoted} (${quoted}) VALUES ('a'), ('b')`);
		const args = JSON.parse(`{${JSON.stringify(name)}: "b"}`);
		const { rows } = await reader.read(args);
		expect(rows.map((row) => Object.entries(row))).toEqual([
			[
				["id", 2],
				[name, "b"],
			],
		]);
	});
});

describe.skipIf(!HAS_SQLITE3)("arguments", () => {
	const SCHEMA = `CREATE TABLE t (id INTEGER PRIMARY KEY, kind TEXT COLLATE NOCASE, price REAL, units INT,
		paid BOOLEAN, made DATETIME, photo BLOB)`;
	const ROWS =
		"INSERT INTO t VALUES (1, 'Tea', 2.5, 10, 1, '2026-10-01', x'00'), (2, 'cake', 3, 20, 0, 5, NULL), (3, NULL, NULL, NULL, NULL, NULL, NULL)";

	it.each([
		[{}, [1, 2, 3]],
		[{ kind: "tea" }, [1]],
		[{ kind: "Tea' OR 1=1 --" }, []],
		[{ price: 3 }, [2]],
		[{ price: 2.5, units: 10 }, [1]],
		[{ units: 20, kind: "tea" }, []],
		[{ paid: true }, [1]],
		[{ paid: false }, [2]],
		[{ made: "2026-10-01" }, [1]],
		[{ made: 5 }, [2]],
		[{ id: 3 }, [3]],
	])("%j filter by equality", async (args, ids) => {
		const { file, sql } = createDatabase(SCHEMA);
		const reader = await openReader({ file, table: "t" });
		sql(ROWS);
		expect(
			await findProblems(args, reader.type.descriptor.inputSchema),
		).toEqual([]);
		const { rows } = await reader.read(args);
		expect(rows.map(({ id }) => id)).toEqual(ids);
	});

	it.each([
		{ kind: 5 },
		{ units: "ten" },
		{ paid: 1 },
		{ photo: "AA==" },
		{ rowid: 1 },
		{ kind: null },
	])("%j do not fit the inputSchema", async (args) => {
		const { file } = createDatabase(SCHEMA);
		const { type } = await openReader({ file, table: "t" });
		expect(await findProblems(args, type.descriptor.inputSchema)).not.toEqual(
			[],
		);
	});

	it("must be given, one at least, where that is required", async () => {
		const { file } = createDatabase(SCHEMA);
		const { type } = await openReader({
			file,
			table: "t",
			requireFilter: true,
		});
		const { inputSchema } = type.descriptor;
		expect(await findProblems({}, inputSchema)).not.toEqual([]);
		expect(await findProblems({ kind: "tea" }, inputSchema)).toEqual([]);
		expect(inputSchema.anyOf).toContainEqual({ required: ["kind"] });
	});
});
