import { createHash } from "node:crypto";
import {
	existsSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
	openSqliteSource,
	type SourceType,
} from "../../../../src/reference/index.ts";
import { createManualClock } from "../../manual-clock.ts";
import {
	createDatabase,
	HAS_SQLITE3,
	openReader,
} from "../../sqlite-database.ts";

const ORDERS =
	"CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT, at)";

/** Where Linux lists what a process has open. */
const FDS = "/proc/self/fd";

const add = (...items: string[]) =>
	`INSERT INTO orders (item) VALUES ${items.map((item) => `('${item}')`).join(", ")}`;

const items = ({ rows }: { rows: Record<string, unknown>[] }) =>
	rows.map(({ item }) => item);

describe.skipIf(!HAS_SQLITE3)(
	"a table that grows (skipped without sqlite3)",
	() => {
		it("gives each row once, from now on, with the file and the key as its id", async () => {
			const { file, sql } = createDatabase(ORDERS);
			sql(add("old"));
			const reader = await openReader({ file, table: "ORDERS" });
			expect(await reader.read()).toMatchObject({
				events: [],
				truncated: false,
			});
			sql(add("one", "two"));
			const { events } = await reader.read();
			expect(events).toMatchObject([
				{ name: "orders.added", data: { id: 2, item: "one", at: null } },
				{ name: "orders.added", data: { id: 3, item: "two", at: null } },
			]);
			expect(`v2.${events[1]?.eventId}`).toBe(reader.cursor());
			expect(items(await reader.read())).toEqual([]);
		});

		it.each(["wal", "delete", "truncate", "persist"])(
			"with the journal mode %s, and its bytes stay what they were",
			async (mode) => {
				const { file, sql } = createDatabase(
					`PRAGMA journal_mode=${mode}; ${ORDERS}`,
				);
				sql(add("old"));
				const hash = () =>
					createHash("sha256").update(readFileSync(file)).digest("hex");
				const before = hash();
				const reader = await openReader({ file, table: "orders" });
				await reader.read();
				expect(hash()).toBe(before);
				sql(add("new"));
				expect(items(await reader.read())).toEqual(["new"]);
			},
		);

		it("keeps the id and the bytes of an event, whenever it is read", async () => {
			const { file, sql } = createDatabase(ORDERS);
			const reader = await openReader({
				file,
				table: "orders",
				timestampColumn: "at",
			});
			const start = reader.cursor();
			sql("INSERT INTO orders (item, at) VALUES ('a', '2026-10-01 12:00:00')");
			const first = await reader.look();
			const again = await openReader({
				file,
				table: "orders",
				timestampColumn: "at",
			});
			again.seek(start);
			expect((await again.look()).events).toEqual(first.events);
			expect(first.events[0]?.head).toContain("2026-10-01T12:00:00.000Z");
		});

		it("takes a column as id where it can stand in a header, and its own where it cannot", async () => {
			const { file, sql } = createDatabase(ORDERS);
			const reader = await openReader({
				file,
				table: "orders",
				idColumn: "item",
			});
			sql(
				`${add("evt_1", "two words", "")}; INSERT INTO orders (item) VALUES (NULL)`,
			);
			const ids = (await reader.read()).events.map(({ eventId }) => eventId);
			expect(ids[0]).toBe("evt_1");
			for (const [index, id] of ids.slice(1).entries())
				expect(id).toMatch(new RegExp(`^\\d+-\\d+-\\d+\\.${index + 2}$`));
		});

		it("scans a thousand rows a call: what fits comes later, and the cursor goes on meanwhile", async () => {
			const { file, sql } = createDatabase(ORDERS);
			const reader = await openReader({ file, table: "orders" });
			sql(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
			INSERT INTO orders (item) SELECT iif(i = 2500, 'wanted', 'other') FROM n`);
			const batch = await reader.look({ item: "wanted" });
			expect(batch).toMatchObject({
				events: [],
				hasMore: true,
				truncated: false,
			});
			expect(batch.cursor).toMatch(/\.1000$/);
			const { rows } = await reader.read({ item: "wanted" });
			expect(rows).toMatchObject([{ id: 2500 }]);
		});

		it("says that there is more only where another row fits", async () => {
			const { file, sql } = createDatabase(ORDERS);
			const reader = await openReader({ file, table: "orders" });
			sql(add("a", "b", "a"));
			const all = { hasMore: false, cursor: expect.stringMatching(/\.3$/) };
			expect(await reader.look({}, { limit: 2 })).toMatchObject({
				hasMore: true,
			});
			expect(await reader.look({ item: "b" }, { limit: 1 })).toMatchObject(all);
			expect(await reader.look({ item: "a" }, { limit: 2 })).toMatchObject(all);
		});

		it("leaves nothing open between calls, nor after it is closed", async () => {
			const { file, folder, sql } = createDatabase(
				`PRAGMA journal_mode=wal; ${ORDERS}`,
			);
			const reader = await openReader({ file, table: "orders" });
			sql(add("a"));
			await reader.read();
			await new Promise(setImmediate);
			if (existsSync(FDS)) expect(openFiles(folder)).toEqual([]);
			// The last who leaves takes the log away, which a reader would keep it from.
			sql(add("b"));
			expect(existsSync(`${file}-wal`)).toBe(false);
			reader.source.close();
			expect(reader.clock.timers).toBe(0);
		});
	},
);

const openFiles = (folder: string) =>
	readdirSync(FDS).filter((fd) => {
		try {
			return readlinkSync(join(FDS, fd)).startsWith(folder);
		} catch {
			return false;
		}
	});

describe.skipIf(!HAS_SQLITE3)("keys", () => {
	it("are exact to 64 bits, and may be negative", async () => {
		const { file, sql } = createDatabase(
			"CREATE TABLE t (k INTEGER PRIMARY KEY)",
		);
		const reader = await openReader({ file, table: "t" });
		sql(
			"INSERT INTO t VALUES (-9223372036854775807), (-1), (9007199254740993), (9223372036854775806)",
		);
		const { rows } = await reader.read();
		expect(rows).toEqual([
			{ k: "-9223372036854775807" },
			{ k: -1 },
			{ k: "9007199254740993" },
			{ k: "9223372036854775806" },
		]);
		expect(reader.cursor()).toMatch(/\.9223372036854775806$/);
		sql("INSERT INTO t VALUES (9223372036854775807)");
		expect((await reader.read()).rows).toEqual([{ k: "9223372036854775807" }]);
	});

	it("stay behind the cursor when the last rows are deleted, with AUTOINCREMENT", async () => {
		const { file, sql } = createDatabase(ORDERS);
		const reader = await openReader({ file, table: "orders" });
		sql(add("a", "b", "c"));
		await reader.read();
		sql(`DELETE FROM orders; VACUUM; ${add("d")}`);
		expect(await reader.read()).toMatchObject({
			rows: [{ id: 4, item: "d" }],
			truncated: false,
		});
		expect(reader.notes).toEqual([]);
	});

	it("are given again without AUTOINCREMENT: said at the start, and told as a gap when the head falls below the cursor", async () => {
		const { file, sql } = createDatabase(
			"CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT)",
		);
		const reader = await openReader({ file, table: "orders" });
		expect(reader.notes).toEqual([expect.stringContaining("no AUTOINCREMENT")]);
		sql(add("a", "b", "c"));
		const before = await reader.read();
		sql("DELETE FROM orders WHERE id > 1");
		expect(await reader.read()).toMatchObject({ rows: [], truncated: true });
		sql(add("d"));
		const after = await reader.read();
		expect(after).toMatchObject({
			rows: [{ id: 2, item: "d" }],
			truncated: false,
		});
		expect(after.events[0]?.eventId).toBe(`${before.events[1]?.eventId}.1`);
	});
});

describe.skipIf(!HAS_SQLITE3)("a cursor", () => {
	it("beyond the head is told as a gap, with a fresh one", async () => {
		const { file, sql } = createDatabase(ORDERS);
		sql(add("a"));
		const reader = await openReader({ file, table: "orders" });
		const fresh = reader.cursor();
		reader.seek(fresh.replace(/\.1$/, ".99"));
		expect(await reader.look()).toMatchObject({
			from: fresh,
			events: [],
			cursor: fresh,
			truncated: true,
		});
	});

	it("of a file that was never seen here is told as a gap, and goes on from now", async () => {
		const { file, sql } = createDatabase(ORDERS);
		sql(add("a"));
		const reader = await openReader({ file, table: "orders" });
		const fresh = reader.cursor();
		reader.seek("v2.1-2-3.0");
		expect(await reader.look()).toMatchObject({ from: fresh, truncated: true });
	});

	it.each(["", "v1.1-2.3", "v2.1-2-3.x", "v2.1-2-3.99999999999999999999"])(
		"that does not parse is refused as InvalidParams: %j",
		async (cursor) => {
			const { file } = createDatabase(ORDERS);
			const reader = await openReader({ file, table: "orders" });
			reader.seek(cursor);
			await expect(reader.look()).rejects.toMatchObject({
				error: "InvalidParams",
			});
		},
	);

	it("of a file that a copy of it took the place of goes on behind the same key, told as a gap", async () => {
		const { file, folder, sql } = createDatabase(
			`PRAGMA journal_mode=wal; ${ORDERS}`,
		);
		const copy = join(folder, "copy.db");
		const reader = await openReader({ file, table: "orders" });
		sql(add("a", "b"));
		await reader.read();
		sql(`VACUUM INTO '${copy}'`);
		sql(add("c"), copy);
		renameSync(copy, file);
		expect(await reader.read()).toMatchObject({
			rows: [{ id: 3, item: "c" }],
			truncated: true,
		});
	});

	it("of a file that another database took the place of begins at its first row, told as a gap", async () => {
		const { file, folder, sql } = createDatabase(ORDERS);
		const other = join(folder, "other.db");
		const reader = await openReader({ file, table: "orders" });
		sql(add("a", "b"));
		await reader.read();
		sql(`${ORDERS}; ${add("x", "y", "z")}`, other);
		renameSync(other, file);
		const { rows, truncated } = await reader.read();
		expect([items({ rows }), truncated]).toEqual([["x", "y", "z"], true]);
	});

	it("of a deleted file does not fit one that got its inode", async () => {
		const { file, sql } = createDatabase(ORDERS);
		const reader = await openReader({ file, table: "orders" });
		sql(add("a"));
		await reader.read();
		rmSync(file);
		sql(`${ORDERS}; ${add("x")}`);
		expect(await reader.read()).toMatchObject({
			rows: [{ item: "x" }],
			truncated: true,
		});
	});
});

describe.skipIf(!HAS_SQLITE3)(
	"a database that cannot be read for a while",
	() => {
		it("locked: nothing is lost, whoever waits is woken, and it is told once", async () => {
			const { file, sql, lock } = createDatabase(ORDERS);
			const reader = await openReader({ file, table: "orders" });
			let wakes = 0;
			reader.type.watch({}, () => wakes++);
			sql(add("a"));
			const release = await lock();
			expect(await reader.look()).toMatchObject({ events: [], hasMore: false });
			await reader.clock.advance(5_000);
			expect(reader.notes).toEqual([
				expect.stringContaining("cannot be read for now"),
			]);
			wakes = 0;
			await release();
			await reader.clock.advance(250);
			expect(wakes).toBe(1);
			expect(items(await reader.read())).toEqual(["a"]);
			expect(reader.notes.slice(1)).toEqual([
				expect.stringContaining("can be read again"),
			]);
		});

		it("locked when somebody first asks: they begin where it stood at the start", async () => {
			const { file, sql, lock } = createDatabase(`${ORDERS}; ${add("a")}`);
			const clock = createManualClock();
			const options = { file, table: "orders", clock };
			const source = await openSqliteSource(options);
			onTestFinished(() => source.close());
			const [type] = source.types as [SourceType];
			sql(add("b"));
			const release = await lock();
			const cursor = await type.head({});
			expect(cursor).toMatch(/^v2\..*\.1$/);
			await release();
			const { events } = await type.read({ arguments: {}, cursor, limit: 9 });
			expect(
				events.map(({ head }) => JSON.parse(`${head}}`).data.item),
			).toEqual(["b"]);
		});

		it("missing: the cursor holds until it is there again", async () => {
			const { file, sql } = createDatabase(ORDERS);
			const reader = await openReader({ file, table: "orders" });
			sql(add("a"));
			renameSync(file, `${file}.away`);
			const cursor = reader.cursor();
			expect(await reader.type.head({})).toBe(cursor);
			expect(await reader.look()).toMatchObject({
				events: [],
				cursor,
				truncated: false,
			});
			await reader.clock.advance(3_000);
			expect(reader.notes).toEqual([
				expect.stringContaining("there is no database"),
			]);
			renameSync(`${file}.away`, file);
			expect(await reader.read()).toMatchObject({
				rows: [{ item: "a" }],
				truncated: false,
			});
		});

		it("without its table: as if it were missing", async () => {
			const { file, sql } = createDatabase(ORDERS);
			const reader = await openReader({ file, table: "orders" });
			sql("ALTER TABLE orders RENAME TO gone");
			expect(await reader.look()).toMatchObject({ events: [] });
			await reader.clock.advance(3_000);
			expect(reader.notes).toEqual([
				expect.stringContaining('no table "orders"'),
			]);
			sql(
				`ALTER TABLE gone RENAME TO orders; ALTER TABLE orders ADD COLUMN more; ${add("a")}`,
			);
			expect((await reader.read()).rows).toMatchObject([
				{ item: "a", more: null },
			]);
		});

		it("no database at all: a fault at the start", async () => {
			const { folder } = createDatabase(ORDERS);
			for (const file of [
				join(folder, "none.db"),
				folder,
				import.meta.filename,
			])
				await expect(
					openReader({ file, table: "orders" }),
				).rejects.toMatchObject({
					code: "file-failed",
				});
		});
	},
);

describe.skipIf(!HAS_SQLITE3)("the age of rows", () => {
	const OLD = "INSERT INTO orders (item, at) VALUES ('old', 1000000000)";
	const sinceMs = 1_500_000_000_000;

	it("leaves out what is dated before the limit, told as a gap, however many they are", async () => {
		const { file, sql } = createDatabase(ORDERS);
		const reader = await openReader({
			file,
			table: "orders",
			timestampColumn: "at",
		});
		sql(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
			INSERT INTO orders (item, at) SELECT 'old', 1000000000 FROM n;
			INSERT INTO orders (item, at) VALUES ('new', 1790856000); ${OLD}`);
		const batch = await reader.look({}, { sinceMs });
		expect(batch).toMatchObject({ truncated: true, hasMore: false });
		expect(batch.events).toMatchObject([
			{ head: expect.stringContaining('"item":"new"') },
		]);
	});

	it("never leaves out a row without a date, which has the time of the scan", async () => {
		const { file, sql } = createDatabase(ORDERS);
		const reader = await openReader({
			file,
			table: "orders",
			timestampColumn: "at",
		});
		sql("INSERT INTO orders (item, at) VALUES ('a', NULL), ('b', 'some day')");
		const { events, truncated } = await reader.read({}, { sinceMs });
		const now = new Date(reader.clock.now()).toISOString();
		expect(events.map(({ timestamp }) => timestamp)).toEqual([now, now]);
		expect(truncated).toBe(false);
	});

	it("is no matter of rows that the filter leaves out", async () => {
		const { file, sql } = createDatabase(ORDERS);
		const reader = await openReader({
			file,
			table: "orders",
			timestampColumn: "at",
		});
		sql(OLD);
		expect(await reader.look({ item: "new" }, { sinceMs })).toMatchObject({
			truncated: false,
		});
	});
});
