// What a schema allows, in words for one line: "integer 1 to 6", "array of string", "one of red, green, blue".
import { cut, show } from "./schema-faults.ts";
import type { SchemaObject } from "./schema-index.ts";
import type { JsonType } from "./schema-keywords.ts";
import {
	applied,
	fixedValues,
	isNever,
	itemSchema,
	type SchemaView,
	typesOf,
} from "./schema-view.ts";

const CHOICES_LIMIT = 20;
const BRANCHES_LIMIT = 6;
const DEPTH_LIMIT = 3;

/** Tells what `node` allows. Server text inside (enum values, patterns) is cut but not made harmless. */
export function typeWords(view: SchemaView, node: unknown, depth = 0): string {
	if (isNever(node)) return "nothing";
	const schemas = applied(view, node);
	const fixed = fixedValues(view, node);
	if (fixed) return fixedWords(fixed);
	const types = typesOf(view, node);
	const branches = typedBranches(view, schemas);
	const oneKind = types === undefined || types.size !== 1;
	if (branches.length > 0 && oneKind && depth < DEPTH_LIMIT)
		return branchWords(view, branches, depth + 1);
	if (types === undefined) return untypedWords(schemas);
	if (types.size === 0) return "nothing";
	const ordered = [...types].sort(
		(a, b) => Number(a === "null") - Number(b === "null"),
	);
	const words = ordered.map((type) =>
		oneTypeWords(view, node, { type, schemas, depth }),
	);
	return words.join(" or ");
}

/** Fixed values as text: strings bare, all others as JSON. */
export function fixedWords(values: unknown[]): string {
	const shown = values
		.slice(0, CHOICES_LIMIT)
		.map((value) =>
			typeof value === "string" && /^[^\s,"]+$/.test(value)
				? cut(value, 60)
				: show(value, 60),
		);
	if (shown.length === 1) return `exactly ${shown[0]}`;
	const more = values.length - shown.length;
	return `one of ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function typedBranches(view: SchemaView, schemas: SchemaObject[]): unknown[] {
	return schemas
		.flatMap(({ anyOf, oneOf }) => [anyOf, oneOf])
		.flatMap((list) => (Array.isArray(list) ? list : []))
		.filter((branch) => {
			const types = typesOf(view, branch);
			return types !== undefined || fixedValues(view, branch) !== undefined;
		});
}

function branchWords(view: SchemaView, branches: unknown[], depth: number) {
	const words = branches
		.slice(0, BRANCHES_LIMIT)
		.map((branch) => typeWords(view, branch, depth));
	const more = branches.length > BRANCHES_LIMIT ? " or something else" : "";
	return [...new Set(words)].join(" or ") + more;
}

function untypedWords(schemas: SchemaObject[]): string {
	const isObject = schemas.some((schema) => "properties" in schema);
	if (isObject) return "object";
	const details = `${stringWords(schemas)}${rangeWords(schemas)}`;
	return details === "" ? "anything" : `anything${details}`;
}

interface OneType {
	type: JsonType;
	schemas: SchemaObject[];
	depth: number;
}

function oneTypeWords(view: SchemaView, node: unknown, one: OneType): string {
	const { type, schemas, depth } = one;
	switch (type) {
		case "boolean":
			return "true or false";
		case "integer":
		case "number":
			return `${type}${rangeWords(schemas)}`;
		case "string":
			return `string${stringWords(schemas)}`;
		case "array":
			return arrayWords(view, node, { schemas, depth });
		default:
			return type;
	}
}

function arrayWords(
	view: SchemaView,
	node: unknown,
	{ schemas, depth }: { schemas: SchemaObject[]; depth: number },
): string {
	const prefix = schemas
		.map(({ prefixItems, items }) =>
			Array.isArray(items) ? items : prefixItems,
		)
		.find(Array.isArray);
	const item = itemSchema(view, node, 0);
	let words = "array";
	if (depth < DEPTH_LIMIT && prefix)
		words = `array of ${prefix
			.slice(0, BRANCHES_LIMIT)
			.map((part: unknown) => typeWords(view, part, depth + 1))
			.join(", then ")}`;
	else if (depth < DEPTH_LIMIT && item !== undefined)
		words = `array of ${typeWords(view, item, depth + 1)}`;
	const least = bound(schemas, "minItems", Math.max);
	const most = bound(schemas, "maxItems", Math.min);
	const counts = countWords(least, most, "item");
	const unique = schemas.some(({ uniqueItems }) => uniqueItems === true);
	return `${words}${counts && `, ${counts}`}${unique ? ", no item twice" : ""}`;
}

function rangeWords(schemas: SchemaObject[]): string {
	const least = bound(schemas, "minimum", Math.max);
	const most = bound(schemas, "maximum", Math.min);
	const above = bound(schemas, "exclusiveMinimum", Math.max);
	const below = bound(schemas, "exclusiveMaximum", Math.min);
	const step = bound(schemas, "multipleOf", Math.max);
	const words = [
		least !== undefined && most !== undefined
			? ` ${least} to ${most}`
			: least !== undefined
				? ` of at least ${least}`
				: most !== undefined
					? ` of at most ${most}`
					: "",
		above === undefined ? "" : ` above ${above}`,
		below === undefined ? "" : ` below ${below}`,
		step === undefined ? "" : `, a multiple of ${step}`,
	];
	return words.join("");
}

function stringWords(schemas: SchemaObject[]): string {
	const least = bound(schemas, "minLength", Math.max);
	const most = bound(schemas, "maxLength", Math.min);
	const counts = countWords(least, most, "character");
	const texts = schemas.flatMap(({ format, pattern }) => [
		typeof format === "string" ? ` (${cut(format, 40)})` : "",
		typeof pattern === "string" ? ` matching ${cut(pattern)}` : "",
	]);
	return `${counts && ` of ${counts}`}${texts.join("")}`;
}

function countWords(
	least: number | undefined,
	most: number | undefined,
	noun: string,
): string {
	const count = (n: number) => `${n} ${noun}${n === 1 ? "" : "s"}`;
	if (least === undefined || least === 0)
		return most === undefined ? "" : `at most ${count(most)}`;
	if (most === undefined) return `at least ${count(least)}`;
	return least === most ? count(least) : `${least} to ${count(most)}`;
}

/** The tightest of the numbers that the schemas give a keyword. */
export function bound(
	schemas: SchemaObject[],
	keyword: string,
	tightest: (...values: number[]) => number,
): number | undefined {
	const values = schemas
		.map((schema) => schema[keyword])
		.filter((value) => typeof value === "number");
	return values.length > 0 ? tightest(...values) : undefined;
}
