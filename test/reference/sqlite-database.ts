// A database that the sqlite3 command line writes, a process of its own each time, and a reader of it through our source.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
	openSqliteSource,
	type SourceType,
	type SqliteOptions,
} from "../../src/reference/index.ts";
import { createManualClock } from "./manual-clock.ts";

export const HAS_SQLITE3 = (() => {
	try {
		execFileSync("sqlite3", ["--version"]);
		return true;
	} catch {
		return false;
	}
})();

/** The machine will not lose its power during the tests. */
const NO_SYNC = "PRAGMA synchronous=OFF";

export interface TestDatabase {
	file: string;
	folder: string;
	/** Has the sqlite3 command run SQL; returns what it printed. */
	sql(text: string, file?: string): string;
	/** Holds the database by `BEGIN EXCLUSIVE` until the returned function is called. */
	lock(): Promise<() => Promise<void>>;
}

/** A new database with these tables, gone when the test is over. */
export function createDatabase(schema: string): TestDatabase {
	const folder = mkdtempSync(join(tmpdir(), "sqlite-source-"));
	const file = join(folder, "it's 50% a #database?.db");
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const sql = (text: string, path = file) =>
		execFileSync("sqlite3", ["-bail", "-cmd", NO_SYNC, path, text], {
			encoding: "utf8",
		});
	sql(schema);
	return { file, folder, sql, lock: () => lockDatabase(file) };
}

async function lockDatabase(file: string) {
	const holder = spawn("sqlite3", [file], { stdio: "pipe" });
	holder.stdin.write("BEGIN EXCLUSIVE; SELECT 'locked';\n");
	await said(holder, "locked");
	return async () => {
		holder.stdin.end("COMMIT;\n");
		await once(holder, "exit");
	};
}

/** Waits until a process has printed this. */
export async function said(
	{ stdout }: ChildProcess,
	text: string,
): Promise<void> {
	let seen = "";
	for await (const chunk of stdout ?? []) {
		seen += chunk;
		if (seen.includes(text)) return;
	}
}

interface Told {
	eventId: string;
	timestamp: string;
	data: Record<string, unknown>;
}

/** Reads on from where it stood, as a stream or a poller would. */
export async function openReader(options: Omit<SqliteOptions, "clock">) {
	const clock = createManualClock();
	const notes: string[] = [];
	const source = await openSqliteSource({
		clock,
		note: (text) => notes.push(text),
		...options,
	});
	onTestFinished(() => source.close());
	const type = source.types[0] as SourceType;
	let cursor = await type.head({});
	const look = (args = {}, request = {}) =>
		type.read({ arguments: args, cursor, limit: 100, ...request });
	return {
		source,
		type,
		clock,
		notes,
		look,
		async read(args = {}, request = {}) {
			const events: Told[] = [];
			let truncated = false;
			for (let hasMore = true; hasMore; ) {
				const batch = await look(args, request);
				events.push(...batch.events.map(({ head }) => JSON.parse(`${head}}`)));
				truncated ||= batch.truncated;
				({ cursor, hasMore } = batch);
				// libsql lets go of the file a moment after it was told to.
				await new Promise(setImmediate);
			}
			return { events, rows: events.map(({ data }) => data), truncated };
		},
		seek: (to: string) => {
			cursor = to;
		},
		cursor: () => cursor,
	};
}
