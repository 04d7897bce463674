import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
	createDatabase,
	HAS_SQLITE3,
	openReader,
} from "../../sqlite-database.ts";

const SHOP = `CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
	CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, customer INT, total REAL);
	INSERT INTO customer VALUES (1, 'Ada'), (2, 'Bob')`;
const ORDERS =
	"INSERT INTO orders (customer, total) VALUES (1, 5), (2, 50), (1, 500)";

describe.skipIf(!HAS_SQLITE3)("a query (skipped without sqlite3)", () => {
	it.each([
		["plain", "SELECT id, total FROM orders WHERE total > 10"],
		[
			"with a semicolon and a space",
			"SELECT id, total FROM orders WHERE total > 10 ; ",
		],
		[
			"with a comment at its end",
			"SELECT id, total FROM orders WHERE total > 10 -- large; ones",
		],
		[
			"with a WITH",
			"WITH large AS (SELECT * FROM orders WHERE total > 10) SELECT id, total FROM large",
		],
		[
			"with an order of its own",
			"SELECT id, total FROM orders WHERE total > 10 ORDER BY total DESC",
		],
	])("is scanned by its key: %s", async (_what, query) => {
		const { file, sql } = createDatabase(SHOP);
		const reader = await openReader({ file, query });
		sql(ORDERS);
		expect((await reader.read()).rows).toEqual([
			{ id: 2, total: 50 },
			{ id: 3, total: 500 },
		]);
		expect((await reader.read()).rows).toEqual([]);
	});

	it("may join tables, name its key otherwise, and be filtered", async () => {
		const { file, sql } = createDatabase(SHOP);
		const query = `SELECT o.id AS "order no", c.name, o.total FROM orders o JOIN customer c ON c.id = o.customer`;
		const reader = await openReader({ file, query, eventName: "order.placed" });
		sql(ORDERS);
		const { events } = await reader.read({ name: "Ada" });
		expect(events).toMatchObject([
			{ name: "order.placed", data: { "order no": 1, name: "Ada", total: 5 } },
			{
				name: "order.placed",
				data: { "order no": 3, name: "Ada", total: 500 },
			},
		]);
	});

	it("with two keys is asked which", async () => {
		const { file, sql } = createDatabase(SHOP);
		const query =
			"SELECT o.id AS o, c.id AS c FROM orders o JOIN customer c ON c.id = o.customer";
		await expect(openReader({ file, query })).rejects.toMatchObject({
			what: expect.stringContaining("several columns"),
			next: "--key-column o",
		});
		const reader = await openReader({ file, query, keyColumn: "O" });
		sql(ORDERS);
		expect((await reader.read()).rows).toHaveLength(3);
	});

	it("that joins several rows to one key gives one of them", async () => {
		const { file, sql } = createDatabase(SHOP);
		const query = "SELECT o.id FROM orders o JOIN customer";
		const reader = await openReader({ file, query });
		sql(ORDERS);
		expect((await reader.read()).rows).toEqual([
			{ id: 1 },
			{ id: 2 },
			{ id: 3 },
		]);
	});

	it.each([
		["nothing", ""],
		["no SQL", "orders please"],
		["a DELETE", "DELETE FROM orders RETURNING id"],
		["an INSERT", "INSERT INTO orders (total) VALUES (1) RETURNING id"],
		[
			"a WITH that deletes",
			"WITH x AS (SELECT 1) DELETE FROM orders RETURNING id",
		],
		["a PRAGMA", "PRAGMA user_version = 7"],
		["a PRAGMA that asks", "PRAGMA table_info(orders)"],
		["an EXPLAIN", "EXPLAIN SELECT id FROM orders"],
		["an ATTACH", "ATTACH 'new.db' AS n"],
		["a BEGIN", "BEGIN IMMEDIATE"],
		["two statements", "SELECT id FROM orders; DELETE FROM orders"],
		[
			"brackets that close ours",
			"SELECT id FROM orders) ; DELETE FROM orders; SELECT id FROM (orders",
		],
		["brackets that leave the scan out", "SELECT id FROM orders) -- "],
		["a comment that does not end", "SELECT id FROM orders /* "],
		["a text that does not end", "SELECT id FROM orders WHERE '"],
		["no such table", "SELECT id FROM nowhere"],
		["no key", "SELECT total FROM orders"],
		["a computed key", "SELECT id + 0 AS id FROM orders"],
		[
			"a key that is counted",
			"SELECT max(id) AS id FROM orders GROUP BY customer",
		],
		[
			"two columns of one name",
			"SELECT o.id, c.ID FROM orders o JOIN customer c",
		],
	])("is refused where it is %s", async (_what, query) => {
		const { file, folder, sql } = createDatabase(SHOP);
		sql(ORDERS);
		await expect(openReader({ file, query })).rejects.toMatchObject({
			code: "wrong-use",
		});
		expect(sql("SELECT count(*) FROM orders; PRAGMA user_version")).toBe(
			"3\n0\n",
		);
		expect(existsSync(join(folder, "new.db"))).toBe(false);
	});
});
