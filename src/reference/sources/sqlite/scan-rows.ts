// One look at the rows behind a key, inside one read transaction of somebody else's making: first the keys, with what
// decides over them, then the rows that were chosen.
import type { SqliteConnection, SqlRow } from "./driver.ts";
import { LEAST_KEY } from "./place.ts";
import type { Judgement, Plan } from "./plan.ts";

export interface ScanRequest {
	after: bigint;
	judgement: Judgement;
	/** At most so many rows are chosen. */
	limit: number;
	/** Rows dated before it are passed over. */
	sinceMs: number | undefined;
	/** True for a key that was put off long enough. */
	isOverdue(key: bigint): boolean;
}

export interface ChosenRow {
	key: bigint;
	/** undefined: the row says no time. */
	at: number | undefined;
	values: SqlRow;
}

export interface Scan {
	chosen: ChosenRow[];
	/** The key up to which all was looked at. */
	end: bigint;
	hasMore: boolean;
	/** Rows that fit were passed over for their age. */
	skippedOld: boolean;
	/** The first row, if any, that is not too old, was seen. */
	reachedFresh: boolean;
	/** The row that cannot be judged yet, and stands in the way. */
	waitsFor: bigint | undefined;
}

const SCAN_ROWS = 1_000;
/** Rows are fetched so many at a time… */
const FETCH_ROWS = 100;
/** …until they have about so many bytes. */
const BATCH_BYTES = 4 * 1024 * 1024;

export function readHead(connection: SqliteConnection, plan: Plan): bigint {
	const [row] = connection.rows(plan.headSql);
	const head = row?.[0];
	return typeof head === "bigint" ? head : LEAST_KEY;
}

/** The row with the least key, as text to compare with another file's; "" where there is none. */
export function readFirstRow(connection: SqliteConnection, plan: Plan): string {
	const [row] = connection.rows(
		`SELECT ${[plan.key, ...plan.values].join(", ")} FROM ${plan.from}
		WHERE ${plan.where ?? "TRUE"} ORDER BY ${plan.key} LIMIT 1`,
	);
	return row ? `${row[0]} ${plan.makeFacts(row.slice(1)).dataText}` : "";
}

export function scanRows(
	connection: SqliteConnection,
	plan: Plan,
	request: ScanRequest,
): Scan {
	const { judgement } = request;
	const rows = connection.rows(
		`SELECT ${[plan.key, plan.time?.expression ?? "NULL", ...judgement.expressions].join(", ")}
		FROM ${plan.from} WHERE ${plan.where ?? "TRUE"} AND ${plan.key} > ?1
		ORDER BY ${plan.key} LIMIT ${SCAN_ROWS}`,
		[request.after, ...judgement.params],
	);
	const walk = chooseRows(rows, plan, request);
	const chosen = fetchValues(connection, plan, walk.chosen);
	const last = chosen.at(-1);
	if (last && chosen.length < walk.chosen.length)
		return { ...walk, chosen, end: last.key, hasMore: true };
	return { ...walk, chosen };
}

type DatedKey = Pick<ChosenRow, "key" | "at">;

function chooseRows(rows: SqlRow[], plan: Plan, request: ScanRequest) {
	const { judgement, limit, sinceMs, isOverdue } = request;
	const walk = {
		chosen: [] as DatedKey[],
		end: request.after,
		hasMore: rows.length === SCAN_ROWS,
		skippedOld: false,
		reachedFresh: false,
		waitsFor: undefined as bigint | undefined,
	};
	for (const [key, time = null, ...values] of rows) {
		if (typeof key !== "bigint") continue;
		// A query may join several rows to one key; the first stands for it.
		if (key === walk.end && key !== request.after) continue;
		const verdict = judgement.judge(values, isOverdue(key));
		if (verdict === "later") return { ...walk, hasMore: false, waitsFor: key };
		const at = plan.time?.read(time);
		const isOld = sinceMs !== undefined && at !== undefined && at < sinceMs;
		if (!isOld) walk.reachedFresh = true;
		if (verdict === "fits" && isOld) walk.skippedOld = true;
		if (verdict === "fits" && !isOld) {
			// Only another row that fits is more: a needless poll costs a round trip.
			if (walk.chosen.length === limit) return { ...walk, hasMore: true };
			walk.chosen.push({ key, at });
		}
		walk.end = key;
	}
	return walk;
}

function fetchValues(
	connection: SqliteConnection,
	plan: Plan,
	wanted: readonly DatedKey[],
): ChosenRow[] {
	const found: ChosenRow[] = [];
	let bytes = 0;
	for (let start = 0; start < wanted.length; start += FETCH_ROWS) {
		if (bytes > BATCH_BYTES) break;
		const some = wanted.slice(start, start + FETCH_ROWS);
		const places = some.map((_row, index) => `?${index + 1}`).join(", ");
		const rows = connection.rows(
			`SELECT ${[plan.key, ...plan.values].join(", ")} FROM ${plan.from}
			WHERE ${plan.where ?? "TRUE"} AND ${plan.key} IN (${places})`,
			some.map(({ key }) => key),
		);
		const byKey = new Map(rows.map(([key, ...values]) => [key, values]));
		for (const { key, at } of some) {
			const values = byKey.get(key);
			if (!values) continue;
			bytes += sizeOf(values);
			found.push({ key, at, values });
		}
	}
	return found;
}

const sizeOf = (values: SqlRow) =>
	values.reduce<number>(
		(sum, value) => sum + (value instanceof Uint8Array ? value.length : 8),
		0,
	);
