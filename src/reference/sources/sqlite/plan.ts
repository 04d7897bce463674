// How the rows of one database become events: what to ask it, and what to make of the answer. A table, a query and each
// preset have a plan of their own; the scan is the same for all.
import type { EventArguments, TypeDescriptor } from "../../source.ts";
import type { SqliteConnection, SqlParam, SqlRow } from "./driver.ts";

/** `later`: cannot be told yet, because what belongs to the row is not written yet. */
export type Verdict = "fits" | "unfit" | "later";

/** How a row is held against a subscription's arguments. */
export interface Judgement {
	/** SQL expressions over the row, with ?2 and up as parameters. */
	expressions: readonly string[];
	params: readonly SqlParam[];
	/** `isLast`: it was put off long enough; `later` is no answer then. */
	judge(values: SqlRow, isLast: boolean): Verdict;
}

export interface RowFacts {
	/** One JSON object. */
	dataText: string;
	/** The occurrence's own id, where it has one. */
	id: string | undefined;
}

export interface Plan {
	/** What stands behind FROM, and where needed WHERE conditions on all of it. */
	from: string;
	where?: string;
	/** The key, in SQL. */
	key: string;
	/** SQL whose first value is the head: no row is behind it. NULL: there was none yet. */
	headSql: string;
	/** One SQL expression that says when it happened, and how to read it (epoch milliseconds). */
	time?: {
		expression: string;
		read(value: SqlRow[number]): number | undefined;
	};
	/** SQL expressions from which the event is made. */
	values: readonly string[];
	makeFacts(values: SqlRow): RowFacts;
	judgementOf(args: EventArguments): Judgement;
}

/** A plan for a database as it is now, and the event type that the plan is for. */
export interface PlannedType {
	plan: Plan;
	descriptor: TypeDescriptor;
	/** What the operator should know. */
	warnings: readonly string[];
}

/** Throws a Fault where the database does not have what the plan needs. */
export type MakePlan = (connection: SqliteConnection) => PlannedType;
