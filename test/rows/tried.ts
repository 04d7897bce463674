// What a server was found to do, in the form that the table of rows takes it.
import type { Graded } from "../grade/grade-with.ts";

/** Each verdict by the id of its row. */
export type Verdicts = ReadonlyMap<string, string>;

export interface Tried {
	/** What a person would start, or the fixture in words. */
	server: string;
	grade(): Promise<Verdicts>;
}

export const verdictsIn = ({ report }: Graded): Verdicts =>
	new Map(
		report.rows.map(({ id, verdict }) => [
			id.replace("sep-3415-", ""),
			verdict,
		]),
	);
