// Every JSON Schema keyword that is acted on, and the shape its value must have, by dialect. All others are ignored.

export type Dialect = "2020-12" | "draft-07";

export type KeywordShape =
	| "schema"
	| "schemas"
	| "schema-map"
	| "schema-or-schemas"
	| "dependencies"
	| "type"
	| "strings"
	| "strings-map"
	| "list"
	| "any"
	| "number"
	| "positive"
	| "count"
	| "boolean"
	| "pattern"
	| "format";

const both: Record<string, KeywordShape> = {
	type: "type",
	enum: "list",
	const: "any",
	required: "strings",
	properties: "schema-map",
	patternProperties: "schema-map",
	additionalProperties: "schema",
	propertyNames: "schema",
	minProperties: "count",
	maxProperties: "count",
	// No keyword of 2020-12 any more, yet its meta-schema still describes it and servers still send it.
	dependencies: "dependencies",
	contains: "schema",
	minItems: "count",
	maxItems: "count",
	uniqueItems: "boolean",
	minimum: "number",
	maximum: "number",
	exclusiveMinimum: "number",
	exclusiveMaximum: "number",
	multipleOf: "positive",
	minLength: "count",
	maxLength: "count",
	pattern: "pattern",
	format: "format",
	allOf: "schemas",
	anyOf: "schemas",
	oneOf: "schemas",
	not: "schema",
	if: "schema",
	// biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
	then: "schema",
	else: "schema",
};

/** The keywords of a dialect with the shape each value must have. */
export const KEYWORDS: Readonly<
	Record<Dialect, ReadonlyMap<string, KeywordShape>>
> = {
	"2020-12": new Map(
		Object.entries({
			...both,
			items: "schema",
			prefixItems: "schemas",
			minContains: "count",
			maxContains: "count",
			dependentRequired: "strings-map",
			dependentSchemas: "schema-map",
			unevaluatedProperties: "schema",
			unevaluatedItems: "schema",
		}),
	),
	"draft-07": new Map(
		Object.entries({
			...both,
			items: "schema-or-schemas",
			additionalItems: "schema",
		}),
	),
};

export const JSON_TYPES = [
	"null",
	"boolean",
	"integer",
	"number",
	"string",
	"array",
	"object",
] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/**
 * The formats that are checked: those with one meaning everywhere. Any other is only told, as 2020-12 has it, for a
 * refusal by a rough pattern would be worse than none.
 */
export const CHECKED_FORMATS: ReadonlySet<string> = new Set([
	"date",
	"time",
	"date-time",
	"duration",
	"email",
	"hostname",
	"ipv4",
	"ipv6",
	"uri",
	"uuid",
]);

/** The schemas that stand right below a schema, whatever the dialect, with the tokens that lead to each. */
export function* subschemas(
	schema: Readonly<Record<string, unknown>>,
): Generator<[at: string[], value: unknown]> {
	for (const [key, value] of Object.entries(schema)) {
		const shape = SUBSCHEMA_SHAPES.get(key);
		if (shape === undefined || typeof value !== "object" || value === null)
			continue;
		if (shape === "schema") yield [[key], value];
		else if (!Array.isArray(value) && shape === "schema-or-schemas")
			yield [[key], value];
		else
			for (const [token, part] of Object.entries(value))
				if (!Array.isArray(part)) yield [[key, token], part];
	}
}

const SUBSCHEMA_SHAPES: ReadonlyMap<string, KeywordShape> = new Map([
	...[...KEYWORDS["draft-07"], ...KEYWORDS["2020-12"]].filter(([, shape]) =>
		/schema|dependencies/.test(shape),
	),
	["items", "schema-or-schemas"],
	["$defs", "schema-map"],
	["definitions", "schema-map"],
]);
