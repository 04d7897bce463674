// Which keys must be given together, or not: anyOf, oneOf and not over `required`, told in words.
import { isRecord } from "../protocol/index.ts";
import type { SchemaObject } from "./schema-index.ts";
import { applied, type SchemaView } from "./schema-view.ts";

/** The names that `required` lists. */
export function requiredOf(schema: SchemaObject): string[] {
	const { required } = schema;
	return Array.isArray(required)
		? required.filter((key) => typeof key === "string")
		: [];
}

const PLAIN: ReadonlySet<string> = new Set(["required", "type", "$ref"]);
const NOTES: ReadonlySet<string> = new Set([
	"title",
	"description",
	"$comment",
	"deprecated",
	"examples",
]);

/** The keys that a schema demands, where that is all it does; undefined for any other schema. */
export function keysOf(view: SchemaView, node: unknown): string[] | undefined {
	const schemas = applied(view, node);
	const keys = schemas.flatMap(requiredOf);
	const isPlain = schemas.every((schema) =>
		Object.entries(schema).every(
			([key, value]) =>
				PLAIN.has(key) ||
				NOTES.has(key) ||
				(key === "properties" && isOpen(value)),
		),
	);
	return isPlain && keys.length > 0 ? [...new Set(keys)] : undefined;
}

/** Properties that are named again but not narrowed: `{"a": true}` or `{"a": {}}`. */
const isOpen = (value: unknown) =>
	isRecord(value) &&
	Object.values(value).every(
		(part) =>
			part === true || (isRecord(part) && Object.keys(part).length === 0),
	);

/** Each branch as "a" or "a with b", where every branch only demands keys. */
export function keyChoices(
	view: SchemaView,
	branches: unknown[],
): string[] | undefined {
	const lists = branches.map((branch) => keysOf(view, branch));
	if (lists.length === 0 || lists.some((list) => list === undefined))
		return undefined;
	return lists.map((list = []) => {
		const [first, ...others] = list;
		return others.length > 0
			? `${first} with ${others.join(" and ")}`
			: `${first}`;
	});
}

interface Choice {
	keyword: "anyOf" | "oneOf";
	branches: unknown[];
	given: unknown;
}

/** What is wrong with a choice of keys; undefined where the branches are about more than keys. */
export function choiceProblem(
	view: SchemaView,
	{ keyword, branches, given }: Choice,
): string | undefined {
	const choices = keyChoices(view, branches);
	if (!choices || !isRecord(given)) return undefined;
	const named = choices.join(", ");
	if (keyword === "anyOf") return `give at least one of: ${named}`;
	const fitting = branches.filter((branch) =>
		keysOf(view, branch)?.every((key) => Object.hasOwn(given, key)),
	);
	return fitting.length > 1
		? `give only one of: ${named}`
		: `give exactly one of: ${named}`;
}

/** Those of the keys that a value lacks; none where it is no object. */
export const missing = (keys: string[], given: unknown) =>
	isRecord(given) ? keys.filter((key) => !Object.hasOwn(given, key)) : [];

/** What dependentRequired demands and a value lacks, each with the key that it is needed with. */
export function missingWith(schema: SchemaObject, given: unknown) {
	const { dependentRequired, dependencies } = schema;
	if (!isRecord(given)) return [];
	return [dependentRequired, dependencies]
		.flatMap((map) => (isRecord(map) ? Object.entries(map) : []))
		.flatMap(
			([other, keys]): Array<[string, string]> =>
				Array.isArray(keys) && Object.hasOwn(given, other)
					? missing(keys, given).map((key) => [key, other])
					: [],
		);
}
