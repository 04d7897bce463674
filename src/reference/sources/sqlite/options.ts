// What `openSqliteSource` is asked for: one of a table, a query or a preset, and how its rows become events.
import type { Clock } from "../../clock.ts";
import type { SqliteDriver } from "./driver.ts";
import type { TimestampFormat } from "./timestamps.ts";

/** Databases whose tables are known: Mail's "Envelope Index" and Messages' chat.db. */
export const SQLITE_PRESETS = ["apple-mail", "apple-messages"] as const;
export type SqlitePreset = (typeof SQLITE_PRESETS)[number];

export interface SqliteOptions {
	/** The database file; it must exist when the source is opened. */
	file: string;
	/** Exactly one of these three. */
	table?: string | undefined;
	/** One SELECT; its rows are scanned by a column that is some table's INTEGER PRIMARY KEY. */
	query?: string | undefined;
	preset?: SqlitePreset | undefined;
	/** Which column of the query is the key, where it has more than one that could be. */
	keyColumn?: string | undefined;
	/** The column that is the eventId; by default that is made of the file's identity and the key. */
	idColumn?: string | undefined;
	/** The column that says when it happened; without it, and where it says nothing, the time of the scan. */
	timestampColumn?: string | undefined;
	/** What stands in that column; by default ISO text, or a number of seconds or milliseconds since 1970. */
	timestampFormat?: TimestampFormat | undefined;
	eventName?: string | undefined;
	/** Refuse a subscription to everything: the inputSchema demands one filter at least. */
	requireFilter?: boolean | undefined;
	clock: Clock;
	/** How often to look, whether or not the system tells of a change. */
	intervalMs?: number | undefined;
	/** For what the operator should know. */
	note?: ((text: string) => void) | undefined;
	/** By default node:sqlite, or else libsql. */
	driver?: SqliteDriver | undefined;
}
