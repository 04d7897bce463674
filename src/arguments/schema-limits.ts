// The bounds in size that hold before anything walks a stranger's schema by recursion.
import { show, unusable } from "./schema-faults.ts";
import type { Dialect } from "./schema-keywords.ts";

const SCHEMA_LIMIT_BYTES = 256 * 1024;
const DEPTH_LIMIT = 64;
/** Values of any kind; a schema of a person's making has hundreds. */
export const NODE_LIMIT = 20_000;

/** Throws `schema-unusable` where a schema is too deep, has too many values, or is too long as JSON. */
export function checkSize(schema: unknown): void {
	let level: unknown[] = [schema];
	let nodes = 0;
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > DEPTH_LIMIT)
			throw unusable(
				"it is nested too deep",
				`at most ${DEPTH_LIMIT} levels are read`,
			);
		nodes += level.length;
		if (nodes > NODE_LIMIT)
			throw unusable(
				"it is too large",
				`at most ${NODE_LIMIT} values are read`,
			);
		level = level.flatMap((value) =>
			typeof value === "object" && value !== null ? Object.values(value) : [],
		);
	}
	const bytes = Buffer.byteLength(JSON.stringify(schema) ?? "", "utf8");
	if (bytes > SCHEMA_LIMIT_BYTES)
		throw unusable(
			"it is too large",
			`it has ${bytes} bytes; at most ${SCHEMA_LIMIT_BYTES} are read`,
		);
}

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
	["json-schema.org/draft/2020-12/schema", "2020-12"],
	["json-schema.org/draft-07/schema", "draft-07"],
]);

/** The dialect that `$schema` names; 2020-12 where there is none. Throws `schema-unusable` for any other. */
export function parseDialect(named: unknown): Dialect {
	if (named === undefined) return "2020-12";
	const key =
		typeof named === "string"
			? named.replace(/^https?:\/\//, "").replace(/#$/, "")
			: "";
	const dialect = DIALECTS.get(key);
	if (dialect === undefined)
		throw unusable(
			`it is written in a dialect that is not supported, ${show(named, 200)}`,
			"$schema may name JSON Schema 2020-12 or draft-07, or be left out",
		);
	return dialect;
}
