// Looks into a schema without demanding that it be right: for typing, explaining and examples, where a malformed part
// is only passed over. Every look is bounded, so that a hostile schema costs a bounded time.
import { isRecord } from "../protocol/index.ts";
import { runBounded } from "./run-bounded.ts";
import {
	indexSchema,
	type SchemaIndex,
	type SchemaObject,
} from "./schema-index.ts";
import { JSON_TYPES, type JsonType } from "./schema-keywords.ts";

/** How many schemas one look may gather. */
const LOOK_LIMIT = 256;
/** How many schemas all looks through one view may gather: branches that refer to branches multiply. */
const VIEW_LIMIT = 100_000;
const PATTERN_TIMEOUT_MS = 100;

export interface SchemaView {
	root: unknown;
	index: SchemaIndex;
	/** What is left of VIEW_LIMIT; at 0 every look finds nothing. */
	left: number;
}

/** Opens a schema for looking; anything that is no schema reads as one that allows anything. */
export function viewSchema(root: unknown): SchemaView {
	return { root, index: indexSchema(root), left: VIEW_LIMIT };
}

const asArray = (value: unknown): unknown[] =>
	Array.isArray(value) ? value : [];

/** The schemas that all hold for what `node` describes: itself, what it refers to, and every `allOf` part. */
export function applied(view: SchemaView, node: unknown): SchemaObject[] {
	return gather(view, [node], (schema) => asArray(schema.allOf));
}

/** The schemas of which some hold: `applied`, and every branch of anyOf, oneOf, if and dependentSchemas. */
export function possible(view: SchemaView, node: unknown): SchemaObject[] {
	return gather(view, [node], (schema) => [
		...asArray(schema.allOf),
		...asArray(schema.anyOf),
		...asArray(schema.oneOf),
		schema.then,
		schema.else,
		...Object.values(
			isRecord(schema.dependentSchemas) ? schema.dependentSchemas : {},
		),
	]);
}

function gather(
	view: SchemaView,
	start: unknown[],
	further: (schema: SchemaObject) => unknown[],
): SchemaObject[] {
	const found = new Set<SchemaObject>();
	const waiting = [...start];
	while (waiting.length > 0 && found.size < LOOK_LIMIT) {
		const next = waiting.shift();
		if (!isRecord(next) || found.has(next)) continue;
		if (view.left <= 0) break;
		view.left--;
		found.add(next);
		for (const key of ["$ref", "$dynamicRef"]) {
			const reference = next[key];
			if (typeof reference === "string")
				waiting.push(view.index.resolve(next, reference));
		}
		waiting.push(...further(next).slice(0, LOOK_LIMIT));
	}
	return [...found];
}

/** True where nothing at all is allowed. */
export function isNever(node: unknown): boolean {
	if (node === false) return true;
	return (
		isRecord(node) && isRecord(node.not) && Object.keys(node.not).length === 0
	);
}

/** The types that `node` allows; undefined where it says nothing of types. */
export function typesOf(
	view: SchemaView,
	node: unknown,
	depth = 0,
): ReadonlySet<JsonType> | undefined {
	let types: ReadonlySet<JsonType> | undefined;
	for (const schema of applied(view, node)) {
		types = narrow(types, statedTypes(schema));
		if (depth >= 4) continue;
		for (const branches of [asArray(schema.anyOf), asArray(schema.oneOf)])
			types = narrow(types, branchTypes(view, branches, depth + 1));
	}
	return types;
}

function statedTypes(schema: SchemaObject): Set<JsonType> | undefined {
	if (schema.type !== undefined) {
		const named = [schema.type].flat();
		return new Set(JSON_TYPES.filter((type) => named.includes(type)));
	}
	const values = statedValues(schema);
	return values && new Set(values.map(typeOfValue));
}

function branchTypes(view: SchemaView, branches: unknown[], depth: number) {
	if (branches.length === 0) return undefined;
	const union = new Set<JsonType>();
	for (const branch of branches.slice(0, LOOK_LIMIT)) {
		if (isNever(branch)) continue;
		const types = typesOf(view, branch, depth);
		if (types === undefined) return undefined;
		for (const type of types) union.add(type);
	}
	return union;
}

function narrow(
	have: ReadonlySet<JsonType> | undefined,
	more: ReadonlySet<JsonType> | undefined,
): ReadonlySet<JsonType> | undefined {
	if (have === undefined || more === undefined) return have ?? more;
	const both = new Set([...have].filter((type) => more.has(type)));
	const hasWhole = have.has("integer") || more.has("integer");
	if (hasWhole && (have.has("number") || more.has("number")))
		both.add("integer");
	return both;
}

export function typeOfValue(value: unknown): JsonType {
	if (value === null) return "null";
	if (Array.isArray(value)) return "array";
	if (typeof value === "number")
		return Number.isInteger(value) ? "integer" : "number";
	if (typeof value === "boolean" || typeof value === "string")
		return typeof value as "boolean" | "string";
	return "object";
}

function statedValues(schema: SchemaObject): unknown[] | undefined {
	if (Object.hasOwn(schema, "const")) return [schema.const];
	return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** The values that `node` lists by const or enum, its own or those of every branch; undefined where it lists none. */
export function fixedValues(
	view: SchemaView,
	node: unknown,
	depth = 0,
): unknown[] | undefined {
	for (const schema of applied(view, node)) {
		const values = statedValues(schema);
		if (values) return values;
		const branches = [...asArray(schema.anyOf), ...asArray(schema.oneOf)];
		if (branches.length === 0 || depth >= 4) continue;
		const lists = branches
			.slice(0, LOOK_LIMIT)
			.map((branch) => fixedValues(view, branch, depth + 1));
		if (lists.every((list) => list !== undefined)) return lists.flat();
	}
	return undefined;
}

/** What `node` says of the property `key`; undefined where it is unknown to it. */
export function propertySchema(
	view: SchemaView,
	node: unknown,
	key: string,
): unknown {
	const certain = applied(view, node);
	const stated = statedProperties(certain, key);
	if (stated.length > 0) return joined("allOf", stated);
	const branches = statedProperties(possible(view, node), key);
	if (branches.length > 0) return joined("anyOf", branches);
	const matching = certain.flatMap((schema) => matchingPatterns(schema, key));
	if (matching.length > 0) return joined("allOf", matching);
	const others = certain
		.map((schema) => schema.additionalProperties)
		.filter(isRecord);
	return others.length > 0 ? joined("allOf", others) : undefined;
}

const statedProperties = (schemas: SchemaObject[], key: string): unknown[] =>
	schemas.flatMap(({ properties }) =>
		isRecord(properties) && Object.hasOwn(properties, key)
			? [properties[key]]
			: [],
	);

function matchingPatterns(schema: SchemaObject, key: string): unknown[] {
	if (!isRecord(schema.patternProperties)) return [];
	const rows = Object.entries(schema.patternProperties);
	const test = () =>
		rows
			.filter(([pattern]) => new RegExp(pattern, "u").test(key))
			.map(([, value]) => value);
	try {
		// A stranger's expression can take for ever; only a context of its own can be interrupted.
		return runBounded(test, PATTERN_TIMEOUT_MS);
	} catch {
		return [];
	}
}

function joined(word: "allOf" | "anyOf", schemas: unknown[]): unknown {
	return schemas.length === 1 ? schemas[0] : { [word]: schemas };
}

/** What `node` says of its item at `position`; undefined where it says nothing. */
export function itemSchema(
	view: SchemaView,
	node: unknown,
	position: number,
): unknown {
	for (const schema of possible(view, node)) {
		const { prefixItems, items, additionalItems } = schema;
		const listed = Array.isArray(items) ? items : asArray(prefixItems);
		if (position < listed.length) return listed[position];
		const rest = Array.isArray(items) ? additionalItems : items;
		if (rest !== undefined) return rest;
	}
	return undefined;
}
