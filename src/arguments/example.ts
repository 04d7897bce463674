// Arguments that fit a schema, made up from what it gives away.
import { isRecord } from "../protocol/index.ts";
import { requiredOf } from "./choices.ts";
import { setOwn } from "./own-keys.ts";
import type { SchemaObject } from "./schema-index.ts";
import { JSON_TYPES, type JsonType } from "./schema-keywords.ts";
import {
	applied,
	isNever,
	itemSchema,
	propertySchema,
	type SchemaView,
	typeOfValue,
	typesOf,
	viewSchema,
} from "./schema-view.ts";
import { bound } from "./type-words.ts";

const DEPTH_LIMIT = 6;
const LENGTH_LIMIT = 200;
const ITEMS_LIMIT = 20;
const WORD = "example";

const FORMATS: ReadonlyMap<unknown, string> = new Map([
	["date", "2026-01-31"],
	["time", "12:00:00Z"],
	["date-time", "2026-01-31T12:00:00Z"],
	["duration", "PT10M"],
	["email", "user@example.com"],
	["hostname", "example.com"],
	["ipv4", "192.0.2.1"],
	["ipv6", "2001:db8::1"],
	["uri", "https://example.com/"],
	["uri-reference", "/example"],
	["url", "https://example.com/"],
	["uuid", "00000000-0000-4000-8000-000000000000"],
]);

/**
 * The least that a schema demands, filled from default, const, examples, enum and bounds; the first branch of anyOf
 * and oneOf. undefined where it cannot be derived (a pattern, a reference without end). Not validated: what only a
 * check can tell (not, if, dependent keys) may still refuse it.
 */
export function exampleArguments(
	schema: unknown,
): Record<string, unknown> | undefined {
	if (schema === undefined || schema === true) return {};
	const example = exampleOf(viewSchema(schema), schema, 0);
	return isRecord(example) ? example : undefined;
}

/** A value that `node` may allow; undefined where none can be derived. */
export function exampleValue(view: SchemaView, node: unknown): unknown {
	return exampleOf(view, node, 1);
}

/** undefined stands for "cannot be derived": no JSON value is undefined. */
function exampleOf(view: SchemaView, node: unknown, depth: number): unknown {
	if (isNever(node) || depth > DEPTH_LIMIT) return undefined;
	const schemas = chosen(view, node);
	const given = givenExample(view, node, schemas);
	// A given object may lack what a sibling demands, so objects are always put together.
	if (given !== undefined && !isRecord(given)) return given;
	const type = isRecord(given)
		? "object"
		: pickType(schemas, { types: typesOf(view, node), depth });
	switch (type) {
		case "object":
			return objectExample(view, schemas, {
				depth,
				start: isRecord(given) ? given : {},
			});
		case "array":
			return arrayExample(view, node, { schemas, depth });
		case "string":
			return stringExample(schemas);
		case "integer":
		case "number":
			return numberExample(schemas, type);
		case "boolean":
			return true;
		case "null":
			return null;
		default:
			return undefined;
	}
}

/** The type to make: the one that the branch taken names, for the bounds come from there too; never null by choice. */
function pickType(
	schemas: SchemaObject[],
	{ types, depth }: { types: ReadonlySet<JsonType> | undefined; depth: number },
): JsonType | undefined {
	if (depth === 0) return "object";
	const isObject = schemas.some(
		(schema) => "properties" in schema || "required" in schema,
	);
	if (types === undefined) return isObject ? "object" : "string";
	const named = schemas.findLast((schema) => schema.type !== undefined)?.type;
	// "number" in the branch and "integer" around it meet as integer, which the rest of the order finds.
	const order = [
		...JSON_TYPES.filter((type) => [named].flat().includes(type)),
		...types,
	];
	return order.find((type) => type !== "null" && types.has(type)) ?? order[0];
}

/** What applies, with the first branch of each choice taken. */
function chosen(view: SchemaView, node: unknown): SchemaObject[] {
	const found = new Set(applied(view, node));
	for (const schema of found) {
		for (const list of [schema.anyOf, schema.oneOf]) {
			const first = Array.isArray(list)
				? list.find((branch) => !isNever(branch))
				: undefined;
			for (const part of applied(view, first)) found.add(part);
		}
		if (found.size > 200) break;
	}
	return [...found];
}

function givenExample(
	view: SchemaView,
	node: unknown,
	schemas: SchemaObject[],
): unknown {
	for (const schema of schemas)
		if (Object.hasOwn(schema, "const")) return schema.const;
	const lists = schemas.map((schema) => schema.enum).filter(Array.isArray);
	const types = typesOf(view, node);
	const fits = (value: unknown) =>
		lists.every((list) => isRecord(value) || list.includes(value)) &&
		(types === undefined || isOfType(value, types));
	const candidates = [
		...schemas.flatMap((schema) =>
			"default" in schema ? [schema.default] : [],
		),
		...lists.flat(),
		...schemas.flatMap(({ examples }) =>
			Array.isArray(examples) ? examples : [],
		),
	];
	return candidates.find(fits);
}

function isOfType(value: unknown, types: ReadonlySet<string>): boolean {
	const type = typeOfValue(value);
	return types.has(type) || (type === "integer" && types.has("number"));
}

function objectExample(
	view: SchemaView,
	schemas: SchemaObject[],
	{ depth, start }: { depth: number; start: SchemaObject },
): SchemaObject | undefined {
	const made: SchemaObject = {};
	for (const [key, value] of Object.entries(start)) setOwn(made, key, value);
	for (const key of new Set(schemas.flatMap(requiredOf))) {
		if (Object.hasOwn(made, key)) continue;
		const stated = schemas.map((schema) => propertySchema(view, schema, key));
		const known = stated.filter((part) => part !== undefined);
		if (known.some(isNever)) return undefined;
		const value = exampleOf(view, { allOf: known }, depth + 1);
		if (value === undefined) return undefined;
		setOwn(made, key, value);
	}
	return made;
}

function arrayExample(
	view: SchemaView,
	node: unknown,
	{ schemas, depth }: { schemas: SchemaObject[]; depth: number },
): unknown[] | undefined {
	const least = bound(schemas, "minItems", Math.max) ?? 1;
	const most = bound(schemas, "maxItems", Math.min) ?? ITEMS_LIMIT;
	if (least > ITEMS_LIMIT) return undefined;
	const items: unknown[] = [];
	for (let i = 0; i < Math.min(Math.max(least, 1), most); i++) {
		const value = exampleOf(view, itemSchema(view, node, i) ?? {}, depth + 1);
		if (value === undefined) return undefined;
		items.push(value);
	}
	const isUnique = schemas.some(({ uniqueItems }) => uniqueItems === true);
	return isUnique && items.length > 1 ? undefined : items;
}

function stringExample(schemas: SchemaObject[]): string | undefined {
	if (schemas.some((schema) => "pattern" in schema)) return undefined;
	const least = bound(schemas, "minLength", Math.max) ?? 0;
	const most = bound(schemas, "maxLength", Math.min) ?? LENGTH_LIMIT;
	const formatted = schemas
		.map(({ format }) => FORMATS.get(format))
		.find((text) => text !== undefined);
	const text = formatted ?? WORD;
	if (text.length >= least && text.length <= most) return text;
	if (formatted !== undefined || least > most || least > LENGTH_LIMIT)
		return undefined;
	return WORD.repeat(Math.ceil(least / WORD.length) || 1).slice(
		0,
		Math.max(least, Math.min(most, WORD.length)),
	);
}

function numberExample(
	schemas: SchemaObject[],
	type: "integer" | "number",
): number | undefined {
	const above = bound(schemas, "exclusiveMinimum", Math.max);
	const below = bound(schemas, "exclusiveMaximum", Math.min);
	const least = bound(schemas, "minimum", Math.max) ?? -Infinity;
	const most = bound(schemas, "maximum", Math.min) ?? Infinity;
	const step = bound(schemas, "multipleOf", Math.max) ?? 1;
	const fits = (value: number) =>
		value >= least &&
		value <= most &&
		(above === undefined || value > above) &&
		(below === undefined || value < below) &&
		(type === "number" || Number.isInteger(value));
	const edges = [least, above, most, below].filter(Number.isFinite) as number[];
	const middle =
		edges.length > 1 ? edges.reduce((a, b) => a + b) / edges.length : 0;
	const hasStep = schemas.some(({ multipleOf }) => multipleOf !== undefined);
	const candidates = [1, 0, ...edges, middle].flatMap((value) => {
		const even = Math.ceil(value / step) * step;
		const stepped = [even, even + step, even - step];
		return hasStep ? stepped : [value, ...stepped];
	});
	return candidates.find(fits);
}
