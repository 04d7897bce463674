// Rows that other programs add to a SQLite database. Nothing is kept: a cursor names the file and a key in it, so it
// lasts as long as the file does.
import { Fault } from "../../../faults/index.ts";
import type { Source } from "../../source.ts";
import { planMail } from "./apple-mail.ts";
import { planMessages } from "./apple-messages.ts";
import { loadDriver } from "./driver.ts";
import { FollowedDatabase } from "./follow-database.ts";
import type { SqliteOptions } from "./options.ts";
import type { MakePlan, PlannedType } from "./plan.ts";
import { planQuery } from "./query-plan.ts";
import { createRowType } from "./row-type.ts";
import { planTable } from "./table-plan.ts";

const INTERVAL_MS = 250;

/**
 * Follows a database until closed. Faults: `wrong-use` for a table, query or column that cannot be followed, with the
 * reason; `file-failed` where the file cannot be read, or no library can read SQLite here.
 */
export async function openSqliteSource(
	options: SqliteOptions,
): Promise<Source> {
	const { file, clock, intervalMs = INTERVAL_MS, note = () => {} } = options;
	const driver = options.driver ?? (await loadDriver());
	const isPreset = options.preset !== undefined;
	const cursorForm = isPreset ? "v1" : "v2";
	const makePlan = planFor(options);
	let first: PlannedType | undefined;
	const database = new FollowedDatabase({
		file,
		cursorForm,
		clock,
		intervalMs,
		note,
		driver,
		makePlan(connection) {
			const planned = makePlan(connection);
			first ??= planned;
			return planned;
		},
	});
	await database.start();
	if (!first) throw new Error("a database was opened without a plan");
	for (const warning of first.warnings) note(warning);
	const type = createRowType({
		descriptor: first.descriptor,
		database,
		cursorForm,
		servesReplacement: !isPreset,
		clock,
	});
	// Whoever asks first may come while it is locked.
	await type.head({});
	return { types: [type], close: () => database.close() };
}

function planFor(options: SqliteOptions): MakePlan {
	const { table, query, preset } = options;
	const given = [table, query, preset].filter((what) => what !== undefined);
	if (given.length !== 1)
		throw new Fault("wrong-use", {
			what: "serve sqlite needs one of --table, --query and --preset",
			why: `${given.length} of them were given`,
			next: "mcp-events serve sqlite FILE --table NAME",
		});
	if (table !== undefined)
		return (connection) => planTable(connection, { ...options, table });
	if (query !== undefined)
		return (connection) => planQuery(connection, { ...options, query });
	return preset === "apple-mail"
		? (connection) => planMail(connection, options)
		: (connection) => planMessages(connection, options);
}
