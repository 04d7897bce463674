// Finds what the checking library's locations point to, in the schema and in the value.
import { isRecord } from "../protocol/index.ts";
import type { SchemaObject } from "./schema-index.ts";
import type { SchemaView } from "./schema-view.ts";

/** The tokens of a location such as `#/a/0/b~1c`, which the library writes as part of a URI. */
export function tokens(location: string): string[] {
	return location
		.split("/")
		.slice(1)
		.map((token) =>
			decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~"),
		);
}

/** A path as it is written after `-a`, items by position: `filter.tags[1]`; "the whole object" for the root. */
export function pathWords(path: readonly string[]): string {
	if (path.length === 0) return "the whole object";
	return path
		.map((token, i) =>
			/^\d+$/.test(token) && i > 0 ? `[${token}]` : i > 0 ? `.${token}` : token,
		)
		.join("");
}

/** What stands at a path of a value; undefined where nothing does. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
	let at = value;
	for (const token of path) {
		if (typeof at !== "object" || at === null) return undefined;
		if (!Object.hasOwn(at, token)) return undefined;
		at = (at as SchemaObject)[token];
	}
	return at;
}

/** The schema that holds the keyword at a location, which runs through `$ref` to what is referred to. */
export function findPlace(
	view: SchemaView,
	location: string,
): { schema: SchemaObject; isName: boolean } | undefined {
	let schema: unknown = view.root;
	let isName = false;
	const path = tokens(location).slice(0, -1);
	for (let i = 0; i < path.length; i++) {
		if (typeof schema !== "object" || schema === null) return undefined;
		const token = path[i] ?? "";
		const value = (schema as SchemaObject)[token];
		if (token === "$ref" && typeof value === "string") {
			schema = view.index.resolve(schema as SchemaObject, value);
			continue;
		}
		if (token === "propertyNames") isName = true;
		const isMap =
			NAMED.has(token) || (LISTED.has(token) && Array.isArray(value));
		if (isMap && isNested(value, path[i + 1])) {
			schema = value[path[i + 1] ?? ""];
			i++;
		} else schema = value;
	}
	return isRecord(schema) ? { schema, isName } : undefined;
}

const NAMED: ReadonlySet<string> = new Set([
	"properties",
	"patternProperties",
	"dependentSchemas",
	"dependencies",
]);
const LISTED: ReadonlySet<string> = new Set([
	"allOf",
	"anyOf",
	"oneOf",
	"prefixItems",
	"items",
]);

const isNested = (
	value: unknown,
	token: string | undefined,
): value is SchemaObject =>
	typeof value === "object" &&
	value !== null &&
	token !== undefined &&
	Object.hasOwn(value, token);
