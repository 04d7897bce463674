// The file of --expected-failures: rows that are known to fail, so that a run is judged by what is new.
import { Fault } from "../../faults/index.ts";
import { type CatalogueRow, type Report, rowKey } from "../../grade/index.ts";
import { readTextFile } from "../flags/files.ts";

const FLAG = "--expected-failures";
const FORM =
	"a YAML list of ids, each `id` or `scenario/id`, or a mapping with id and reason";
const lineOf = (id: string) => `write: - ${id}`;

/** The keys `scenario/id` of the rows that are expected to fail. Throws `wrong-use`. */
export async function readExpectedFailures(
	path: string,
	findRows: (
		word: string,
		flag: string,
		write: (id: string) => string,
	) => CatalogueRow[],
): Promise<Set<string>> {
	const text = await readTextFile(path, FLAG);
	const { parse } = await import("yaml");
	let value: unknown;
	try {
		value = parse(text, { maxAliasCount: 0 });
	} catch (cause) {
		throw unfit(path, cause instanceof Error ? cause.message : String(cause));
	}
	if (value === null || value === undefined) return new Set();
	if (!Array.isArray(value)) throw unfit(path, `it has to be ${FORM}`);
	return new Set(
		value
			.map((item) => idOf(item, path))
			.flatMap((id) => findRows(id, `${FLAG} ${path}`, lineOf).map(rowKey)),
	);
}

function idOf(item: unknown, path: string): string {
	if (typeof item === "string") return item;
	const id =
		typeof item === "object" && item !== null && "id" in item
			? item.id
			: undefined;
	if (typeof id === "string") return id;
	throw unfit(path, `an item is no id; it has to be ${FORM}`);
}

function unfit(path: string, why: string): Fault {
	return new Fault("wrong-use", {
		what: `${FLAG} ${path} cannot be used`,
		why,
		next: lineOf("events-poll/poll-has-more"),
	});
}

/** What became of the expectations. Rows that were not tried are neither kept nor broken promises. */
export function compareExpected(
	{ rows }: Pick<Report, "rows">,
	keys: ReadonlySet<string>,
): { expected: string[]; unexpectedPasses: string[] } {
	const ofVerdict = (verdict: string) =>
		rows
			.filter((row) => row.verdict === verdict)
			.map(({ scenario, id }) => `${scenario}/${id.replace("sep-3415-", "")}`)
			.filter((key) => keys.has(key));
	return {
		expected: ofVerdict("FAILURE"),
		unexpectedPasses: ofVerdict("SUCCESS"),
	};
}
