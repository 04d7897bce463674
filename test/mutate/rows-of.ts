// Which rows a source judges and a test is about, by the ids that stand in both: a test that is named after a row is
// the one to catch what the source of that row does.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const IDS = /[a-z0-9]+(?:-[a-z0-9]+)+/g;

/** The ids that stand in each source as texts of their own, by its path. */
export function readRowsOf(
	root: string,
	paths: Iterable<string>,
): Map<string, ReadonlySet<string>> {
	const rows = new Map<string, ReadonlySet<string>>();
	for (const path of paths) {
		const text = readFileSync(join(root, path), "utf8");
		const quoted = text.match(/"[a-z0-9]+(?:-[a-z0-9]+)+"/g) ?? [];
		rows.set(path, new Set(quoted.map((one) => one.slice(1, -1))));
	}
	return rows;
}

/** False where a test names rows of other sources alone. A source without rows may be meant by any test. */
export function mayMean(
	test: string,
	path: string,
	rowsOf: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
	const own = rowsOf.get(path);
	if (!own || own.size === 0) return true;
	const named = (test.match(IDS) ?? []).filter((id) =>
		[...rowsOf.values()].some((rows) => rows.has(id)),
	);
	return named.length === 0 || named.some((id) => own.has(id));
}
